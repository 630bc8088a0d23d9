/** An order's lifecycle: its locks, status changes, and cancellation when unpaid. Used by payments and staff. */
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { holdMinutes } from '../../shared/holds';
import { lockCart } from '../cart/lines';
import { liveChanged, orderPaid } from '../db/core/changes';
import { orderItems, orders, orderTimeline, paymentSessions, users, type OrderStatus } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import { releaseStock } from '../stock/service';

export type OrderRow = typeof orders.$inferSelect;

/** A payment session lives as long as a first hold, just over the provider's minimum of 30 minutes. */
export const payableForMs = holdMinutes * 60_000;

/** @returns the order, locked for the rest of the transaction */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('no key update');
  return order;
}

/** Locks the customer's cart, then the order: the same lock order as placing one. */
export async function lockOrderAndCart(tx: Tx, orderId: string): Promise<(OrderRow & { email: string }) | undefined> {
  const customer = await findCustomer(tx, orderId);
  if (!customer) return undefined;
  await lockCart(tx, customer.userId);
  const order = await lockOrder(tx, orderId);
  return order && { ...order, email: customer.email };
}

/** The order's customer and their email address. */
export async function findCustomer(tx: Tx, orderId: string): Promise<{ userId: string; email: string } | undefined> {
  const [customer] = await tx
    .select({ userId: users.id, email: users.email })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(eq(orders.id, orderId));
  return customer;
}

export type StatusChange = { status: OrderStatus; byUserId: string | null; at: Date; note?: string };

/** Changes an order's status and writes its timeline. The caller has locked the order and checked that the change is legal. */
export async function moveOrder(tx: Tx, orderId: string, { status, byUserId, at, note }: StatusChange): Promise<void> {
  const isPaid = status === 'PAID' && byUserId === null; // not a staff member undoing a step
  const [updated] = await tx
    .update(orders)
    .set({ status, ...(isPaid && { paidAt: at }) })
    .where(eq(orders.id, orderId))
    .returning({ userId: orders.userId });
  await tx.insert(orderTimeline).values({ orderId, status, byUserId, at, note: note ?? null });
  if (updated && isPaid) orderPaid(tx, updated.userId, orderId);
  else if (updated) liveChanged(tx, updated.userId, 'orders');
}

type Cancellation = {
  note: string;
  /** The person who canceled it. */
  byUserId?: string;
};

/** Cancels an unpaid order and releases its stock, once. The order is locked, and its session can no longer be paid. */
export async function cancelOrder(
  tx: Tx,
  order: OrderRow,
  now: Date,
  { note, byUserId: canceler }: Cancellation,
): Promise<void> {
  const lines = await findLines(tx, order.id);
  await releaseStock(tx, { orderId: order.id, lines, now });
  // an event or the sweeper may get here first; the timeline still names the staff member who ended the hold
  const endedBy = sql<string | null>`(select ended_by from holds where holds.order_id = ${order.id})`;
  const [payment] = await tx
    .update(paymentSessions)
    .set({ state: 'expired' })
    .where(eq(paymentSessions.orderId, order.id))
    .returning({ endedBy });
  const endedByStaff = payment?.endedBy ?? null;
  const cancelNote = endedByStaff === null ? note : 'The items were put back in stock';
  const byUserId = endedByStaff ?? canceler ?? null;
  await moveOrder(tx, order.id, { status: 'CANCELLED', byUserId, at: now, note: cancelNote });
}

/** A person who cancels an unpaid order, and the timeline's note about it. */
export type Canceler = { as: keyof typeof notesOfCanceler; userId: string };
export const notesOfCanceler = { customer: 'Canceled by the customer', staff: 'Canceled by staff' } as const;

/** Whether a person canceled this order: a payment that still arrives is refunded. */
export async function isCanceledByPerson(tx: Tx, { id }: OrderRow): Promise<boolean> {
  const [last] = await tx
    .select({ note: orderTimeline.note })
    .from(orderTimeline)
    .where(and(eq(orderTimeline.orderId, id), eq(orderTimeline.status, 'CANCELLED')))
    .orderBy(desc(orderTimeline.id))
    .limit(1);
  return Object.values<string | null | undefined>(notesOfCanceler).includes(last?.note);
}

/**
 * An event of the session that the person's call ended may have canceled the order before the call did.
 * @returns whether it did, and names no person yet
 */
export async function nameCanceler(
  tx: Tx,
  { id }: OrderRow,
  words: { byUserId: string; note: string },
): Promise<boolean> {
  const byTheShop = and(
    eq(orderTimeline.orderId, id),
    eq(orderTimeline.status, 'CANCELLED'),
    isNull(orderTimeline.byUserId),
  );
  const named = await tx.update(orderTimeline).set(words).where(byTheShop).returning({ id: orderTimeline.id });
  return named.length > 0;
}

export async function findLines(connection: Connection, orderId: string) {
  return connection
    .select({ productId: orderItems.productId, units: orderItems.quantity })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.position));
}
