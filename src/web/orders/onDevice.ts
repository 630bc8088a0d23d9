/** Answers the orders' queries from this device, which saves the latest orders (device/orders.ts). */
import type { Schema } from '../../shared/contract';
import { aboutOrders } from '../../shared/deviceStores';
import { pageSize } from '../../shared/paging';

/** A page of orders. `savedAt` (in ms) is set if it comes from the device: the time behind 'Last updated'. */
export type Orders = Schema<'OrderPage'> & { savedAt?: number };

/**
 * @param page from 1
 * @returns the saved orders of that page, newest first; undefined if the device has no orders of this user
 */
export async function findSavedOrders(userId: string, page: number): Promise<Orders | undefined> {
  const db = await openDatabase();
  const about = await db.about.get(aboutOrders(userId));
  if (about?.savedAt === undefined) return undefined;
  const rows = await db.orders.where({ userId }).toArray();
  rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)); // the server's ISO times compare as text
  const totalPages = Math.ceil(rows.length / pageSize);
  return {
    content: rows.slice((page - 1) * pageSize, page * pageSize),
    pageable: { pageNumber: page - 1, totalPages },
    totalPages,
    totalElements: rows.length,
    savedAt: about.savedAt,
  };
}

/** @returns an order of the user that is saved on this device */
export async function findSavedOrder(userId: string, orderId: string): Promise<Schema<'Order'> | undefined> {
  const db = await openDatabase();
  const row = await db.orders.get(orderId);
  return row?.userId === userId ? row : undefined;
}

/** Dexie is loaded on demand, not before the orders page. */
const openDatabase = async () => (await import('../device/db')).db.ready();
