/** Devices of before, after the shop was restored from a backup. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categories, products } from '../../../src/server/db/schema/tables';
import { startEpochIn } from '../../support/restored';
import { openOwnShop, type Process, type TestShop } from '../../support/shop';

let shop: TestShop;
let restored: Process;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await restored.close();
  await shop.close();
});

const changesSince = async (since: number, { app }: Pick<Process, 'app'> = restored) => {
  const { data } = await shop.callerOf(app)('getCatalogChanges', { query: { since } });
  return data.changes;
};
async function restore(): Promise<void> {
  await restored?.close();
  await startEpochIn(shop);
  restored = await shop.openProcess();
}

test('a restored shop answers every position of before with the whole catalog', async () => {
  const [pepper, salt] = [await shop.stock({ name: 'Pepper' }), await shop.stock({ name: 'Salt' })];
  const { id: removed } = await shop.category();
  await shop.db.delete(categories).where(eq(categories.id, removed));
  const { next: before } = await changesSince(0, shop);
  await restore();
  const whole = await changesSince(0);
  expect(whole).toMatchObject({ startOver: true, more: false, removedCategoryIds: [] });
  expect(whole.products.map(({ id }) => id)).toEqual(expect.arrayContaining([pepper.id, salt.id]));
  // the former shop may have gone on for years after the backup
  for (const since of [1, before, before + 1, before + 1_000_000_000]) expect(await changesSince(since)).toEqual(whole);
});

test('from there on a device gets only changes, and everything again after the next restore', async () => {
  await restore();
  const { next } = await changesSince(0);
  expect(await changesSince(next)).toMatchObject({ startOver: false, products: [], categories: [] });
  const { id } = await shop.stock({ name: 'Sumac' });
  await shop.db.update(products).set({ name: 'Wild sumac' }).where(eq(products.id, id));
  await expect.poll(async () => (await changesSince(next)).products).toMatchObject([{ id, name: 'Wild sumac' }]);
  const { next: later } = await changesSince(next);
  expect(later).toBeGreaterThan(next);
  await restore();
  expect(await changesSince(later)).toMatchObject({ startOver: true, next: expect.toSatisfy((at) => at > later) });
});

test('the positions fit into a number, also after many restores', async () => {
  for (let restores = 0; restores < 20; restores++) await startEpochIn(shop);
  await restore();
  const { next } = await changesSince(0);
  expect(Number.isSafeInteger(next * 2)).toBe(true);
  expect(await changesSince(next)).toMatchObject({ startOver: false, products: [] });
});
