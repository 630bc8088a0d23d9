/** Changes of one product's photos at the same time. Rule: docs/rules/catalog.md, Photos */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lockProduct, lockProducts } from '../../../src/server/catalog/repository';
import { transact, type Tx } from '../../../src/server/db/core/transact';
import { pictures, products } from '../../../src/server/db/schema/tables';
import { lockPhotosOf, savePhotos } from '../../../src/server/pictures/photos';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

/** Runs `second` while `first` holds the product's lock, which changes the product then. @returns what `second` read */
async function whileLocked<Result>(
  productId: string,
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let read: Promise<Result> | undefined;
  await transact(shop.db, async (tx) => {
    await lockPhotosOf(tx, productId);
    read = transact(shop.db, second);
    await vi.waitFor(async () => {
      const { rows } = await shop.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    }, 10_000);
    await first(tx);
  });
  return read as Promise<Result>;
}

const photo = { hash: 'a'.repeat(32), widths: [160], placeholder: '#aabbcc', alt: 'front' };

async function addFirst(tx: Tx, productId: string): Promise<void> {
  await tx.insert(pictures).values({ ...photo, width: 160, height: 160, createdAt: shop.clock.now() });
  await savePhotos(tx, productId, [photo]);
}

test('a photo waits for another one, and sees the first photo that became ready meanwhile', async () => {
  const { id } = await shop.stock();
  const seen = await whileLocked(
    id,
    (tx) => addFirst(tx, id),
    (tx) => lockPhotosOf(tx, id),
  );
  expect(seen).toEqual([photo]);
});

test('a form waits for another one, and finds the product in its new category with its new picture', async () => {
  const [{ id }, other] = [await shop.stock(), await shop.category()];
  const move = (tx: Tx) =>
    tx.update(products).set({ categoryId: other.id, pictureHash: photo.hash }).where(eq(products.id, id));
  const found = await whileLocked(id, move, (tx) => lockProduct(tx, id));
  expect(found).toMatchObject({ id, category: { id: other.id }, picture: { hash: photo.hash } });
  const { id: second } = await shop.stock();
  const moveToo = (tx: Tx) => tx.update(products).set({ categoryId: other.id }).where(eq(products.id, second));
  const all = await whileLocked(second, moveToo, (tx) => lockProducts(tx, [second]));
  expect(all).toMatchObject([{ id: second, category: { id: other.id } }]);
});
