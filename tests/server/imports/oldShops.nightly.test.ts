/** A whole shop moves here: 500 products in 1,400 sizes, with their photos. Rule: docs/rules/catalog.md, Importing a file */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAliased } from '../../../src/server/catalog/aliases';
import { countPhotoFetches } from '../../../src/server/pictures/photoFetches';
import { hashOf } from '../../../src/server/pictures/processPicture';
import { importCalls } from '../../support/imports';
import { compareMoved, dumpProducts } from '../../support/movedCatalog';
import { oldProducts, oldShops } from '../../support/oldShops';
import { startPhotoServer, type PhotoServer } from '../../support/photoServer';
import { jpeg } from '../../support/pictures';
import { openOwnShop } from '../../support/shop';

const inTimeMs = 1_800_000;
let server: PhotoServer;
beforeAll(async () => {
  server = await startPhotoServer();
});
afterAll(() => server.close());

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const began = performance.now();
  const result = await work();
  return { result, ms: performance.now() - began };
}

/** @returns the ids of the photos, by their links */
async function servePhotos(links: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [at, link] of links.entries()) {
    const file = await jpeg(20 + at, 20);
    server.photo(link.slice(link.indexOf('/files')), file);
    ids.set(link, hashOf(file));
  }
  return ids;
}

test.each(oldShops)(
  'a whole export of $source is right in every field, changes nothing the second time, and is undone',
  { timeout: inTimeMs },
  async ({ source, exportOf, addressOf, altOf }) => {
    const shop = await openOwnShop({ web: server.web });
    try {
      const calls = importCalls(shop, await shop.signIn({ role: 'ROLE_ADMIN' }));
      const old = oldProducts(`photos.example:${server.port}`);
      const photoIds = await servePhotos([...new Set(old.flatMap(({ photos }) => photos))]);
      await shop.stock();
      const before = await dumpProducts(shop.pool);
      const file = exportOf(old);

      const preview = await timed(() => calls.preview(file));
      const { id } = preview.result;
      expect(preview.result.rows).toEqual({ new: 1400, changed: 0, unchanged: 0, wrong: 0 });
      const run = await timed(() => calls.run(id));
      const photos = await timed(async () => {
        for (let rounds = 0; rounds < 400 && (await countPhotoFetches(shop.db, id)).waiting > 0; rounds += 1) {
          await shop.jobs.fetchPhotos();
          await shop.jobs.makePictures();
        }
      });
      const counts = await countPhotoFetches(shop.db, id);
      expect(counts).toMatchObject({ waiting: 0, failed: 0 });
      expect(await compareMoved(shop.pool, { products: old, photoIds, altOf })).toEqual([]);
      for (const product of old) {
        const sku = product.variants[0]?.sku;
        const { rows } = await shop.pool.query<{ slug: string }>('select slug from products where sku = $1', [sku]);
        expect(await findAliased(shop.db, addressOf(product))).toBe(`/p/${rows[0]?.slug}`);
      }

      const after = await dumpProducts(shop.pool);
      server.asked.splice(0);
      const again = await calls.preview(file);
      expect(again.rows).toEqual({ new: 0, changed: 0, unchanged: 1400, wrong: 0 });
      await calls.run(again.id);
      await shop.jobs.fetchPhotos();
      expect(server.asked).toEqual([]);
      expect(await dumpProducts(shop.pool)).toEqual(after);

      const undo = await timed(() => calls.undo(id));
      expect(await calls.readImport(id)).toMatchObject({ state: 'undone', kept: [] });
      expect(await onSale(before)).toEqual(before);

      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
      const [previewed, ran, loaded, back] = [preview, run, photos, undo].map(({ ms }) => seconds(ms));
      const figures = `preview ${previewed}, rows ${ran}, ${counts.done} photos ${loaded}, undo ${back}`;
      process.stderr.write(`${source}: ${figures}\n`);

      async function onSale(lines: readonly string[]): Promise<string[]> {
        const { rows } = await shop.pool.query<{ id: string }>('select id from products where archived_at is null');
        expect(rows).toHaveLength(lines.length);
        return dumpProducts(
          shop.pool,
          rows.map((row) => row.id),
        );
      }
    } finally {
      await shop.close();
    }
  },
);
