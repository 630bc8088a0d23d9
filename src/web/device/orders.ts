import { aboutOrders } from '../../shared/deviceStores';
import { listen, stopAll } from '../browser/listen';
import { answer, api } from '../server/client';
import { whenOwnOrdersChange } from '../server/live';
import { reachability } from '../server/reachability';
import { session, whenUserChanges } from '../server/session';
import { db, type SavedOrder } from './db';
import type { Journal } from './journal';
import { whenShopIsRestored } from './restoredShop';

/** How many of a user's orders are available offline. Rule: docs/rules/offline.md, What is on the device */
const maxOrders = 50;

/**
 * Keeps the signed-in user's latest orders on this device up to date: fetches them at start, when one of them changes
 * and, after a failure, as soon as the shop is reachable again.
 * @returns a function that stops it
 */
export function syncOrders(journal: Journal): () => void {
  let hasFailed = false;
  const save = () => {
    const userId = session.get()?.id;
    hasFailed = false;
    if (userId !== undefined) void saveOrders(userId, journal).catch(() => (hasFailed = true));
  };
  const saveIfFailed = () => hasFailed && reachability.isOnline() && save();
  void sweepOrders().catch(() => undefined); // ignore failures: the next start tries again
  save();
  return stopAll(
    whenUserChanges(save),
    whenOwnOrdersChange(save),
    whenShopIsRestored(save),
    reachability.subscribe(saveIfFailed),
    listen(window, 'focus', saveIfFailed),
  );
}

/** Fetches the user's latest orders and replaces the saved ones. */
async function saveOrders(userId: string, { noteOrders, noteStep }: Journal): Promise<void> {
  await db.ready(); // without storage, nothing is fetched
  const params = { path: { userId }, query: { page: 0, size: maxOrders } };
  const { orders } = await answer(api.GET('/public/order/customerorders/{userId}', { params }));
  const before = await db.orders.where({ userId }).toArray();
  await noteOrders(userId, before, orders.content).catch(() => undefined); // only the change report is lost
  const rows: SavedOrder[] = orders.content.map((order) => ({ ...order, userId }));
  await db.transaction('rw', db.orders, db.about, async () => {
    if (session.stored()?.id !== userId) return; // logged out in another tab meanwhile
    await db.orders.where({ userId }).delete();
    await db.orders.bulkPut(rows);
    await db.about.put({ key: aboutOrders(userId), savedAt: Date.now() });
  });
  noteStep('orders');
}

export async function clearOrders(userId: string): Promise<void> {
  await db.ready();
  await db.transaction('rw', db.orders, db.about, async () => {
    await db.orders.where({ userId }).delete();
    await db.about.delete(aboutOrders(userId));
  });
}

/**
 * Deletes the orders of everyone except the signed-in user: a tab may have been killed during a logout. It reads before
 * it writes, because there is almost never anything to delete.
 */
export async function sweepOrders(): Promise<void> {
  await db.ready();
  const userId = session.stored()?.id ?? '';
  const orders = () => db.orders.where('userId').notEqual(userId);
  const abouts = () =>
    db.about
      .where('key')
      .startsWith(aboutOrders(''))
      .and(({ key }) => key !== aboutOrders(userId));
  const [staleCount, staleAbouts] = await Promise.all([orders().count(), abouts().count()]);
  if (staleCount + staleAbouts === 0) return;
  await db.transaction('rw', db.orders, db.about, async () => {
    await orders().delete();
    await abouts().delete();
  });
}
