/**
 * The one finaliser. The webhook, the return page and the sweeper all call it, any number of times and in any order. It
 * compares the provider's state of a session with the order, under the order's lock, and does what is missing. The
 * state is always fetched from the provider, never taken from an event, so a late or repeated event cannot undo
 * anything.
 * Rule: docs/rules/orders-and-payment.md, Finishing a payment
 */
import { and, eq } from 'drizzle-orm';
import { raiseAlarm } from '../alarms/service';
import { takeOrderedUnits } from '../cart/lines';
import {
  orders,
  paymentEvents,
  paymentSessions,
  type PaymentEventOutcome,
  type PaymentSessionState,
} from '../db/schema/tables';
import { transact, type Tx } from '../db/core/transact';
import { liveChanged } from '../db/core/changes';
import { writeMail } from '../mail/outbox';
import {
  cancelOrder,
  findLines,
  isCanceledByPerson,
  lockOrderAndCart,
  moveOrder,
  type OrderRow,
} from '../orders/lifecycle';
import { notifyOfOrder, type StaffMailParts } from '../staffMails/service';
import { sellFromShelf, sellHeldStock } from '../stock/service';
import { uuidPattern } from '../core/ids';
import { finishRefundsOf, refundAfterCancel, refundStray, refundUndeliverable } from './autoRefunds';
import { paidPartsOf } from './chargedParts';
import { currency, type PaymentParts, type ProviderSession } from './provider';
import type { ProviderEvent } from './providerEvents';

export type SettledPayment = { outcome: PaymentEventOutcome; reason?: string; orderId?: string };

/**
 * @param session as just fetched from the provider
 * @param event the event that led here, if any: its id is stored in the transaction of its effect
 */
export async function settlePayment(
  parts: PaymentParts,
  session: ProviderSession,
  event?: ProviderEvent,
): Promise<SettledPayment> {
  const result = await transact(parts.db, async (tx) => {
    const now = parts.clock.now();
    if (event && !(await claimEvent(tx, event, now))) return { outcome: 'done' as const };
    const settled = await settle(tx, parts, session, now);
    if (event) await recordOutcome(tx, event, settled);
    if (settled.outcome === 'refused') await alarmRefused(tx, `session:${session.id}:${settled.reason}`, settled, now);
    return settled;
  });
  if (result.orderId !== undefined) await finishRefundsOf(parts, result.orderId);
  return result;
}

/** Raises an alarm: the event or session is genuine, but its payment does not match what the shop requested. */
export async function alarmRefused(
  tx: Tx,
  about: string,
  { reason, orderId }: SettledPayment,
  now: Date,
): Promise<void> {
  if (reason === secondSession) return; // it has its own alarm
  const detail = `The payment provider reported a payment we didn't accept: ${reason}`;
  await raiseAlarm(tx, { kind: 'event_refused', about, orderId, detail, now });
}

const secondSession = 'a different session for this order';

async function settle(tx: Tx, parts: StaffMailParts, session: ProviderSession, now: Date): Promise<SettledPayment> {
  const order = await lockOrderOf(tx, session);
  if (!order) return { outcome: 'refused', reason: 'unknown reference' };
  const refused = { outcome: 'refused' as const, orderId: order.id };
  if (order.sessionId !== null && order.sessionId !== session.id) {
    if (!session.isPaid) return { outcome: 'ignored', orderId: order.id, reason: secondSession };
    await refundStray(tx, order, session, now);
    return { ...refused, reason: secondSession };
  }
  if (session.currency !== currency) return { ...refused, reason: 'different currency' };
  if (session.amountCents !== order.totalCents) return { ...refused, reason: 'different amount' };
  // lines are not compared: the provider spreads a discount over all of them
  if (session.discountCents !== discountOf(order)) return { ...refused, reason: 'different discount' };
  // the response with the session's id may have been lost
  if (order.sessionId === null)
    await updatePayment(tx, order.id, { sessionId: session.id, url: session.url ?? null, state: 'open' });

  if (session.isPaid) await settlePaid(tx, parts, order, session, now);
  else if (session.status === 'expired') await settleExpired(tx, order, now);
  return { outcome: 'done', orderId: order.id };
}

async function settlePaid(
  tx: Tx,
  parts: StaffMailParts,
  order: LockedOrder,
  session: ProviderSession,
  now: Date,
): Promise<void> {
  if (order.status !== 'PENDING_PAYMENT' && order.status !== 'CANCELLED') return; // done before
  // decided once: the refund may have begun, even if there is stock again by now
  if (order.status === 'CANCELLED' && order.paymentState === 'paid') return;
  await updatePayment(tx, order.id, { state: 'paid', paymentIntentId: session.paymentIntentId ?? null });
  const lines = await findLines(tx, order.id);
  if (order.status === 'CANCELLED' && (await isCanceledByPerson(tx, order))) {
    await tx.update(orders).set({ paidAt: now }).where(eq(orders.id, order.id));
    return refundAfterCancel(tx, order, now);
  }
  if (order.status === 'CANCELLED') {
    const missing = await sellFromShelf(tx, { orderId: order.id, lines, now });
    if (missing.length > 0) {
      await tx.update(orders).set({ paidAt: now }).where(eq(orders.id, order.id)); // it was paid, but cannot be delivered
      return refundUndeliverable(tx, order, now);
    }
  } else {
    await sellHeldStock(tx, { orderId: order.id, lines, now });
  }
  await moveOrder(tx, order.id, { status: 'PAID', byUserId: null, at: now });
  await takeOrderedUnits(tx, order.cartId, lines);
  liveChanged(tx, order.userId, 'cart');
  const { id: orderId, userId, email: recipient } = order;
  const about = `order_confirmation:${orderId}`;
  await writeMail(tx, { kind: 'order_confirmation', about, recipient, userId, orderId, now });
  await notifyOfOrder(tx, parts, { orderId, now });
}

async function settleExpired(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  if (order.status === 'PENDING_PAYMENT') await cancelOrder(tx, order, now, { note: 'The payment page expired' });
}

const discountOf = (order: OrderRow): number => paidPartsOf(order).discount?.cents ?? 0;

type LockedOrder = OrderRow & { sessionId: string | null; paymentState: PaymentSessionState; email: string };

async function lockOrderOf(tx: Tx, session: ProviderSession): Promise<LockedOrder | undefined> {
  const order = isOrderId(session.orderId) ? await lockOrderAndCart(tx, session.orderId) : undefined;
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

/** @returns whether this event is new; a concurrent duplicate waits here until the first one's effect is committed */
export async function claimEvent(tx: Tx, event: ProviderEvent, now: Date): Promise<boolean> {
  const claimed = await tx
    .insert(paymentEvents)
    .values({ id: event.id, type: event.type, outcome: 'done', isFetched: event.isFetched, receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  if (claimed.length === 0 && !event.isFetched) await noteWebhook(tx, event);
  return claimed.length > 0;
}

/** The list was read before the webhook arrived: the webhook works (watch.ts). */
const noteWebhook = (tx: Tx, { id }: ProviderEvent) =>
  tx
    .update(paymentEvents)
    .set({ isFetched: false })
    .where(and(eq(paymentEvents.id, id), eq(paymentEvents.isFetched, true)));

export async function recordOutcome(
  tx: Tx,
  event: ProviderEvent,
  { outcome, reason, orderId }: SettledPayment,
): Promise<void> {
  await tx
    .update(paymentEvents)
    .set({ outcome, reason: reason ?? null, orderId: orderId ?? null })
    .where(eq(paymentEvents.id, event.id));
}
