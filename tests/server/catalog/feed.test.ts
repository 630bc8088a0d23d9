import { eq, getTableColumns } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categories, products } from '../../../src/server/db/schema/tables';
import { productFieldNames, productFields } from '../../../src/shared/productFields';
import { feedOf, moveStock, read } from '../../support/catalog';
import { sampleStored } from '../../support/products';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const facts: [string, Partial<typeof products.$inferInsert>][] = [
  ...productFieldNames.map((name): (typeof facts)[number] => [productFields[name].label, sampleStored(name)]),
  ['picture text', { pictureAlt: 'Corns' }],
  ['second photo', { photos: [{ hash: '5e1f0c7a9b3d2846', widths: [160], placeholder: '#b98a5a', alt: null }] }],
  ['size group', { sizeGroup: '00000000-0000-4000-8000-000000000001' }],
  ['archived', { archivedAt: new Date() }],
];

test('every column of a product is one of these facts, has its own test, or is exempt', () => {
  const ofItsOwn = ['categoryId', 'pictureHash'];
  const noFacts = ['id', 'quantity', 'version', 'editedVersion', 'changeCursor', 'bestsellerRank', 'createdAt'];
  const known = [...facts.flatMap(([, fields]) => Object.keys(fields)), ...ofItsOwn, ...noFacts];
  expect(Object.keys(getTableColumns(products)).sort()).toEqual(known.sort());
});

test.each(facts)('a changed %s changes version, feed and ETag', async (_name, fields) => {
  const { id } = await shop.stock();
  const [before, shown] = [await feedOf(shop.db, id), await read(shop.app, `/public/products/${id}`)];
  await shop.db.update(products).set(fields).where(eq(products.id, id));
  const after = await feedOf(shop.db, id);
  expect(after.version).toBe(before.version + 1);
  expect(after.position).toBeGreaterThan(before.position);
  const etag = async () => (await read(shop.app, `/public/products/${id}`)).etag;
  await expect.poll(etag).not.toBe(shown.etag);
});

test('another category changes version and feed', async () => {
  const { id } = await shop.stock();
  const before = await feedOf(shop.db, id);
  const { id: categoryId } = await shop.category();
  await shop.db.update(products).set({ categoryId }).where(eq(products.id, id));
  const after = await feedOf(shop.db, id);
  expect(after.version).toBe(before.version + 1);
  expect(after.position).toBeGreaterThan(before.position);
});

test('writing the same values again changes nothing', async () => {
  const { id } = await shop.stock();
  const before = await feedOf(shop.db, id);
  await shop.db.update(products).set({ name: 'Black pepper', priceCents: 450 }).where(eq(products.id, id));
  expect(await feedOf(shop.db, id)).toEqual(before);
});

test.each([
  { from: 40, units: -5, movesFeed: false },
  { from: 12, units: -1, movesFeed: false },
  { from: 12, units: -2, movesFeed: true },
  { from: 10, units: -1, movesFeed: true },
  { from: 1, units: -1, movesFeed: true },
  { from: 0, units: 50, movesFeed: true },
  { from: 10, units: 1, movesFeed: true },
  { from: 11, units: 1, movesFeed: false },
])(
  'stock from $from by $units: feed changes is $movesFeed, the version never does',
  async ({ from, units, movesFeed }) => {
    const { id } = await shop.stock({ quantity: from });
    const [before, shown] = [await feedOf(shop.db, id), await read(shop.app, `/public/products/${id}`)];
    await moveStock(shop.db, id, units);
    const after = await feedOf(shop.db, id);
    expect(after.version).toBe(before.version);
    expect(after.position > before.position).toBe(movesFeed);
    expect((await read(shop.app, `/public/products/${id}`)).etag).not.toBe(shown.etag);
  },
);

test('a category enters the feed when it changes', async () => {
  const { id } = await shop.category();
  const position = async () => {
    const [row] = await shop.db.select({ at: categories.changeCursor }).from(categories).where(eq(categories.id, id));
    return row?.at ?? 0;
  };
  const before = await position();
  await shop.db.update(categories).set({ title: 'Pepper' }).where(eq(categories.id, id));
  const after = await position();
  expect(after).toBeGreaterThan(before);
  await shop.db.update(categories).set({ title: 'Pepper' }).where(eq(categories.id, id));
  expect(await position()).toBe(after);
});
