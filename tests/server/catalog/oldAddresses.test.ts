/** Old addresses of imported products. Rule: docs/rules/catalog.md, Old addresses */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAliasClashes, findAliased, keepAliases } from '../../../src/server/catalog/aliases';
import { transact } from '../../../src/server/db/core/transact';
import { products } from '../../../src/server/db/schema/tables';
import { oldAddressOf, shopifyAddressOf, wooAddressOf } from '../../../src/shared/oldAddresses';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const keep = (...aliases: { path: string; productId: string }[]) =>
  transact(shop.db, (tx) => keepAliases(tx, aliases, shop.clock.now()));
const remove = (id: string) =>
  shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, id));

test.each([
  ['/products/Black-Pepper/', '/products/black-pepper'],
  ['https://old.example/product/piment%C3%A9/?ref=1#top', '/product/pimenté'],
  ['/product/caf\u0065\u0301', '/product/café'],
  ['/products/a/b', undefined],
  ['/collections/all/products/pepper', undefined],
  ['/products/%E0%A4%A', undefined],
  ['/products/a%2Fb', undefined],
  ['/products/..', undefined],
  ['black-pepper', undefined],
])('the old address %s is kept as %s', (link, path) => {
  expect(oldAddressOf(link)).toBe(path);
});

test('handles and slugs make the addresses that their shops used', () => {
  expect([shopifyAddressOf('black-pepper'), wooAddressOf(' 100%-cacao ')]).toEqual([
    '/products/black-pepper',
    '/product/100%-cacao',
  ]);
  expect(shopifyAddressOf(' ')).toBeUndefined();
});

test('an old address leads to the product, in any spelling', async () => {
  const { id: productId } = await shop.stock({ slug: 'kept-pepper' });
  await keep({ path: '/products/old-pepper', productId });
  await keep({ path: '/products/old-pepper', productId });
  expect(await findAliased(shop.db, '/Products/OLD-pepper/?variant=1')).toBe('/p/kept-pepper');
  expect(await findAliased(shop.db, '/products/other-pepper')).toBeUndefined();
});

test('an address stays with a product on sale, and moves on from a deleted one', async () => {
  const [first, second] = [await shop.stock({ slug: 'stays' }), await shop.stock({ slug: 'moves' })];
  const path = '/product/wanted-by-two';
  await keep({ path, productId: first.id });
  expect(await findAliasClashes(shop.db, [{ path, productId: second.id }])).toEqual(new Map([[path, 'product']]));
  expect(await findAliasClashes(shop.db, [{ path, productId: first.id }])).toEqual(new Map());
  await keep({ path, productId: second.id });
  expect(await findAliased(shop.db, path)).toBe('/p/stays');
  await remove(first.id);
  expect(await findAliasClashes(shop.db, [{ path, productId: undefined }])).toEqual(new Map());
  await keep({ path, productId: second.id });
  expect(await findAliased(shop.db, path)).toBe('/p/moves');
});

test("the preview names old addresses that are a category's page", async () => {
  const { name } = await shop.category();
  const paths = [`/products/${name}`, '/products/spices', `/product/${name}`, '/products/free'];
  const clashes = await findAliasClashes(
    shop.db,
    paths.map((path) => ({ path, productId: undefined })),
  );
  expect([...clashes]).toEqual([
    [`/products/${name}`, 'category'],
    ['/products/spices', 'category'],
  ]);
});
