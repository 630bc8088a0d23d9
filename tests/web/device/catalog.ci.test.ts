import { QueryClient } from '@tanstack/react-query';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { categories, products } from '../../../src/server/db/schema/tables';
import { db } from '../../../src/web/device/db';
import { clearCatalog, readCatalog } from '../../../src/web/device/catalog';
import { followCatalog, syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { recallSaved } from '../../../src/web/device/saveShop';
import { saved } from '../../../src/web/device/saved';
import { openOwnShop, type TestShop } from '../../support/shop';
import { emptyCatalog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(async () => {
  await shop.close();
  saved.set('worker', true); // aborts pending pictures: the next file shares this device
  await emptyCatalog();
  saved.set('worker', false);
});

const allOf = /./;
const goOffline = () => {
  tab.network.breaks = allOf;
};
const feedCalls = () => tab.calls.filter(({ path }) => path.startsWith('/public/catalog/changes'));
const names = async () => (await readCatalog())?.products.map(({ name }) => name);
const cards = () => [...document.querySelectorAll('main li h2')].map((name) => name.textContent);

async function categoryOf(count: number, facts: (number: number) => object = () => ({})) {
  const category = await shop.category({ title: 'Rubs' });
  for (let number = 1; number <= count; number += 1)
    await shop.stock({ categoryId: category.id, name: `Rub ${number}`, ...facts(number) });
  return category;
}

test('the whole catalog comes in one request, in the order of its lists', async () => {
  const { id } = await categoryOf(3);
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  expect(feedCalls()).toHaveLength(1);
  const catalog = await readCatalog();
  const kept = catalog?.products.filter(({ productCategory }) => productCategory.id === id);
  expect(kept?.map(({ name }) => name)).toEqual(['Rub 1', 'Rub 2', 'Rub 3']);
  const { data } = await shop.call('listCategories', { query: { size: 100 } });
  expect(catalog?.categories.map(({ name }) => name)).toEqual(data.categories.content.map(({ name }) => name));
});

test('later only changes are sent, and products no longer sold say so', async () => {
  const { id: categoryId } = await categoryOf(1);
  const { id } = await shop.stock({ categoryId, name: 'Old rub' });
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  const before = await db.about.get('catalog');
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, id));
  await shop.stock({ categoryId, name: 'New rub' });
  await until(() => true);
  await expect.poll(() => syncCatalog(journal)).toBe(true);
  expect(await names()).toEqual(expect.arrayContaining(['New rub', 'Old rub']));
  expect((await readCatalog())?.products.find((product) => product.id === id)?.archived).toBe(true);
  expect((await db.about.get('catalog'))?.cursor).toBeGreaterThan(before?.cursor ?? 0);
});

test('a removed category is removed from the device too', async () => {
  const { id } = await shop.category();
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  await shop.db.delete(categories).where(eq(categories.id, id));
  await expect.poll(() => syncCatalog(journal)).toBe(true);
  expect((await readCatalog())?.categories.map((category) => category.id)).not.toContain(id);
});

test('a device that is ahead of the server discards its data and starts over', async () => {
  await categoryOf(1);
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  await db.products.update((await db.products.toArray())[0]?.id ?? '', { name: 'Of another life' });
  await db.about.put({ key: 'catalog', cursor: 1_000_000_000, savedAt: 1 });
  await syncCatalog(journal);
  expect(await names()).not.toContain('Of another life');
  expect((await db.about.get('catalog'))?.cursor).toBeLessThan(1_000_000);
});

test('a half-downloaded catalog is not shown', async () => {
  tab = openTab(shop, '/contact');
  await db.about.put({ key: 'catalog', cursor: 7 });
  clearCatalog();
  expect(await readCatalog()).toBeUndefined();
});

test('a failed catalog download is retried while the page is open', async () => {
  await categoryOf(1);
  tab = openTab(shop, '/contact');
  let failing = 1;
  tab.network.passes = ({ url }) => !url.includes('/catalog/changes') || failing-- <= 0;
  const stop = followCatalog(new QueryClient(), journal);
  await until(() => saved.has('catalog'));
  stop();
  expect(feedCalls()).toHaveLength(1); // and one whose response was lost
});

