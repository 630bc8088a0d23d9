/**
 * Refunds. The row is written first, under the order's lock, so that all refunds together never exceed what was paid. Then
 * the provider is called with the row's id. Then the row is marked done, with all its effects. A crash in between leaves a
 * row in the state `asked`: the sweeper finishes it, and reads the provider's list before it requests it again. Refunds by
 * staff, of late payments and of second payments all go this way; reconcile.ts records refunds made by hand at the
 * provider.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, isNull, lte, or, sum } from 'drizzle-orm';
import { formatMoney } from '../../shared/money';
import { raiseAlarm } from '../alarms/service';
import { writeAudit } from '../audit/service';
import { orders, paymentSessions, refunds, type OrderStatus } from '../db/schema/tables';
import { transact, type Connection, type Db, type Tx } from '../db/core/transact';
import { liveChanged } from '../db/core/changes';
import type { Actor } from '../http/contract/access';
import { conflict } from '../http/core/problems';
import { writeMail } from '../mail/outbox';
import { findCustomer, findLines, lockOrder, moveOrder, type OrderRow } from '../orders/lifecycle';
import { moveIfAllShipped } from '../orders/parcels';
import { keepUnitsTrue } from '../orders/refundedUnits';
import { orderNotFound } from '../orders/service';
import { restockSold } from '../stock/service';
import type { PaymentParts } from './provider';
import { RefundRefused } from './providerErrors';
import type { ProviderRefund } from './providerRefunds';
import {
  findRestockedUnits,
  ofOwnPayment,
  partsOfProviderRefund,
  computeRefund,
  type RefundSelection,
  writeRefundLines,
} from './refundParts';

export type RefundRow = typeof refunds.$inferSelect;
export type RefundRequest = {
  /** Derived from the caller's key: a repeated request is the same refund. */
  refundId: string;
  orderId: string;
  selection: RefundSelection;
  reason: string;
  /** For the customer; null: none. */
  customerNote: string | null;
  by: Actor & { userId: string };
};

const refundable: readonly OrderStatus[] = ['PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

/**
 * Refunds an order's payment or a part of it.
 * @returns the refund: `done`, or `asked` while the provider is unreachable
 * @throws Problem 404 order_not_found; 400 invalid_request; 409 not_refundable, refund_too_large, already_restocked, refund_refused
 */
export async function refundOrder(parts: PaymentParts, request: RefundRequest): Promise<RefundRow> {
  await transact(parts.db, (tx) => writeRequest(tx, request, parts.clock.now()));
  await finishRefund(parts, request.refundId).catch(leaveToSweeper);
  const refund = await findRefund(parts.db, request.refundId);
  if (!refund) throw new Error('a refund is missing');
  if (refund.state === 'failed') throw conflict('refund_refused', 'The payment provider declined this refund');
  return refund;
}

async function writeRequest(tx: Tx, request: RefundRequest, now: Date): Promise<void> {
  const { refundId, orderId, selection: what, reason, customerNote, by } = request;
  const order = await lockOrder(tx, orderId);
  if (!order) throw orderNotFound();
  const existing = await findRefund(tx, refundId);
  // a repeated click; a refund that was made and failed later still records what was restocked, so it is not made again
  if (existing && (existing.state !== 'failed' || existing.doneAt !== null || existing.orderId !== orderId)) return;
  const isRefunded = order.status === 'REFUNDED';
  // less than the total if the bank returned some of it later
  if (isRefunded && order.refundedCents >= order.totalCents)
    throw conflict('not_refundable', 'This order has already been refunded');
  if (!isRefunded && !refundable.includes(order.status))
    throw conflict('not_refundable', "This order hasn't been paid");
  const { lines, ...content } = await computeRefund(tx, order, what);
  const requested = { ...content, state: 'asked' as const, reason, customerNote, byUserId: by.userId };
  const reset = { ...requested, providerRefundId: null, tryAfter: null }; // a rejected refund may be requested again
  await tx
    .insert(refunds)
    .values({ id: refundId, orderId, createdAt: now, ...requested })
    .onConflictDoUpdate({ target: refunds.id, set: reset });
  if (content.isByLines) await writeRefundLines(tx, refundId, lines);
  const { amountCents, deliveryCents, restock } = content;
  const after = content.isByLines
    ? { refundId, amountCents, deliveryCents, lines }
    : { refundId, amountCents, restock };
  await writeAudit(tx, { by, action: 'order.refund_asked', target: { kind: 'order', id: orderId }, after, now });
}

/**
 * Requests a written refund from the provider and applies its effects. Does nothing if it is done; waits if another caller
 * is requesting it. Holds no database connection during the provider call.
 * @throws Problem 502 payment_unavailable when the provider is unreachable
 */
export async function finishRefund(parts: PaymentParts, refundId: string): Promise<void> {
  const { db, clock } = parts;
  const refund = await claimRefund(db, refundId, clock.now());
  if (!refund) return waitForOther(parts, refundId);
  try {
    const { made, amountCents } = await requestFromProvider(parts, refund);
    await transact(db, async (tx) => {
      if (made.isMade && amountCents !== refund.amountCents) await changeAmount(tx, refund, amountCents);
      await noteOutcome(tx, { ...refund, amountCents }, made, clock.now());
    });
  } catch (error) {
    if (!(error instanceof RefundRefused)) {
      await setRefund(db, refundId, { tryAfter: null });
      throw error;
    }
    await transact(db, (tx) => recordRejection(tx, refund, error.message, clock.now()));
  }
}

/** The shop owes less than requested because a person refunded some at the provider. */
async function changeAmount(tx: Tx, { id, orderId, strayPaymentId }: RefundRow, amountCents: number): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const isOwn = order && strayPaymentId === null;
  await setRefund(tx, id, isOwn ? await partsOfProviderRefund(tx, order, amountCents, id) : { amountCents });
}

