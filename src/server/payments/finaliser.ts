/**
 * The one finaliser. The webhook, the return page and the sweeper all end here, any number of times and in any order:
 * it compares what the provider says of a session with the order, under the order's lock, and does what is missing.
 * The provider's word is fetched, never taken from an event, so a late or repeated event cannot move anything back.
 * Source: decisions §7
 */
import { and, eq } from 'drizzle-orm';
import { lockCart, takeOrderedUnits } from '../cart/repository';
import type { Clock } from '../clock';
import {
  orders,
  paymentEvents,
  paymentSessions,
  type PaymentEventOutcome,
  type PaymentSessionState,
} from '../db/schema';
import { transact, type Db, type Tx } from '../db/transact';
import { findLines, lockOrder, moveOrder, type OrderRow } from '../orders/repository';
import { releaseStock, sellFromShelf, sellHeldStock } from '../stock/service';
import { uuidPattern } from '../ids';
import { currency, type Payments, type ProviderEvent, type ProviderSession } from './provider';

export type FinaliserParts = { db: Db; clock: Clock; payments: Payments };
export type Finalised = { outcome: PaymentEventOutcome; reason?: string; orderId?: string };

/**
 * @param session as the provider just described it
 * @param event the event that told us, if one did: its id is stored in the transaction of its effect
 */
export async function finalise(
  parts: FinaliserParts,
  session: ProviderSession,
  event?: ProviderEvent,
): Promise<Finalised> {
  await refundStray(parts, session);
  const result = await transact(parts.db, async (tx) => {
    const now = parts.clock.now();
    if (event && !(await claimEvent(tx, event, now))) return { outcome: 'done' as const };
    const done = await settle(tx, session, now);
    if (event) await recordOutcome(tx, event, done);
    return done;
  });
  // outside the transaction, since it asks the provider; the sweeper does it if this process ends here
  if (result.orderId !== undefined) await refundIfDue(parts, result.orderId);
  return result;
}

async function settle(tx: Tx, session: ProviderSession, now: Date): Promise<Finalised> {
  const order = await lockOrderOf(tx, session);
  if (!order) return { outcome: 'refused', reason: 'unknown reference' };
  const refused = { outcome: 'refused' as const, orderId: order.id };
  if (order.sessionId !== null && order.sessionId !== session.id)
    return { ...refused, reason: 'another session of this order' };
  if (session.currency !== currency) return { ...refused, reason: 'another currency' };
  if (session.amountCents !== order.totalCents) return { ...refused, reason: 'another amount' };
  // the answer that told us the session's id may have been lost
  if (order.sessionId === null)
    await updatePayment(tx, order.id, { sessionId: session.id, url: session.url ?? null, state: 'open' });

  if (session.isPaid) await settlePaid(tx, order, session, now);
  else if (session.status === 'expired') await settleExpired(tx, order, now);
  return { outcome: 'done', orderId: order.id };
}

async function settlePaid(tx: Tx, order: LockedOrder, session: ProviderSession, now: Date): Promise<void> {
  if (order.status !== 'PENDING_PAYMENT' && order.status !== 'CANCELLED') return; // done before
  // decided once: the money may be on its way back already, even if there is stock again by now
  if (order.status === 'CANCELLED' && order.paymentState === 'paid') return;
  await updatePayment(tx, order.id, { state: 'paid', paymentIntentId: session.paymentIntentId ?? null });
  const lines = await findLines(tx, order.id);
  if (order.status === 'CANCELLED') {
    const missing = await sellFromShelf(tx, { orderId: order.id, lines, now });
    if (missing.length > 0) return; // paid and no longer to be had: refundIfDue finds it
  } else {
    await sellHeldStock(tx, { orderId: order.id, lines, now });
  }
  await moveOrder(tx, order.id, { status: 'PAID', byUserId: null, at: now });
  await takeOrderedUnits(tx, order.cartId, lines);
}

async function settleExpired(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  if (order.status === 'PENDING_PAYMENT') await cancelOrder(tx, order, now, 'The payment page expired');
}

