/** What an order goes through: its locks, its moves, and its end when nobody paid. Payments and staff move it here. */
import { asc, eq, sql } from 'drizzle-orm';
import { holdMinutes } from '../../shared/holds';
import { lockCart } from '../cart/lines';
import { liveChanged, orderPaid } from '../db/core/changes';
import { orderItems, orders, orderTimeline, paymentSessions, users, type OrderStatus } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import { releaseStock } from '../stock/service';

export type OrderRow = typeof orders.$inferSelect;

/** A payment session lives as long as a first hold, which is just over the provider's minimum of 30 minutes. */
export const payableForMs = holdMinutes * 60_000;

/** @returns the order, locked for the rest of the transaction */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  return order;
}

/** The order, and the customer's cart locked before it: the same order of locks as placing one. */
export async function lockOrderAndCart(tx: Tx, orderId: string): Promise<(OrderRow & { email: string }) | undefined> {
  const customer = await findCustomer(tx, orderId);
  if (!customer) return undefined;
  await lockCart(tx, customer.userId);
  const order = await lockOrder(tx, orderId);
  return order && { ...order, email: customer.email };
}

/** Whose order it is, and where their mails go. */
export async function findCustomer(tx: Tx, orderId: string): Promise<{ userId: string; email: string } | undefined> {
  const [customer] = await tx
    .select({ userId: users.id, email: users.email })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId));
  return customer;
}

export type StatusChange = { status: OrderStatus; byUserId: string | null; at: Date; note?: string };

/** Changes an order's status and writes its timeline. The order must be locked, and the change legal. */
export async function moveOrder(tx: Tx, orderId: string, { status, byUserId, at, note }: StatusChange): Promise<void> {
  const isPaid = status === 'PAID' && byUserId === null; // not taken back to it
  const [moved] = await tx
    .update(orders)
    .set({ status, ...(isPaid && { paidAt: at }) })
    .where(eq(orders.id, orderId))
    .returning({ userId: orders.userId });
  await tx.insert(orderTimeline).values({ orderId, status, byUserId, at, note: note ?? null });
  if (moved && isPaid) orderPaid(tx, moved.userId, orderId);
  else if (moved) liveChanged(tx, moved.userId, 'orders');
}

/** Ends an unpaid order and gives its stock back, once. The order is locked, and its session can no longer be paid. */
export async function cancelOrder(tx: Tx, order: OrderRow, now: Date, note: string): Promise<void> {
  const lines = await findLines(tx, order.id);
  await releaseStock(tx, { orderId: order.id, lines, now });
  // an event or the sweeper may be here first; the timeline says all the same that staff ended it
  const endedBy = sql<string | null>`(select ended_by from holds where holds.order_id = ${order.id})`;
  const [payment] = await tx
    .update(paymentSessions)
    .set({ state: 'expired' })
    .where(eq(paymentSessions.orderId, order.id))
    .returning({ endedBy });
  const byUserId = payment?.endedBy ?? null;
  const why = byUserId === null ? note : 'Its goods were put back on sale';
  await moveOrder(tx, order.id, { status: 'CANCELLED', byUserId, at: now, note: why });
}

export async function findLines(connection: Connection, orderId: string) {
  return connection
    .select({ productId: orderItems.productId, units: orderItems.quantity })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.position));
}