/** Longer than two provider calls may take; after that another process may take over the refund. */
const claimMs = 60_000;

/** Claims the refund, so that no other caller requests it meanwhile. @returns undefined when it is not due */
async function claimRefund(db: Db, refundId: string, now: Date): Promise<RefundRow | undefined> {
  const [refund] = await db
    .update(refunds)
    .set({ tryAfter: new Date(now.getTime() + claimMs) })
    .where(and(eq(refunds.id, refundId), isDue(now)))
    .returning();
  return refund;
}

/** Waits while another caller requests the refund; not for a rejected one, whose next attempt may be a day away. */
async function waitForOther({ db, clock }: PaymentParts, refundId: string): Promise<void> {
  for (const end = performance.now() + waitMs; performance.now() < end; await pause(pollMs)) {
    const refund = await findRefund(db, refundId);
    const isAsking = refund?.state === 'asked' && refund.rejections === 0 && (refund.tryAfter ?? 0) > clock.now();
    if (!isAsking) return;
  }
}

const waitMs = 10_000;
const pollMs = 100;

export const isDue = (now: Date) =>
  and(eq(refunds.state, 'asked'), or(isNull(refunds.tryAfter), lte(refunds.tryAfter, now)));

/**
 * Reads the provider's list first: a lost response may have hidden a refund. A refund that the shop owes by itself is the
 * whole payment, less what a person refunded at the provider meanwhile.
 */
async function requestFromProvider({ db, clock, payments }: PaymentParts, refund: RefundRow) {
  const { id: refundId, orderId, byUserId, rejections, createdAt } = refund;
  const paymentIntentId = refund.strayPaymentId ?? (await findPaymentOf(db, orderId));
  if (!paymentIntentId) throw new Error(`refund ${refundId} has no payment`);
  const madeRefunds = (await payments.listRefunds(paymentIntentId)).filter(({ isMade }) => isMade);
  const alreadyMade = madeRefunds.find((made) => made.refundId === refundId);
  if (alreadyMade) return { made: alreadyMade, amountCents: alreadyMade.amountCents };
  const madeByHandCents = byUserId === null ? madeRefunds.reduce((cents, made) => cents + made.amountCents, 0) : 0;
  const amountCents = refund.amountCents - madeByHandCents;
  if (amountCents <= 0) throw new RefundRefused(alreadyRefunded);
  const attempt = rejections + Math.floor((clock.now().getTime() - createdAt.getTime()) / newKeyEveryMs);
  return { made: await payments.refund({ refundId, orderId, paymentIntentId, amountCents, attempt }), amountCents };
}

/**
 * The provider replays a 500 under its key for good, so the key changes each minute; by then the list above has shown
 * whether the refund was made.
 */
const newKeyEveryMs = 60_000;

/** The provider's code for a payment with nothing left to refund. */
const alreadyRefunded = 'charge_already_refunded';
const sentBack = 'the bank returned the refund';

/**
 * Records the provider's state of a refund that we know. A done row names the provider refund that was made: no other one
 * changes it. Any other row names the last provider refund that failed: that one is already counted and can never be
 * treated as made, whatever an older response says.
 */
