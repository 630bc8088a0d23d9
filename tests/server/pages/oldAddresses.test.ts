/** Links to the shop that products were imported from. Rule: docs/rules/catalog.md, Old addresses */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepAliases } from '../../../src/server/catalog/aliases';
import { transact } from '../../../src/server/db/core/transact';
import { products, productSlugs } from '../../../src/server/db/schema/tables';
import { builtApp } from '../../support/builtApp';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop({ webFolder: await builtApp() });
});
afterAll(() => shop.close());

const get = async (url: string) => {
  const { statusCode, headers, body } = await shop.app.inject({ url, headers: { accept: 'text/html' } });
  return { status: statusCode, location: headers['location'], body };
};
async function importedPepper(slug: string, ...paths: string[]) {
  const product = await shop.stock({ slug });
  await shop.db.insert(productSlugs).values({ slug, productId: product.id, createdAt: shop.clock.now() });
  const aliases = paths.map((path) => ({ path, productId: product.id }));
  await transact(shop.db, (tx) => keepAliases(tx, aliases, shop.clock.now()));
  await shop.untilTold();
  return product;
}

test('an old link leads to the product, with or without a slash, and for good', async () => {
  await importedPepper('kampot-pepper', '/products/old-kampot', '/product/old-kampot');
  for (const url of [
    '/products/old-kampot',
    '/products/old-kampot/',
    '/products/Old-Kampot?variant=4021&page=2',
    '/product/old-kampot',
    '/product/old-kampot/?utm_source=mail',
  ])
    expect(await get(url)).toMatchObject({ status: 301, location: '/p/kampot-pepper' });
  expect((await get('/p/kampot-pepper')).status).toBe(200);
  expect((await get('/products/unknown-kampot')).status).toBe(404);
  expect((await get('/product/unknown-kampot')).status).toBe(404);
});

test("the shop's own pages win over old links", async () => {
  const { name } = await shop.category();
  await importedPepper('own-pages-win', `/products/${name}`);
  expect(await get(`/products/${name}`)).toMatchObject({ status: 200, location: undefined });
});

test('an old link follows a changed address, and a deleted product says so', async () => {
  const { id } = await importedPepper('first-slug', '/products/follows');
  expect(await get('/products/follows')).toMatchObject({ location: '/p/first-slug' });
  await shop.db.insert(productSlugs).values({ slug: 'second-slug', productId: id, createdAt: shop.clock.now() });
  await transact(shop.db, async (tx) => {
    await tx.update(products).set({ slug: 'second-slug', archivedAt: shop.clock.now() }).where(eq(products.id, id));
    await keepAliases(tx, [{ path: '/products/follows', productId: id }], shop.clock.now()); // as the import does again
  });
  await shop.untilTold();
  expect(await get('/products/follows')).toMatchObject({ status: 301, location: '/p/second-slug' });
  expect((await get('/p/second-slug')).body).toContain('This product is no longer sold');
});
