/**
 * `npm run bench -- imports`: how long the preview and the import of a large file take, how much memory the server needs for
 * it, and what customers notice of it. Rule: docs/rules/catalog.md, Importing a file
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Schema } from '../../src/shared/contract';
import { presentAims } from './aims';
import { addToCarts, createBuyers, ownerToken, p95 } from './buyers';
import { memoryOf } from './cpu';
import { withBench } from './opened';

const rows = 10_000;
const buyersAtOnce = 4;
const quietSeconds = 15;
const text =
  'Grown in small fields near the river, dried in the shade, and packed by hand in our own store room. '.repeat(5);

await withBench(async ({ url, pool, products, secret, pids }) => {
  const { rows: owners } = await pool.query<{ id: string }>(`select id from users where role = 'ROLE_OWNER' limit 1`);
  const token = await ownerToken(pool, owners[0]?.id ?? '', secret);
  const staff = createStaff(`${url}/api/admin/imports`, token);
  const buyers = await createBuyers(pool, buyersAtOnce, secret);
  const adding = { url, buyers, products };
  await addToCarts({ ...adding, until: pause(3_000).then(() => true) }); // warms up

  const shopify = await timed(() => staff.start(shopifyFile(500)));
  const sized = await timed(() => staff.start(ownFile('Quiet', rows)));
  const alone = await timed(() => staff.importAll(sized.result.id));
  const quietMs = await addToCarts({ ...adding, until: pause(quietSeconds * 1000).then(() => true) });
  const second = await staff.start(ownFile('Busy', rows));
  const busy = timed(() => staff.importAll(second.id));
  const busyMs = await addToCarts({ ...adding, until: busy.then(() => true) });
  const { ms: besideMs } = await busy;
  const undone = await timed(() => staff.undo(second.id));
  const { mostMb } = memoryOf(pids.shop);

  const ratio = p95(busyMs) / p95(quietMs);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const aims = [
    {
      what: '500 Shopify products, 1,400 variants: preview',
      figures: { time: seconds(shopify.ms) },
      before: '-',
      goal: '5 s',
      isMet: shopify.ms < 5_000,
    },
    {
      what: `${rows} rows: preview`,
      figures: { time: seconds(sized.ms) },
      before: '-',
      goal: 'none',
      isMet: true,
    },
    {
      what: `${rows} rows: import`,
      figures: {
        alone: seconds(alone.ms),
        'rows/s': ((rows / alone.ms) * 1000).toFixed(0),
        'with buyers': seconds(besideMs),
        undo: seconds(undone.ms),
      },
      before: '-',
      goal: '60 s',
      isMet: alone.ms < 60_000,
    },
    {
      what: 'memory of the server, at most',
      figures: { memory: `${mostMb.toFixed(0)} MB` },
      before: '-',
      goal: '300 MB',
      isMet: mostMb < 300,
    },
    {
      what: `cart add meanwhile, ${buyersAtOnce} buyers, p95`,
      figures: {
        meanwhile: `${p95(busyMs).toFixed(1)} ms`,
        without: `${p95(quietMs).toFixed(1)} ms`,
        ratio: ratio.toFixed(2),
      },
      before: '-',
      goal: '2 times',
      isMet: ratio <= 2,
    },
  ];
  console.log(presentAims(aims));
});

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

type Import = Schema<'Import'>;

function createStaff(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  type Init = { method?: string; body?: FormData | string; headers?: Record<string, string> };
  const call = async (path: string, init: Init = {}): Promise<Import> => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { data: { import: Import } }).data.import;
  };
  const post = (path: string) =>
    call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  const until = async (id: string, state: Import['state']) => {
    for (;;) {
      const found = await call(`/${id}`);
      if (found.state === state) return;
      if (found.state === 'failed') throw new Error('the import failed');
      await pause(250);
    }
  };
  return {
    async start(file: string): Promise<Import> {
      const body = new FormData();
      body.set('file', new Blob([file]), 'products.csv');
      const found = await call('', { method: 'POST', body });
      if (found.rows.wrong > 0) throw new Error(JSON.stringify(found.problems.slice(0, 3)));
      return found;
    },
    async importAll(id: string): Promise<void> {
      await post(`/${id}/run`);
      await until(id, 'done');
    },
    async undo(id: string): Promise<void> {
      await post(`/${id}/undo`);
      await until(id, 'undone');
    },
  };
}

function ownFile(word: string, count: number): string {
  return [
    'name,description,price,availability,quantity,category,unitSize,origin,sku,tags',
    ...Array.from(
      { length: count },
      (_, at) =>
        `${word} spice ${at},"${text}",4.${10 + (at % 90)},true,25,bench,60 g,Gambia,${word}-${at},"whole, bench"`,
    ),
  ].join('\r\n');
}

/** Two or three variants of each product. */
function shopifyFile(count: number): string {
  return [
    'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Image Src,Status',
    ...Array.from({ length: count }, (_, at) =>
      ['2 oz', '8 oz', '1 lb'].slice(0, at % 5 === 0 ? 2 : 3).map((size, variant) => {
        const first = variant === 0 ? `Shopify spice ${at},"<p>${text}</p>",Mill,Bench,whole,true,Size` : ',,,,,,';
        const photo = `https://cdn.example.com/${at}.jpg`;
        return `spice-${at},${first},${size},SH-${at}-${variant},12,${5 + variant}.50,${photo},${variant === 0 ? 'active' : ''}`;
      }),
    ).flat(),
  ].join('\n');
}
