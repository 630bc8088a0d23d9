/** How much of a device a product takes. Rule: docs/rules/offline.md, What is on the device */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { transact } from '../../../src/server/db/core/transact';
import { products } from '../../../src/server/db/schema/tables';
import type { Schema } from '../../../src/shared/contract';
import { clearCatalog, readCatalog } from '../../../src/web/device/catalog';
import { db } from '../../../src/web/device/db';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { openOwnShop, type TestShop } from '../../support/shop';
import { emptyCatalog, openTab, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
  await transact(shop.db, (tx) => seedDemoCatalog(tx, { now: shop.clock.now(), withSizes: true }));
});
beforeEach(emptyCatalog);
afterEach(async () => {
  tab.close();
  await emptyCatalog();
});
afterAll(() => shop.close());

const photo = (alt: string | null) => ({
  hash: '5e1f0c7a9b3d28465e1f0c7a9b3d2846',
  widths: [160, 320, 640, 1280],
  placeholder: '#b98a5a',
  alt,
});

type Product = Schema<'Product'>;
const sorted = <Row extends { id: string }>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
const feed = async () => sorted((await shop.call('getCatalogChanges')).data.changes.products);

/** Gives all demo products these photos after their first one, and lets a device sync. */
async function syncWith(...photos: ReturnType<typeof photo>[]) {
  await shop.db.update(products).set({ photos });
  tab = openTab(shop, '/contact');
  const [{ id }] = (await feed()) as [Product];
  await expect.poll(async () => (await saved()).find((each) => each.id === id)?.photos?.length).toBe(photos.length + 1);
}
async function saved() {
  await syncCatalog(journal); // does nothing while the tab's own call is in flight
  return sorted((await readCatalog())?.products ?? []);
}

test('a demo product with two photos takes at most a quarter more of a device than before sizes and photos', async () => {
  await syncWith(photo('The label on the jar, with its ingredients'));
  const later = new Set(['photos', 'netGrams', 'netMillilitres', 'sizeGroup', 'sku', 'slug', 'form']);
  const withoutLater = (name: string, value: unknown) => (later.has(name) ? undefined : value);
  const before = JSON.stringify(await feed(), withoutLater);
  const now = JSON.stringify(await db.products.toArray());
  expect(now.length / before.length).toBeLessThan(1.25);
});

test('the device reads a product with three photos as the server sent it', async () => {
  await syncWith(photo(null), { ...photo('Close up'), hash: 'a1'.repeat(16), widths: [160, 320] });
  expect(await saved()).toEqual(await feed());
});

test('photos in a row that an earlier build stored are shown', async () => {
  await syncWith(photo('Its label'));
  const [first] = (await feed()) as [Product];
  await db.products.put(first);
  clearCatalog();
  expect((await saved())[0]?.photos).toEqual(first.photos);
});
