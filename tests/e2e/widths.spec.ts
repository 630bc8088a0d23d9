/**
 * Nothing is wider than the screen, whatever users write. The screens of customers and of the back office get responses
 * with names of 120 letters without a space, emails of 60 and URLs of 90, at four widths, and so do the prints. A
 * nightly run tries all screens and puts 500 other names in the place of each; otherwise every sixth. Public pages are
 * tested in flows/everybody.ci.spec.ts.
 */
import type { Browser, Page } from 'playwright/test';
import { createRandom } from '../chaos/random';
import { isNightly } from '../support/nightly';
import { account } from './screens/account';
import { admin } from './screens/admin';
import { adminPages } from './screens/adminPages';
import { adminPeople } from './screens/adminPeople';
import { adminDelivery } from './screens/adminDelivery';
import { adminSelling } from './screens/adminSelling';
import { adminShop } from './screens/adminShop';
import { buying } from './screens/buying';
import { kitchen } from './screens/kitchen';
import { ownAccount } from './screens/ownAccount';
import type { Screen } from './screens/screen';
import { expect, test as base } from './shop';

const test = base.extend({
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names of what a fixture needs
  watch: ({}, provide) => provide({ expected: [] }), // each screen has a separate context
});

const unbroken = {
  name: 'Supercalifragilisticexpialidocious'.repeat(4).slice(0, 120),
  email: `${'long-name.of-somebody'.repeat(2)}x@kitchens.example`.padStart(60, 'm'),
  url: `https://example.com/${'track-and-trace'.repeat(5)}`.slice(0, 90),
  /** Who writes the shown text: the shop itself, its staff and its customers. */
  fields: [
    'name',
    'fullName',
    'email',
    'customer',
    'by',
    'actor',
    'description',
    'title',
    'text',
    'note',
    'reason',
    'deliveryNote',
    'detail',
    'subject',
    'recipient',
    'productName',
    'street',
    'city',
    'unitSize',
    'origin',
    'otherNames',
    'shipmentTrackingUrl',
    'device',
    'targetName',
    'from',
    'to',
    'message',
    'contactEmail',
  ],
};
type Unbroken = typeof unbroken;

const widths = [320, 360, 390, 1024];
const screens = [
  ...account,
  ...ownAccount,
  ...buying,
  ...kitchen,
  ...admin,
  ...adminShop,
  ...adminDelivery,
  ...adminSelling,
  ...adminPeople,
  ...adminPages,
].filter(({ as, isTriedAgain }) => as !== 'visitor' && !isTriedAgain);
const tried = isNightly ? screens : screens.filter((_screen, place) => place % 6 === 0);
type Signed = Parameters<Browser['newPage']>[0];

for (const screen of tried) {
  test(`${screen.name}: nothing is wider than the screen, whatever users write`, async ({
    browser,
    shop,
    owner,
    customer,
  }) => {
    const storageState = screen.as === 'owner' ? owner : customer;
    const page = await openWritten(browser, { baseURL: shop.url, storageState });
    await openScreen(page, screen);
    if (screen.as === 'owner') expect(await page.locator('body').innerText()).toContain(unbroken.name);
    expect(await tooWide(page)).toEqual([]);
    await page.close();
  });
}

for (const paper of ['Packing slip', 'Receipt']) {
  test(`${paper} of an order is no wider than its paper, whatever users write`, async ({ browser, shop, owner }) => {
    const page = await openWritten(browser, { baseURL: shop.url, storageState: owner });
    await page.addInitScript(() => (window.print = () => undefined));
    await openScreen(page, screens.find(({ name }) => name === 'an order for staff') as Screen);
    await page.getByRole('button', { name: 'Print' }).click();
    await page.getByRole('menuitem', { name: paper }).click();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('article', { name: paper })).toContainText(unbroken.name);
    expect(await tooWide(page)).toEqual([]);
    await page.close();
  });
}

async function openWritten(browser: Browser, options: Signed): Promise<Page> {
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce', serviceWorkers: 'block' });
  await page.addInitScript(writeAtLength, unbroken);
  return page;
}

async function openScreen(page: Page, screen: Screen): Promise<void> {
  await screen.provoke?.(page);
  await page.goto(screen.path);
  await expect(page.getByRole('heading').filter({ visible: true }).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true], .skeleton')).toHaveCount(0);
}

/** Runs in the page: lengthens the server's response before the app reads it. */
function writeAtLength({ name, email, url, fields }: Unbroken): void {
  const isLong = new Set(fields);
  const long = (value: string) => (value.includes('@') ? email : value.startsWith('http') ? url : name);
  const written = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => written(each, field));
    if (typeof value === 'string') return isLong.has(field) && !/^\d{4}-\d\d/.test(value) ? long(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, written(each, key)]));
  };
  const send = window.fetch;
  window.fetch = async (...request) => {
    const response = await send(...request);
    if (!response.headers.get('content-type')?.includes('application/json')) return response;
    const { status, headers } = response;
    return new Response(JSON.stringify(written(await response.json(), '')), { status, headers });
  };
  const root = localStorage.getItem('root');
  if (root) localStorage.setItem('root', JSON.stringify({ ...JSON.parse(root), fullName: name }));
}

/** @returns where the page is wider than the screen, by how much, and what stands out furthest */
async function tooWide(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 740 });
    found.push(...(await page.evaluate(measure, { width, old: unbroken.name, names: isNightly ? otherNames : [] })));
  }
  return found;
}

/** 1 to 120 letters without a space: wide ones, thin ones, with accents. */
const seed = Number(process.env['TEST_SEED'] ?? 1);
const { below } = createRandom(seed);
const letters = 'WMQmwabdeghnoprstuvxyzfijl.-éßñÅ';
const otherNames = Array.from({ length: 500 }, () =>
  Array.from({ length: 1 + below(120) }, () => letters[below(letters.length)]).join(''),
);

/** Runs in the page. */
async function measure({ width, old, names }: { width: number; old: string; names: string[] }): Promise<string[]> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const tooWideWith = (name: string) => {
    const is = document.documentElement.scrollWidth;
    if (is <= width) return [];
    const furthest = [...document.querySelectorAll('body *')]
      .filter((each) => each.getBoundingClientRect().right > width + 0.5)
      .slice(-3)
      .map(({ tagName, className, textContent }) => `<${tagName} ${className}> ${textContent?.slice(0, 40)}`);
    return [`at ${width}: ${is}, ${name}: ${furthest.join(' | ')}`];
  };
  const found = tooWideWith(old);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const places: { node: Node; was: string }[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const was = node.nodeValue ?? '';
    if (was.includes(old)) places.push({ node, was });
  }
  for (const name of names) {
    for (const { node, was } of places) node.nodeValue = was.replaceAll(old, name);
    found.push(...tooWideWith(name));
  }
  for (const { node, was } of places) node.nodeValue = was;
  return found;
}
