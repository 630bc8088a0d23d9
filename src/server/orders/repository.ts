import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { orderItems, orders, orderTimeline, paymentSessions, users, type OrderStatus } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import type { PageRequest } from '../http/paging';

export type OrderRow = typeof orders.$inferSelect;
export type OrderItemRow = typeof orderItems.$inferSelect;
export type TimelineRow = { status: OrderStatus; at: Date; by: string | null };
export type FullOrder = OrderRow & { items: OrderItemRow[]; timeline: TimelineRow[]; paymentUrl: string | null };

/** Which orders a list shows. */
export type OrderFilter = { userId?: string; status?: OrderStatus };

/** A page of orders, newest first, with all that belongs to them: four queries for any number of orders. */
export async function listOrders(connection: Connection, filter: OrderFilter, { page, size }: PageRequest) {
  const where = and(
    filter.userId ? eq(orders.userId, filter.userId) : undefined,
    filter.status ? eq(orders.status, filter.status) : undefined,
  );
  const [rows, [total]] = await Promise.all([
    connection
      .select()
      .from(orders)
      .where(where)
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(size)
      .offset(page * size),
    connection.select({ orders: count() }).from(orders).where(where),
  ]);
  return { content: await withParts(connection, rows), totalElements: total?.orders ?? 0 };
}

export async function findOrder(connection: Connection, orderId: string): Promise<FullOrder | undefined> {
  const rows = await connection.select().from(orders).where(eq(orders.id, orderId));
  const [order] = await withParts(connection, rows);
  return order;
}

/** @returns the order, locked for the rest of the transaction */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  return order;
}

/** The customer's order that waits for its payment: there is one at most. */
export async function findOpenOrder(connection: Connection, userId: string) {
  const [open] = await connection
    .select({ order: orders, payment: paymentSessions })
    .from(orders)
    .innerJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .where(and(eq(orders.userId, userId), eq(orders.status, 'PENDING_PAYMENT')));
  return open;
}

export type NewOrder = Omit<typeof orders.$inferInsert, 'orderNumber' | 'status'> & {
  items: readonly (typeof orderItems.$inferInsert)[];
};

/** Writes a new order that waits for its payment. @returns its number */
export async function insertOrder(tx: Tx, { items, ...order }: NewOrder): Promise<string> {
  const [written] = await tx
    .insert(orders)
    .values({ ...order, status: 'PENDING_PAYMENT', orderNumber: sql`nextval('order_numbers')::text` })
    .returning({ orderNumber: orders.orderNumber });
  await tx.insert(orderItems).values([...items]);
  await tx
    .insert(orderTimeline)
    .values({ orderId: order.id, status: 'PENDING_PAYMENT', byUserId: order.userId, at: order.createdAt });
  return written?.orderNumber ?? '';
}

export type StatusChange = { status: OrderStatus; byUserId: string | null; at: Date; note?: string };

/** Moves an order and writes its timeline. The order is locked, and the move is legal. */
export async function moveOrder(tx: Tx, orderId: string, { status, byUserId, at, note }: StatusChange): Promise<void> {
  await tx
    .update(orders)
    .set({ status, ...(status === 'PAID' && byUserId === null && { paidAt: at }) })
    .where(eq(orders.id, orderId));
  await tx.insert(orderTimeline).values({ orderId, status, byUserId, at, note: note ?? null });
}

export async function findLines(connection: Connection, orderId: string) {
  return connection
    .select({ productId: orderItems.productId, units: orderItems.quantity })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.position));
}

/** The last two steps of an order, newest first. */
export async function findLastSteps(connection: Connection, orderId: string) {
  return connection
    .select({ status: orderTimeline.status, byUserId: orderTimeline.byUserId, at: orderTimeline.at })
    .from(orderTimeline)
    .where(eq(orderTimeline.orderId, orderId))
    .orderBy(desc(orderTimeline.id))
    .limit(2);
}

async function withParts(connection: Connection, rows: readonly OrderRow[]): Promise<FullOrder[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  // one after the other: inside a transaction they share its connection
  const items = await connection
    .select()
    .from(orderItems)
    .where(inArray(orderItems.orderId, ids))
    .orderBy(asc(orderItems.position));
  const timeline = await connection
    .select({
      orderId: orderTimeline.orderId,
      status: orderTimeline.status,
      at: orderTimeline.at,
      by: users.fullName,
    })
    .from(orderTimeline)
    .leftJoin(users, eq(users.id, orderTimeline.byUserId))
    .where(inArray(orderTimeline.orderId, ids))
    .orderBy(asc(orderTimeline.id));
  const payments = await connection
    .select({ orderId: paymentSessions.orderId, url: paymentSessions.url })
    .from(paymentSessions)
    .where(inArray(paymentSessions.orderId, ids));
  const itemsOf = groupByOrder(items);
  const timelineOf = groupByOrder(timeline);
  const urlOf = new Map(payments.map(({ orderId, url }) => [orderId, url]));
  return rows.map((order) => ({
    ...order,
    items: itemsOf.get(order.id) ?? [],
    timeline: timelineOf.get(order.id) ?? [],
    paymentUrl: order.status === 'PENDING_PAYMENT' ? (urlOf.get(order.id) ?? null) : null,
  }));
}

function groupByOrder<Row extends { orderId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.orderId);
    if (group) group.push(row);
    else groups.set(row.orderId, [row]);
  }
  return groups;
}
