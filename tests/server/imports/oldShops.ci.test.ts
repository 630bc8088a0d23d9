/** A shop moves here from another one: products, sizes, photos, and old links. Rule: docs/rules/catalog.md, Importing a file */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAliased } from '../../../src/server/catalog/aliases';
import { countPhotoFetches } from '../../../src/server/pictures/photoFetches';
import { sampleProducts } from '../../../src/shared/sampleProducts';
import { importCalls } from '../../support/imports';
import { oldProducts, oldShops, type OldProduct } from '../../support/oldShops';
import { startPhotoServer, type PhotoServer } from '../../support/photoServer';
import { jpeg } from '../../support/pictures';
import { openOwnShop, type TestShop } from '../../support/shop';

let server: PhotoServer;
beforeAll(async () => {
  server = await startPhotoServer();
});
afterAll(() => server.close());

type Calls = ReturnType<typeof importCalls>;
/** A new shop, into which the file is imported. */
async function moved(check: (shop: TestShop, calls: Calls) => Promise<void>) {
  const shop = await openOwnShop({ web: server.web });
  try {
    const staff = await shop.signIn({ role: 'ROLE_ADMIN' });
    await check(shop, importCalls(shop, staff));
  } finally {
    await shop.close();
  }
}

/** What both shops know of each size, as this shop has it. */
const expected = ({ name, vendor, tags, isTaxable, variants }: OldProduct) =>
  variants.map(({ size, grams, sku, barcode, price, formerPrice, quantity }) => ({
    name,
    price: Number(price),
    sku,
    quantity,
    taxable: isTaxable,
    supplier: vendor,
    shippingGrams: grams,
    ...(tags.length > 0 && { tags }),
    ...(barcode && { barcode }),
    ...(formerPrice && { compareAtPrice: Number(formerPrice) }),
    ...(variants.length > 1 && { unitSize: size, netGrams: grams }),
  }));

describe.each(oldShops)('an export of $source', ({ exportOf, addressOf }) => {
  test('is imported with every field, its photos, and its links; importing again changes nothing; undo takes it back', async () => {
    await moved(async (shop, calls) => {
      const old = oldProducts(`photos.example:${server.port}`, 10);
      for (const [at, link] of [...new Set(old.flatMap(({ photos }) => photos))].entries())
        server.photo(link.slice(link.indexOf('/files')), await jpeg(20 + at, 20));
      const file = exportOf(old);
      const preview = await calls.preview(file);
      expect(preview).toMatchObject({ state: 'previewed', rows: { new: 28, changed: 0, unchanged: 0, wrong: 0 } });
      await calls.run(preview.id);
      const products = await calls.productsOf(preview.id);
      const bySku = new Map(products.map((product) => [product.sku, product]));
      for (const each of old.flatMap(expected)) expect(bySku.get(each.sku)).toMatchObject(each);
      const groups = old.map(({ variants }) => new Set(variants.map(({ sku }) => bySku.get(sku)?.sizeGroup)));
      expect(groups.every(({ size }) => size === 1)).toBe(true);
      for (const { description } of products) expect(description).not.toMatch(/<script|onerror|<p/);

      for (let rounds = 0; rounds < 20 && (await countPhotoFetches(shop.db, preview.id)).waiting > 0; rounds += 1) {
        await shop.jobs.fetchPhotos();
        await shop.jobs.makePictures();
      }
      expect(await countPhotoFetches(shop.db, preview.id)).toMatchObject({ waiting: 0, failed: 0 });
      const pictured = new Map((await calls.productsOf(preview.id)).map((product) => [product.sku, product]));
      for (const { photos, variants } of old)
        for (const { sku } of variants) expect(pictured.get(sku)?.photos).toHaveLength(photos.length);
      for (const product of old)
        expect(await findAliased(shop.db, addressOf(product))).toBe(
          `/p/${bySku.get(product.variants[0]?.sku ?? '')?.slug}`,
        );

      server.asked.splice(0);
      const again = await calls.preview(file);
      expect(again.rows).toMatchObject({ new: 0, changed: 0, unchanged: 28, wrong: 0 });
      await shop.jobs.fetchPhotos();
      expect(server.asked).toEqual([]);
      expect(await calls.undo(preview.id)).toMatchObject({ status: 202 });
      expect((await calls.productsOf(preview.id)).every(({ archivedAt }) => archivedAt)).toBe(true);
    });
  });

  test('of 500 products in 1,400 sizes is previewed without an error', async () => {
    await moved(async (_shop, calls) => {
      const file = exportOf(oldProducts());
      expect((await calls.preview(file)).rows).toMatchObject({ new: 1400, changed: 0, unchanged: 0, wrong: 0 });
    });
  });
});

test.each(['products.shopify.csv', 'products.woocommerce.csv'])('%s is previewed without an error', async (name) => {
  await moved(async (_shop, calls) => {
    const preview = await calls.preview(readFileSync(`tests/data/${name}`));
    expect(preview.rows).toMatchObject({ new: 14, wrong: 0 });
  });
});

test('the sample file is imported without an error', async () => {
  await moved(async (_shop, calls) => {
    expect(await calls.imported(sampleProducts())).toMatchObject({ state: 'done', rows: { new: 3, wrong: 0 } });
  });
});