test('a failure after the catalog is no longer stored is not retried', async () => {
  await categoryOf(1);
  tab = openTab(shop, '/contact');
  tab.network.answers = (path) => (path.includes('/catalog/changes') ? new Response(null, { status: 500 }) : undefined);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const triedLater = () => timers.mock.calls.filter(([, ms]) => ms === 2000).length;
  followCatalog(new QueryClient(), journal)();
  const stop = followCatalog(new QueryClient(), journal); // fails after the one that was stopped
  await until(() => triedLater() > 0);
  expect(triedLater()).toBe(1);
  stop();
  timers.mockRestore();
});

test('a stalling catalog download is aborted, and retried', async () => {
  await categoryOf(1);
  tab = openTab(shop, '/contact');
  const limit = AbortSignal.timeout.bind(AbortSignal);
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => limit(ms / 100));
  tab.network.hangs = /changes/;
  await expect(syncCatalog(journal)).rejects.toMatchObject({ code: 'no_connection' });
  patience.mockRestore();
  tab.network.hangs = undefined;
  await syncCatalog(journal);
  expect(await names()).toContain('Rub 1');
});

test('an earlier visit’s data counts as saved only where it still exists', async () => {
  await categoryOf(1);
  tab = openTab(shop, '/contact');
  saved.set('catalog', false);
  saved.set('pictures', false);
  localStorage.setItem('saved', 'catalog pictures');
  await recallSaved(); // the browser lost the database
  expect([saved.has('catalog'), saved.has('pictures')]).toEqual([false, false]);
  await syncCatalog(journal);
  localStorage.setItem('saved', 'catalog pictures');
  await recallSaved();
  expect([saved.has('catalog'), saved.has('pictures')]).toEqual([true, true]);
});

test('without a connection a list has the same pages, filters and order as with one', async () => {
  const category = await categoryOf(23, (number) => ({
    heatLevel: number % 4,
    origin: number % 2 ? 'Senegal' : 'The Gambia',
    allergens: number % 3 ? [] : ['Peanut'],
  }));
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  const path = `/products/${category.name}`;
  for (const search of [
    '',
    '?page=3',
    '?heat=1,2',
    '?origin=The+Gambia&allergens=peanut',
    '?sort=name',
    '?inStock=true&sort=heat',
  ]) {
    tab.close();
    tab = openTab(shop, path + search);
    await see(/\d products/);
    const online = cards();
    tab.close();
    tab = openTab(shop, path + search);
    goOffline();
    await see(/\d products/);
    expect(cards(), search).toEqual(online);
    expect(online.length).toBeGreaterThan(0);
  }
  await press('Filters 1');
  await see('In stock only');
});

test('home and the product page open without a connection', async () => {
  const { id: categoryId } = await shop.category();
  const { id } = await shop.stock({ categoryId, name: 'Cellar salt', quantity: 3 });
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  tab.close();
  tab = openTab(shop, `/customer/view/product/${id}`);
  goOffline();
  await see('Only 3 left');
  expect(document.querySelector('h1')?.textContent).toBe('Cellar salt');
  await tab.go('/');
  await see('Rubs');
});

test('the server’s response wins over the device’s data', async () => {
  const { id } = await shop.stock({ name: 'Bay leaves' });
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  await shop.db.update(products).set({ name: 'Laurel leaves' }).where(eq(products.id, id));
  tab.close();
  tab = openTab(shop, `/customer/view/product/${id}`);
  await see('Laurel leaves');
});

test('data neither on the device nor available says so, and comes with the connection', async () => {
  const { name } = await categoryOf(1);
  tab = openTab(shop, '/contact');
  goOffline();
  await tab.go(`/products/${name}`);
  await see("This isn't saved on this device. Check your connection and try again.");
});
