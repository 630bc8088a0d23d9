/** What the orders' queries answer from this device, which keeps the last of them (device/orders.ts). */
import type { Schema } from '../../shared/contract';
import { aboutOrders } from '../../shared/deviceNames';
import { pageSize } from '../../shared/paging';

/** A page of orders; `savedAt` when it is the device's, in ms: the time behind 'Last updated'. */
export type Orders = Schema<'OrderPage'> & { savedAt?: number };

/**
 * @param page from 1
 * @returns what this device has of it, newest first; undefined when it has no orders of this user
 */
export async function findSavedOrders(userId: string, page: number): Promise<Orders | undefined> {
  const db = await openDatabase();
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
  const db = await openDatabase();
  const row = await db.orders.get(orderId);
  return row?.userId === userId ? row : undefined;
}

/** Dexie comes when it is needed, not before the page of the orders. */
const openDatabase = async () => (await import('../device/db')).db.ready();