export async function noteOutcome(tx: Tx, refund: RefundRow, made: ProviderRefund, now: Date): Promise<void> {
  const order = await lockOrder(tx, refund.orderId);
  const current = await findRefund(tx, refund.id); // re-read under the lock
  if (!order || !current) return;
  const isDone = current.state === 'done';
  const isNamed = current.providerRefundId === made.id;
  if (!made.isMade) return isDone === isNamed ? recordRejection(tx, current, sentBack, now, made.id) : undefined;
  if (isDone || isNamed) return;
  const doneAt = current.doneAt ?? now;
  await setRefund(tx, refund.id, { state: 'done', doneAt, providerRefundId: made.id });
  if (current.state === 'failed') await keepUnitsTrue(tx, refund.orderId); // its units may have been shipped since
  await countRefunds(tx, order, { ...current, providerRefundId: made.id }, now);
  if (order.status === 'PAID') await moveIfAllShipped(tx, refund.orderId, now);
  if (current.doneAt === null) await restockOf(tx, current, now);
  await notifyRefund(tx, current, now);
}

/** Restocks what the refund says: all units of the order, or those of its lines. */
async function restockOf(tx: Tx, { id, orderId, restock, isByLines, reason, byUserId }: RefundRow, now: Date) {
  if (!restock && !isByLines) return;
  const lines = isByLines ? await findRestockedUnits(tx, id) : await findLines(tx, orderId);
  if (lines.length > 0) await restockSold(tx, { orderId, lines, now, reason, byUserId });
}

/** Sums the refunds of the order's own payment; when all of it is refunded, the order becomes REFUNDED. */
export async function countRefunds(tx: Tx, order: OrderRow, last: RefundRow, now: Date): Promise<void> {
  const [done] = await tx
    .select({ cents: sum(refunds.amountCents) })
    .from(refunds)
    .where(and(ofOwnPayment(order.id), eq(refunds.state, 'done')));
  const refundedCents = Number(done?.cents ?? 0);
  await tx.update(orders).set({ refundedCents }).where(eq(orders.id, order.id));
  liveChanged(tx, order.userId, 'orders');
  if (refundedCents < order.totalCents || order.status === 'REFUNDED') return;
  const note = last.byUserId === null ? last.reason : undefined;
  await moveOrder(tx, order.id, { status: 'REFUNDED', byUserId: last.byUserId, at: now, ...(note && { note }) });
  await tx
    .update(paymentSessions)
    .set({ state: 'refunded', refundId: last.providerRefundId })
    .where(eq(paymentSessions.orderId, order.id));
}

/**
 * A refund requested by staff fails, and they may request it again. A refund that the shop owes is retried with growing
 * pauses: the account at the provider may be empty today. Either way an alarm tells staff.
 */
async function recordRejection(tx: Tx, refund: RefundRow, cause: string, now: Date, providerRefundId?: string) {
  const order = await lockOrder(tx, refund.orderId);
  const current = await findRefund(tx, refund.id); // re-read under the lock
  if (!order || !current || current.state === 'failed') return;
  const isOwed = current.byUserId === null && current.state === 'asked' && cause !== alreadyRefunded;
  const rejections = current.rejections + 1;
  const pauseMs = Math.min(2 ** rejections * minuteMs, maxPauseMs);
  await setRefund(tx, refund.id, {
    rejections,
    ...(providerRefundId !== undefined && { providerRefundId }),
    ...(isOwed ? { tryAfter: new Date(now.getTime() + pauseMs) } : { state: 'failed' }),
  });
  if (current.state === 'done') await countRefunds(tx, order, { ...current, state: 'failed' }, now);
  await raiseAlarm(tx, {
    kind: 'refund_failed',
    about: `refund:${refund.id}`,
    orderId: refund.orderId,
    detail: `A refund of ${formatMoney(refund.amountCents)} was declined: ${cause}`,
    now,
  });
}

const minuteMs = 60_000;
const maxPauseMs = 24 * 60 * minuteMs;

const setRefund = (connection: Connection, refundId: string, change: Partial<RefundRow>) =>
  connection.update(refunds).set(change).where(eq(refunds.id, refundId));

/** Emails the customer, once per refund. */
export async function notifyRefund(tx: Tx, { id, orderId }: RefundRow, now: Date): Promise<void> {
  const customer = await findCustomer(tx, orderId);
  if (!customer) return;
  const { userId, email: recipient } = customer;
  await writeMail(tx, {
    kind: 'refund',
    about: `refund:${id}`,
    recipient,
    userId,
    orderId,
    facts: { refundId: id },
    now,
  });
}

async function findRefund(connection: Connection, refundId: string): Promise<RefundRow | undefined> {
  const [refund] = await connection.select().from(refunds).where(eq(refunds.id, refundId));
  return refund;
}

async function findPaymentOf(connection: Connection, orderId: string): Promise<string | null | undefined> {
  const [payment] = await connection
    .select({ paymentIntentId: paymentSessions.paymentIntentId })
    .from(paymentSessions)
    .where(eq(paymentSessions.orderId, orderId));
  return payment?.paymentIntentId;
}

/** The row is written: the sweeper retries within a minute and logs why it failed. */
export const leaveToSweeper = () => undefined;
