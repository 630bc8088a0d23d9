/** A device whose shop was restored from a backup. */
import { randomUUID } from 'node:crypto';
import { QueryClient } from '@tanstack/react-query';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { catalogChannel } from '../../../src/shared/deviceNames';
import { createChannel } from '../../../src/web/browser/channel';
import { readCatalog } from '../../../src/web/device/catalog';
import { db } from '../../../src/web/device/db';
import { kitchen } from '../../../src/web/device/lists';
import { followCatalog, syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { outbox } from '../../../src/web/outbox/outbox';
import { placeOrder, putInCart } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { startEpochIn } from '../../support/restored';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, emptyCatalog, openTab, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  allowCallsElsewhere(); // to the card provider
  shop = await openOwnShop();
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create } = listsOf(() => shop);
const answersOf = ({ userId }: Person) => localStorage.getItem(`answers:${userId}`) ?? '';

/** Of a customer with a cart, a list, and an order. @returns once all of it is on the device */
async function deviceOf(ana: Person): Promise<void> {
  tab = openTab(shop, '/cart', { as: ana });
  await vi.waitFor(async () => {
    expect(await db.orders.where({ userId: ana.userId }).count()).toBe(1);
    expect((await kitchen.lists.get(ana.userId))?.lists).toHaveLength(1);
    expect(answersOf(ana)).toContain('cartItems');
  }, waiting);
  await syncCatalog(journal);
}

async function buyer(): Promise<{ ana: Person; productId: string }> {
  const { id: productId } = await shop.stock({ name: 'Pepper' });
  const ana = await shop.signIn();
  await putInCart(shop, ana, productId);
  await placeOrder(shop, ana);
  await create(ana, randomUUID());
  return { ana, productId };
}

/** The shop as of the backup: without the order and the list. */
async function restore(productId: string): Promise<void> {
  await startEpochIn(shop);
  await shop.pool.query('delete from list_items; delete from lists');
  await shop.db.update(products).set({ name: 'Pepper of before' }).where(eq(products.id, productId));
  await shop.untilTold();
}

test('after a restore the device has what the shop has, and sends its unsent changes once', async () => {
  const { ana, productId } = await buyer();
  const { id: added } = await shop.stock({ name: 'Sumac' });
  await deviceOf(ana);
  tab.network.breaks = /\/public\/cart\//;
  await outbox.send('addCartItem', { userId: ana.userId, item: { productId: added, quantity: 2 } });
  expect(await db.outbox.count()).toBe(1);

  await db.products.update(productId, { name: 'Of another past' });
  await db.orders.put({ ...(await firstOrder()), orderId: randomUUID(), id: randomUUID() } as never);
  await kitchen.changes.put({ key: 'one', userId: ana.userId, at: Date.now(), change: { kind: 'new' } as never });
  localStorage.setItem('in-step', JSON.stringify({ userId: ana.userId, at: 1 }));
  await restore(productId);

  const stop = followCatalog(tab.cache, journal);
  await vi.waitFor(async () => {
    expect((await readCatalog())?.products.find(({ id }) => id === productId)?.name).toBe('Pepper of before');
    expect(await db.orders.count()).toBe(1);
    expect((await kitchen.lists.get(ana.userId))?.lists).toEqual([]);
    expect(await kitchen.changes.count()).toBe(0);
  }, waiting);
  expect(localStorage.getItem('in-step') ?? '').not.toContain('"at":1}');
  expect(await db.outbox.toArray(), 'what waits stays').toMatchObject([{ operation: 'addCartItem' }]);

  tab.network.breaks = undefined;
  await outbox.flush();
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0), waiting);
  const { data } = await shop.call('getCart', { as: ana, path: { userId: ana.userId } });
  const units = data.cartResponse.cartItems.filter((line) => line.productId === added).map(({ quantity }) => quantity);
  expect(units).toEqual([2]);
  stop();
});

const firstOrder = async () => (await db.orders.toArray())[0];

test('a tab that closes before the catalog is saved leaves nothing of before to the next', async () => {
  const { ana, productId } = await buyer();
  await deviceOf(ana);
  await restore(productId);
  await db.orders.put({ ...(await firstOrder()), orderId: randomUUID(), id: randomUUID() } as never);
  const write = vi.spyOn(db.products, 'bulkPut').mockRejectedValueOnce(new Error('closed'));
  await expect(syncCatalog(journal)).rejects.toThrow();
  write.mockRestore();
  await kitchen.changes.put({ key: 'two', userId: ana.userId, at: Date.now(), change: { kind: 'new' } as never });
  await syncCatalog(journal);
  expect(await kitchen.changes.count()).toBe(0);
  await vi.waitFor(async () => expect(await db.orders.count()).toBe(1), waiting);
});

test('a tab that is told by another one deletes its answers, and reads everything again', async () => {
  const { ana } = await buyer();
  await deviceOf(ana);
  const stop = followCatalog(tab.cache, journal);
  await until(() => tab.isAtRest());
  const reads = () => tab.calls.filter(({ path }) => /customerorders|\/public\/cart\//.test(path)).length;
  const before = reads();
  localStorage.setItem('answers:someone-else', '{}');
  const otherTab = createChannel<string>(catalogChannel);
  otherTab.notify('restored');
  await until(() => reads() >= before + 2); // the cart on the screen, and the orders to save
  expect(localStorage.getItem('answers:someone-else')).toBeNull();
  otherTab.close();
  stop();
});

test('the tab that reads the feed reads everything again, and a first visit deletes nothing', async () => {
  const { ana, productId } = await buyer();
  await deviceOf(ana);
  const others = new QueryClient();
  others.setQueryData(['user', ana.userId, 'cart'], {});
  const stop = followCatalog(others, journal);
  await until(() => tab.isAtRest());
  await restore(productId);
  await syncCatalog(journal);
  await until(() => others.getQueryState(['user', ana.userId, 'cart'])?.isInvalidated === true);
  stop();

  await emptyCatalog();
  await kitchen.changes.put({ key: 'three', userId: ana.userId, at: Date.now(), change: { kind: 'new' } as never });
  await syncCatalog(journal);
  expect(await kitchen.changes.count()).toBe(1);
});
