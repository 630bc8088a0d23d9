import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { defaultSettings } from '../../../src/shared/settings';
import { builtApp } from '../../support/builtApp';
import { countQueries, moveStock } from '../../support/catalog';
import { all, metaOf, productPage, reader } from '../../support/pages';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let webFolder: string;
let get: ReturnType<typeof reader>;
beforeAll(async () => {
  webFolder = await builtApp();
  shop = await openOwnShop({ webFolder });
  get = reader(shop.app);
});
afterAll(() => shop.close());

/** For tests that expect no change. */
const untilTold = () => shop.untilTold();
/** A notification takes milliseconds; a busy machine needs longer to read it. */
const etagOf = async (url: string, from = get) => String((await from(url)).headers['etag']);

async function shelf(quantity: number) {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, quantity });
  await untilTold();
  return { id, list: `/products/${category.name}`, page: productPage(id) };
}

test('a page is rendered once, however its URL is spelled and whoever requests it, and then costs no query', async () => {
  const { list, page } = await shelf(40);
  const urls = ['/', list, page];
  const first = await Promise.all(urls.map((url) => etagOf(url)));
  const name = list.slice('/products/'.length);
  const queries = await countQueries(shop.pool, async () => {
    for (const [index, url] of urls.entries()) expect(await etagOf(url)).toBe(first[index]);
    for (const url of [
      `${list}?utm_source=letter`,
      `${list}/`,
      `/PRODUCTS/${name}`,
      `${list}?page=1`,
      `${list}?page=x&y`,
    ])
      expect(await etagOf(url), url).toBe(first[1]);
  });
  expect(queries).toBe(0);
});

test('a crowd that requests a page at the same time shares one rendering', async () => {
  const { list } = await shelf(40);
  const pages = await Promise.all(Array.from({ length: 30 }, () => etagOf(list)));
  expect(new Set(pages).size).toBe(1); // each rendering contains its own time
});

test('all unknown URLs share one cached page', async () => {
  const first = await etagOf('/products/none-1');
  expect(await etagOf('/products/none-2')).toBe(first);
  expect(await etagOf('/products/none-2?page=3')).toBe(first);
});

test('lists filtered by what no product has share one page, which the browser renders', async () => {
  const { list } = await shelf(40);
  const shell = await etagOf('/customer/orders');
  expect(await etagOf(`${list}?origin=Nowhere`)).toBe(shell);
  expect(await etagOf(`${list}?allergens=moondust&page=2`)).toBe(shell);
  expect(await etagOf(`${list}?heat=2`)).not.toBe(shell);
});

test('a changed field shows immediately where it was changed, and soon everywhere', async () => {
  const { id, page, list } = await shelf(40);
  const second = await shop.openProcess();
  const there = reader(second.app);
  for (const from of [get, there])
    for (const url of ['/', page, list]) expect((await from(url)).body).toContain('Black pepper');
  await shop.db.update(products).set({ name: 'White pepper' }).where(eq(products.id, id));
  for (const from of [get, there])
    for (const url of [page, list]) await expect.poll(async () => (await from(url)).body).toContain('White pepper');
  await second.close();
});

test.each([
  [40, -31, 'Only 9 left'],
  [11, -1, 'Only 10 left'],
  [3, -3, 'Out of Stock'],
  [9, 31, undefined],
  [0, 20, undefined],
])('a stock of %i and then %i more drops the cached pages of the product', async (quantity, units, note) => {
  const { id, page } = await shelf(quantity);
  const second = await shop.openProcess();
  for (const from of [get, reader(second.app)]) {
    await from(page);
  }
  await moveStock(shop.db, id, units);
  for (const from of [get, reader(second.app)]) {
    await expect.poll(async () => noteOf((await from(page)).body)).toBe(note);
  }
  await second.close();
});

const noteOf = (html: string) => /Only \d+ left|Out of Stock/.exec(html.replaceAll('<!-- -->', ''))?.[0];

test('the owner’s shop details are on every page, here immediately and soon everywhere', async () => {
  const { page } = await shelf(40);
  const second = await shop.openProcess();
  const there = reader(second.app);
  const urls = ['/contact', page, '/products/none', '/login', '/checkout'];
  for (const from of [get, there]) for (const url of urls) expect((await from(url)).body).toContain('(555) 010-0142');
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  const facts = { shopName: 'Kerr & Sons', contactEmail: 'kerr@example.com', contactPhone: '+220 555 0100' };
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...facts } });
  for (const url of urls) expect((await get(url)).body, url).toContain('kerr@example.com');
  for (const url of urls) await expect.poll(async () => (await there(url)).body).toMatch(/Kerr & Sons|Kerr &amp; Sons/);
  await second.close();

  const { body } = await get('/contact');
  expect(all(body, /<title>([^<]*)<\/title>/g)).toEqual(['Contact | Kerr &amp; Sons']);
  expect(metaOf(body)['og:site_name']).toBe('Kerr &amp; Sons');
  expect(body).toMatch(/© \d{4} Kerr &amp; Sons/);
  expect(all(body, /href="(tel:[^"]*)"/g)).toEqual(['tel:+2205550100', 'tel:+2205550100']);
  expect(body).not.toContain('hello@example.com');
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});

test('any other sale drops no page, and one of low stock drops no page without the product', async () => {
  const plenty = await shelf(500);
  const few = await shelf(5);
  const before = [await etagOf(plenty.page), await etagOf(plenty.list), await etagOf('/sitemap.xml')];
  await moveStock(shop.db, plenty.id, -100);
  await moveStock(shop.db, few.id, -1);
  await untilTold();
  expect(await Promise.all([plenty.page, plenty.list].map((url) => etagOf(url)))).toEqual(before.slice(0, 2));
});

test('a page whose rendering began before a change is not cached after it', async () => {
  const { id, page } = await shelf(40);
  const query = shop.pool.query.bind(shop.pool) as (...sent: unknown[]) => Promise<unknown>;
  let letGo = () => {};
  let answers = 0;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const slow = async (...sent: unknown[]) => {
    const answer = await query(...sent);
    answers++;
    await held; // the database has answered, but the network has not delivered
    return answer;
  };
  Object.assign(shop.pool, { query: slow });
  const early = get(page);
  await expect.poll(() => answers).toBeGreaterThan(0);
  Object.assign(shop.pool, { query });
  await moveStock(shop.db, id, -36);
  await untilTold();
  letGo();
  expect(noteOf((await early).body)).toBeUndefined();
  expect(noteOf((await get(page)).body)).toBe('Only 4 left');
});

test('while the database cannot send notifications, nothing cached is used', async () => {
  const { page } = await shelf(40);
  const first = await etagOf(page);
  await shop.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'`,
  );
  await expect.poll(() => shop.bus.connected).toBe(false);
  expect(await etagOf(page)).not.toBe(first);
  await expect.poll(() => shop.bus.connected).toBe(true);
  const again = await etagOf(page);
  expect(await etagOf(page)).toBe(again);
});

test('a page whose data is unavailable comes as the app alone, with 503, and is complete again afterwards', async () => {
  const { page } = await shelf(40);
  const query = shop.pool.query.bind(shop.pool);
  Object.assign(shop.pool, { query: () => Promise.reject(new Error('out of order')) });
  const broken = await get(page);
  Object.assign(shop.pool, { query });
  expect(broken.status).toBe(503);
  expect(broken.body).toContain('<div id="root"><!--app--></div>');
  expect(broken.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' });
  expect(shop.logLines.some((line) => line.includes("a page couldn't be rendered"))).toBe(true);
  expect((await get(page)).status).toBe(200);
});
