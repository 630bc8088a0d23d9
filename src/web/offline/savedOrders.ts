import type { Schema } from '../../shared/contract';
import { pageSize } from '../../shared/paging';
import { answer, api } from '../api/client';
import { session } from '../api/session';
import { db, type SavedOrder } from './db';

/** A page of orders; `savedAt` when it is the device's, in ms: the time behind 'Last updated'. */
export type Orders = Schema<'OrderPage'> & { savedAt?: number };

/** How many of a user's orders can be read without a connection. Source: decisions §6 */
const mostOrders = 50;

const aboutKey = (userId: string) => `orders:${userId}`;

/** Fetches the user's last orders and keeps them on this device in place of those it had. */
export async function saveOrders(userId: string): Promise<void> {
  await db.ready(); // where nothing can be kept, nothing is asked for
  const params = { path: { userId }, query: { page: 0, size: mostOrders } };
  const { orders } = await answer(api.GET('/public/order/customerorders/{userId}', { params }));
  const rows: SavedOrder[] = orders.content.map((order) => ({ ...order, userId }));
  await db.transaction('rw', db.orders, db.about, async () => {
    if (session.stored()?.id !== userId) return; // signed out in another tab meanwhile
    await db.orders.where({ userId }).delete();
    await db.orders.bulkPut(rows);
    await db.about.put({ key: aboutKey(userId), savedAt: Date.now() });
  });
}

/**
 * @param page from 1
 * @returns what this device has of it, newest first; undefined when it has no orders of this user
 */
export async function findSavedOrders(userId: string, page: number): Promise<Orders | undefined> {
  await db.ready();
  const about = await db.about.get(aboutKey(userId));
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
    await db.about.delete(aboutKey(userId));
  });
}

/** A tab that is killed while its user logs out leaves orders behind: they go at the next start. */
export async function sweepOrders(): Promise<void> {
  await db.ready();
  await db.transaction('rw', db.orders, db.about, async () => {
    const userId = session.stored()?.id ?? '';
    await db.orders.where('userId').notEqual(userId).delete();
    const abouts = db.about.where('key').startsWith(aboutKey(''));
    await abouts.and(({ key }) => key !== aboutKey(userId)).delete();
  });
}
