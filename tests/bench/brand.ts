/**
 * `npm run bench -- brand`: the time in which the server renders a page, with the owner's name, logo, colors, texts, and
 * four published pages, compared with the initial look. Each page is rendered anew, as after any change of the settings.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultSettings } from '../../src/shared/settings';
import { presentAims, type Aim } from './aims';
import { ownerToken } from './buyers';
import { withBench } from './opened';

const turns = 4;
const rendersPerTurn = 15;
const mostTimes = 1.1;
/** Until the process has heard of the change; a visitor may have ten pages rendered in a second. */
const noticeMs = 200;

const own = {
  shopName: 'Kerr & Daughters',
  bannerTitle: 'Tools for life',
  bannerText: 'Sharpened in Serekunda.',
  aboutText: 'We sharpen **everything** that cuts.\n\n- Knives\n- [Axes](/products/savory)',
  palette: 'green',
  storeAddress: '12 Kairaba Avenue\nSerekunda',
};
const titles = ['Shipping and returns', 'Privacy', 'Terms', 'FAQ'];

await withBench(async ({ url, pool, products, secret }) => {
  const { rows: owners } = await pool.query<{ id: string }>(`select id from users where role = 'ROLE_OWNER' limit 1`);
  const token = await ownerToken(pool, owners[0]?.id ?? '', secret);
  const addresses = {
    home: '/',
    list: '/products/savory',
    product: `/customer/view/product/${products[0]?.id}`,
  };
  const pageIds: string[] = [];
  const tookMs = { initial: timesOf(addresses), own: timesOf(addresses) };
  for (const address of Object.values(addresses)) await read(address); // warms up
  for (let turn = 0; turn < turns; turn++) {
    await measure(tookMs.initial);
    await setBrand();
    await measure(tookMs.own);
    await clearBrand();
  }
  const aims = Object.keys(addresses).map((name): Aim => {
    const [initial, branded] = [middle(tookMs.initial[name]), middle(tookMs.own[name])];
    return {
      what: `${name}, rendered anew`,
      figures: { initial: ms(initial), own: ms(branded), ratio: (branded / initial).toFixed(2) },
      goal: `${mostTimes} times`,
      isMet: branded / initial <= mostTimes,
    };
  });
  console.log(presentAims(aims));

  async function measure(times: Record<string, number[]>): Promise<void> {
    for (let render = 0; render < rendersPerTurn; render++) {
      await pool.query(`select pg_notify('settings', '')`);
      await pause(noticeMs);
      for (const [name, address] of Object.entries(addresses)) {
        const began = performance.now();
        await read(address);
        times[name]?.push(performance.now() - began);
      }
    }
  }

  async function read(address: string): Promise<void> {
    const answer = await fetch(url + address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    await answer.arrayBuffer();
  }

  async function setBrand(): Promise<void> {
    await change('PUT', '/settings', { ...defaultSettings, ...own });
    const file = new FormData();
    file.set('file', new Blob([new Uint8Array(await readFile('public/app-icon-512.png'))]), 'logo.png');
    await change('PUT', '/settings/logo', file);
    for (const title of titles) {
      const slug = title.toLowerCase().replaceAll(' ', '-');
      const { data } = await change('POST', '/pages', {
        slug,
        title,
        markdown: `We say it *here*.\n\n## ${title}`,
        isPublished: true,
      });
      pageIds.push(data.page.id);
    }
  }

  async function clearBrand(): Promise<void> {
    await change('PUT', '/settings', defaultSettings);
    await change('DELETE', '/settings/logo');
    for (const id of pageIds.splice(0)) await change('DELETE', `/pages/${id}`);
  }

  async function change(method: string, path: string, body?: object): Promise<{ data: { page: { id: string } } }> {
    const isForm = body instanceof FormData;
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    };
    const sent = body && { body: isForm ? body : JSON.stringify(body) };
    const answer = await fetch(`${url}/api/admin${path}`, { method, headers, ...sent });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { data: { page: { id: string } } };
  }
});

function timesOf(addresses: object): Record<string, number[]> {
  return Object.fromEntries(Object.keys(addresses).map((name) => [name, []]));
}

function middle(times: readonly number[] = []): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