/** Ends an unpaid order and gives its stock back, once. The order is locked, and its session can no longer be paid. */
export async function cancelOrder(tx: Tx, order: OrderRow, now: Date, note: string): Promise<void> {
  const lines = await findLines(tx, order.id);
  await releaseStock(tx, { orderId: order.id, lines, now });
  await moveOrder(tx, order.id, { status: 'CANCELLED', byUserId: null, at: now, note });
  await updatePayment(tx, order.id, { state: 'expired' });
}

/** Gives the money back for an order that was paid after it had been cancelled and sold out. */
export async function refundIfDue({ db, clock, payments }: FinaliserParts, orderId: string): Promise<void> {
  const [due] = await db
    .select({ paymentIntentId: paymentSessions.paymentIntentId })
    .from(orders)
    .innerJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .where(and(eq(orders.id, orderId), eq(orders.status, 'CANCELLED'), eq(paymentSessions.state, 'paid')));
  if (!due?.paymentIntentId) return;
  const refundId = await payments.refund(`refund-${orderId}`, due.paymentIntentId);
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== 'CANCELLED') return;
    await updatePayment(tx, orderId, { state: 'refunded', refundId });
    await tx.update(orders).set({ refundedCents: order.totalCents }).where(eq(orders.id, orderId));
    await moveOrder(tx, orderId, {
      status: 'REFUNDED',
      byUserId: null,
      at: clock.now(),
      note: 'Paid too late: no longer in stock',
    });
  });
}

/**
 * A second session of an order can come into being when the provider failed while it opened the first one. Nobody was
 * given its page; should it be paid all the same, the money goes back before the event is stored.
 */
async function refundStray({ db, payments }: FinaliserParts, session: ProviderSession): Promise<void> {
  if (!session.isPaid || !session.paymentIntentId || !isOrderId(session.orderId)) return;
  const [known] = await db
    .select({ sessionId: paymentSessions.sessionId })
    .from(paymentSessions)
    .where(eq(paymentSessions.orderId, session.orderId));
  const isStray = known?.sessionId && known.sessionId !== session.id;
  if (isStray) await payments.refund(`stray-${session.id}`, session.paymentIntentId);
}

type LockedOrder = OrderRow & { sessionId: string | null; paymentState: PaymentSessionState };

/** Customer's cart first, then the order: the same order of locks as placing one. */
async function lockOrderOf(tx: Tx, session: ProviderSession): Promise<LockedOrder | undefined> {
  if (!isOrderId(session.orderId)) return undefined;
  const [known] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.id, session.orderId));
  if (!known) return undefined;
  await lockCart(tx, known.userId);
  const order = await lockOrder(tx, session.orderId);
  if (!order) return undefined;
  const [payment] = await tx
    .select({ sessionId: paymentSessions.sessionId, paymentState: paymentSessions.state })
    .from(paymentSessions)
    .where(eq(paymentSessions.orderId, order.id));
  return payment && { ...order, ...payment };
}

const isOrderId = (reference: string | undefined): reference is string =>
  reference !== undefined && uuidPattern.test(reference);

const updatePayment = (tx: Tx, orderId: string, change: Partial<typeof paymentSessions.$inferInsert>) =>
  tx.update(paymentSessions).set(change).where(eq(paymentSessions.orderId, orderId));

/** @returns whether this event is new; its twin waits here until the first one's effect is committed */
export async function claimEvent(tx: Tx, event: ProviderEvent, now: Date): Promise<boolean> {
  const claimed = await tx
    .insert(paymentEvents)
    .values({ id: event.id, type: event.type, outcome: 'done', receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  return claimed.length > 0;
}

export async function recordOutcome(
  tx: Tx,
  event: ProviderEvent,
  { outcome, reason, orderId }: Finalised,
): Promise<void> {
  await tx
    .update(paymentEvents)
    .set({ outcome, reason: reason ?? null, orderId: orderId ?? null })
    .where(eq(paymentEvents.id, event.id));
}
