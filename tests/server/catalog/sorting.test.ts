/** The orders of a list, and the nightly bestsellers. Rule: docs/rules/catalog.md, Sorting */
import { eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orders, products } from '../../../src/server/db/schema/tables';
import { comparatorOf } from '../../../src/shared/productLists';
import { type ProductSort, sortLabels } from '../../../src/shared/catalog';
import { paidOrder } from '../../support/buying';
import { feedOf } from '../../support/catalog';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let categoryName: string;
const ids: Record<string, string> = {};
const rows = [
  { name: 'zebra salt', priceCents: 900, heatLevel: 2 },
  { name: 'Allspice', priceCents: 300, heatLevel: null },
  { name: 'Éclat rub', priceCents: 900, heatLevel: 0 },
  { name: 'allspice berries', priceCents: 1200, heatLevel: 2 },
  { name: 'Mace', priceCents: 450, heatLevel: 5, quantity: 0 },
];
const sorts = Object.keys(sortLabels) as ProductSort[];

beforeAll(async () => {
  shop = await openOwnShop();
  const category = await shop.category();
  categoryName = category.name;
  for (const [second, row] of rows.entries()) {
    const createdAt = new Date(2026, 0, 1, 0, 0, second);
    ids[row.name] = (await shop.stock({ ...row, categoryId: category.id, createdAt })).id;
  }
});
afterAll(() => shop.close());

const listOf = async (query: Record<string, unknown>) =>
  (await shop.call('listProductsByCategory', { path: { categoryName }, query })).data.products.content;
const namesOf = async (query: Record<string, unknown>) => (await listOf(query)).map(({ name }) => name);
const rankOf = async (id = '') => (await shop.call('getProduct', { path: { id } })).data.product.bestsellerRank;

test.each<[ProductSort, string[]]>([
  ['featured', ['zebra salt', 'Allspice', 'Éclat rub', 'allspice berries', 'Mace']],
  ['newest', ['Mace', 'allspice berries', 'Éclat rub', 'Allspice', 'zebra salt']],
  ['heat', ['Éclat rub', 'zebra salt', 'allspice berries', 'Mace', 'Allspice']],
  ['name', ['Allspice', 'allspice berries', 'Mace', 'zebra salt', 'Éclat rub']],
])('a list can be sorted by %s', async (sort, names) => {
  expect(await namesOf({ sort })).toEqual(names);
});

test('a list can be sorted by price, both ways', async () => {
  const prices = async (sort: ProductSort) => (await listOf({ sort })).map(({ price }) => price);
  expect(await prices('price_asc')).toEqual([3, 4.5, 9, 9, 12]);
  expect(await prices('price_desc')).toEqual([12, 9, 9, 4.5, 3]);
});

test('the products that sold most in 180 days are the bestsellers, from the next night on', async () => {
  const sell = async (name: string, quantity: number, change: Partial<typeof orders.$inferInsert> = {}) => {
    const { orderId } = await paidOrder(shop, { name }, quantity);
    await shop.db
      .update(orders)
      .set({ status: 'PAID', ...change })
      .where(eq(orders.id, orderId));
  };
  const daysAgo = (days: number) => new Date(shop.clock.now().getTime() - days * 86_400_000);
  await sell('Second', 1, { status: 'DELIVERED', paidAt: daysAgo(179) });
  await sell('First', 2);
  await sell('Long ago', 3, { paidAt: daysAgo(181) });
  await sell('Refunded', 3, { status: 'REFUNDED' });
  const ranks = async () =>
    shop.db
      .select({ name: products.name, rank: products.bestsellerRank })
      .from(products)
      .where(isNotNull(products.bestsellerRank))
      .orderBy(products.bestsellerRank);
  expect(await ranks()).toEqual([]);
  await shop.jobs.rankBestsellers();
  expect(await ranks()).toEqual([
    { name: 'First', rank: 1 },
    { name: 'Second', rank: 2 },
  ]);
  const { data } = await shop.call('listProducts', { query: { sort: 'bestsellers', size: 3 } });
  expect(data.products.content.map(({ bestsellerRank }) => bestsellerRank)).toEqual([1, 2, undefined]);
  shop.clock.advance(2 * 86_400_000);
  await shop.jobs.rankBestsellers();
  expect(await ranks()).toEqual([{ name: 'First', rank: 1 }]);
});

test('a changed rank reaches devices, and no open form is stale because of it', async () => {
  const id = ids['Mace'] ?? '';
  const before = await feedOf(shop.db, id);
  await shop.db.update(products).set({ bestsellerRank: 7 }).where(eq(products.id, id));
  const after = await feedOf(shop.db, id);
  expect(after.version).toBe(before.version);
  expect(after.position).toBeGreaterThan(before.position);
  await expect.poll(() => rankOf(id)).toBe(7);
});

test.each(sorts)('a device sorts by %s like the server, on every page', async (sort) => {
  const sorted = (await listOf({ size: 100 })).toSorted(comparatorOf[sort]).map(({ id }) => id);
  const pages = [];
  for (const page of [0, 1, 2]) pages.push(...(await listOf({ sort, size: 2, page })));
  expect(pages.map(({ id }) => id)).toEqual(sorted);
});
