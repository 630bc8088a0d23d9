import type { Schema } from '../../shared/contract';
import { aboutOrders } from '../../shared/deviceNames';
import { pageSize } from '../../shared/paging';
import { listen, stopAll } from '../browser/listen';
import { answer, api } from '../server/client';
import { whenOwnOrdersChange } from '../server/live';
import { reachability } from '../server/reachability';
import { session } from '../server/session';
import { db, type SavedOrder } from './db';

/** A page of orders; `savedAt` when it is the device's, in ms: the time behind 'Last updated'. */
export type Orders = Schema<'OrderPage'> & { savedAt?: number };

/** How many of a user's orders can be read without a connection. Rule: docs/rules/offline.md, What is on the device */
const mostOrders = 50;

/**
 * Keeps the signed-in user's last orders on this device: fetched at the start, when one of them changes, and, where the
 * last time failed, as soon as the shop can be reached again.
 * @returns how to stop
 */
export function keepOrders(): () => void {
  let savedFor: string | undefined;
  let hasFailed = false;
  const save = () => {
    savedFor = session.get()?.id;
    hasFailed = false;
    if (savedFor !== undefined) void saveOrders(savedFor).catch(() => (hasFailed = true));
  };
  const saveIfFailed = () => {
    if (hasFailed && reachability.isOnline()) save();
  };
  void sweepOrders().catch(() => undefined); // what cannot be opened has nothing to sweep, or the next start comes
  save();
  return stopAll(
    session.subscribe(() => session.get()?.id !== savedFor && save()),
    whenOwnOrdersChange(save),
    reachability.subscribe(saveIfFailed),
    listen(window, 'focus', saveIfFailed),
  );
}

/** Fetches the user's last orders and keeps them on this device in place of those it had. */
async function saveOrders(userId: string): Promise<void> {
  await db.ready(); // without storage, nothing is asked for
  const params = { path: { userId }, query: { page: 0, size: mostOrders } };
  const { orders } = await answer(api.GET('/public/order/customerorders/{userId}', { params }));
  const rows: SavedOrder[] = orders.content.map((order) => ({ ...order, userId }));
  await db.transaction('rw', db.orders, db.about, async () => {
    if (session.stored()?.id !== userId) return; // signed out in another tab meanwhile
    await db.orders.where({ userId }).delete();
    await db.orders.bulkPut(rows);
    await db.about.put({ key: aboutOrders(userId), savedAt: Date.now() });
  });
}

/**
 * @param page from 1
 * @returns what this device has of it, newest first; undefined when it has no orders of this user
 */
export async function findSavedOrders(userId: string, page: number): Promise<Orders | undefined> {
  await db.ready();
  const about = await db.about.get(aboutOrders(userId));
  if (about?.savedAt === undefined) return undefined;
  const rows = await db.orders.where({ userId }).toArray();
  rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)); // the server's times, as text
  const totalPages = Math.ceil(rows.length / pageSize);
  return {
    content: rows.slice((page - 1) * pageSize, page * pageSize),
    pageable: { pageNumber: page - 1, totalPages },
    totalPages,
    totalElements: rows.length,
    savedAt: about.savedAt,
  };
}

/** @returns one of the orders that this device keeps for the user */
export async function findSavedOrder(userId: string, orderId: string): Promise<Schema<'Order'> | undefined> {
  await db.ready();
  const row = await db.orders.get(orderId);
  return row?.userId === userId ? row : undefined;
}

export async function forgetOrders(userId: string): Promise<void> {
  await db.ready();
  await db.transaction('rw', db.orders, db.about, async () => {
    await db.orders.where({ userId }).delete();
    await db.about.delete(aboutOrders(userId));
  });
}

/** Deletes orders that remained because a tab was killed during a logout. */
async function sweepOrders(): Promise<void> {
  await db.ready();
  await db.transaction('rw', db.orders, db.about, async () => {
    const userId = session.stored()?.id ?? '';
    await db.orders.where('userId').notEqual(userId).delete();
    const abouts = db.about.where('key').startsWith(aboutOrders(''));
    await abouts.and(({ key }) => key !== aboutOrders(userId)).delete();
  });
}
