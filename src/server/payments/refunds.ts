/**
 * Giving money back. The row comes first, under the order's lock, so that all refunds together never pass what was paid;
 * then the provider is asked under the row's id; then the row is done, with all that follows from it. Whoever dies in
 * between leaves a row in the state `asked`: the sweeper finishes it, and reads the provider's list before it asks
 * again. Refunds by staff, of a late payment and of a second payment all go this way; reconcile.ts records refunds that
 * were made by hand at the provider.
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
import { orderNotFound } from '../orders/service';
import { restockSold } from '../stock/service';
import type { PaymentParts } from './provider';
import { RefundRefused } from './providerErrors';
import type { ProviderRefund } from './providerRefunds';
import {
  findUnitsBack,
  ofOwnPayment,
  partsOfGiven,
  computeRefund,
  type RefundWish,
  writeRefundLines,
} from './refundParts';

export type RefundRow = typeof refunds.$inferSelect;
export type RefundRequest = {
  /** Made from the caller's key: the same request again is the same refund. */
  refundId: string;
  orderId: string;
  what: RefundWish;
  reason: string;
  /** For the customer; null: none. */
  customerNote: string | null;
  by: Actor & { userId: string };
};

const refundable: readonly OrderStatus[] = ['PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

/**
 * Gives back an order's payment or a part of it.
 * @returns the refund: `done`, or `asked` while the provider cannot be reached
 * @throws Problem 404 order_not_found; 400 invalid_request; 409 not_refundable, refund_too_large, already_restocked, refund_refused
 */
export async function refundOrder(parts: PaymentParts, request: RefundRequest): Promise<RefundRow> {
  await transact(parts.db, (tx) => writeRequest(tx, request, parts.clock.now()));
  await finishRefund(parts, request.refundId).catch(leaveToSweeper);
  const refund = await findRefund(parts.db, request.refundId);
  if (!refund) throw new Error('a refund is gone');
  if (refund.state === 'failed') throw conflict('refund_refused', 'The payment provider refused this refund');
  return refund;
}

async function writeRequest(tx: Tx, request: RefundRequest, now: Date): Promise<void> {
  const { refundId, orderId, what, reason, customerNote, by } = request;
  const order = await lockOrder(tx, orderId);
  if (!order) throw orderNotFound();
  const former = await findRefund(tx, refundId);
  // the same click again; one that was made before it failed tells what came back on the shelf, and is not made anew
  if (former && (former.state !== 'failed' || former.doneAt !== null || former.orderId !== orderId)) return;
  const isRefunded = order.status === 'REFUNDED';
  // less than all: the bank sent some of it back later
  if (isRefunded && order.refundedCents >= order.totalCents)
    throw conflict('not_refundable', 'This order has been given back already');
  if (!isRefunded && !refundable.includes(order.status))
    throw conflict('not_refundable', 'This order has not been paid');
  const { lines, ...of } = await computeRefund(tx, order, what);
  const asked = { ...of, state: 'asked' as const, reason, customerNote, byUserId: by.userId };
  const anew = { ...asked, providerRefundId: null, tryAfter: null }; // a refusal is not kept
  await tx
    .insert(refunds)
    .values({ id: refundId, orderId, createdAt: now, ...asked })
    .onConflictDoUpdate({ target: refunds.id, set: anew });
  if (of.isByLines) await writeRefundLines(tx, refundId, lines);
  const { amountCents, deliveryCents, restock } = of;
  const after = of.isByLines ? { refundId, amountCents, deliveryCents, lines } : { refundId, amountCents, restock };
  await writeAudit(tx, { by, action: 'order.refund_asked', target: { kind: 'order', id: orderId }, after, now });
}

/**
 * Asks the provider for a refund that was written down, and does what follows from it. Done before, it does nothing;
 * while somebody else is at it, it waits for that. No connection is held while the provider thinks.
 * @throws Problem 502 payment_unavailable when the provider cannot be asked
 */
export async function finishRefund(parts: PaymentParts, refundId: string): Promise<void> {
  const { db, clock } = parts;
  const refund = await takeUp(db, refundId, clock.now());
  if (!refund) return awaitOther(parts, refundId);
  try {
    const { made, amountCents } = await askFor(parts, refund);
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

/** The shop owes less of it than it thought, as a person gave some back at the provider. */
async function changeAmount(tx: Tx, { id, orderId, strayPaymentId }: RefundRow, amountCents: number): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const isOwn = order && strayPaymentId === null;
  await setRefund(tx, id, isOwn ? await partsOfGiven(tx, order, amountCents, id) : { amountCents });
}

/** Longer than two calls to the provider may take; then another process may take over the refund. */
const askingTakesMs = 60_000;

/** @returns the refund, which nobody else takes up meanwhile; undefined when it is not to be asked for now */
async function takeUp(db: Db, refundId: string, now: Date): Promise<RefundRow | undefined> {
  const [refund] = await db
    .update(refunds)
    .set({ tryAfter: new Date(now.getTime() + askingTakesMs) })
    .where(and(eq(refunds.id, refundId), isDue(now)))
    .returning();
  return refund;
}

/** Waits while another caller asks the provider; not for a refund that was refused before, which may rest for a day. */
async function awaitOther({ db, clock }: PaymentParts, refundId: string): Promise<void> {
  for (const end = performance.now() + waitMs; performance.now() < end; await pause(lookEveryMs)) {
    const refund = await findRefund(db, refundId);
    const isAsking = refund?.state === 'asked' && refund.rejections === 0 && (refund.tryAfter ?? 0) > clock.now();
    if (!isAsking) return;
  }
}

const waitMs = 10_000;
const lookEveryMs = 100;

export const isDue = (now: Date) =>
  and(eq(refunds.state, 'asked'), or(isNull(refunds.tryAfter), lte(refunds.tryAfter, now)));

/**
 * Looks at the provider's list before it asks: an answer that was lost may have hidden a refund. What the shop owes by
 * itself is all of a payment, less what a person has given back of it at the provider meanwhile.
 */
async function askFor({ db, clock, payments }: PaymentParts, refund: RefundRow) {
  const { id: refundId, orderId, byUserId, rejections, createdAt } = refund;
  const paymentIntentId = refund.strayPaymentId ?? (await findPaymentOf(db, orderId));
  if (!paymentIntentId) throw new Error(`refund ${refundId} is of no payment`);
  const given = (await payments.listRefunds(paymentIntentId)).filter(({ isMade }) => isMade);
  const known = given.find((made) => made.refundId === refundId);
  if (known) return { made: known, amountCents: known.amountCents };
  const byOthersCents = byUserId === null ? given.reduce((cents, made) => cents + made.amountCents, 0) : 0;
  const amountCents = refund.amountCents - byOthersCents;
  if (amountCents <= 0) throw new RefundRefused(alreadyRefunded);
  const attempt = rejections + Math.floor((clock.now().getTime() - createdAt.getTime()) / retryEveryMs);
  return { made: await payments.refund({ refundId, orderId, paymentIntentId, amountCents, attempt }), amountCents };
}

/** An answer of 500 is kept under its key for good. By then the list above has told whether it hid a refund. */
const retryEveryMs = 60_000;

/** The provider's word for a payment of which nothing is left to give back. */
const alreadyRefunded = 'charge_already_refunded';
const sentBack = 'the bank sent it back';

/**
 * Writes down what the provider says of a refund that we know. A row that is done names the one that was made: no other
 * speaks for it. Any other row names the last one that failed: that is counted, and never made later, whatever an older
 * answer says.
 */
export async function noteOutcome(tx: Tx, refund: RefundRow, made: ProviderRefund, now: Date): Promise<void> {
  const order = await lockOrder(tx, refund.orderId);
  const current = await findRefund(tx, refund.id); // as it is under the lock
  if (!order || !current) return;
  const isDone = current.state === 'done';
  const isNamed = current.providerRefundId === made.id;
  if (!made.isMade) return isDone === isNamed ? recordRejection(tx, current, sentBack, now, made.id) : undefined;
  if (isDone || isNamed) return;
  const doneAt = current.doneAt ?? now;
  await setRefund(tx, refund.id, { state: 'done', doneAt, providerRefundId: made.id });
  await countRefunds(tx, order, { ...current, providerRefundId: made.id }, now);
  if (current.doneAt === null) await restockOf(tx, current, now);
  await notifyRefund(tx, current, now);
}

/** Puts on the shelf what the refund says: all units of the order, or those of its lines. */
async function restockOf(tx: Tx, { id, orderId, restock, isByLines, reason, byUserId }: RefundRow, now: Date) {
  if (!restock && !isByLines) return;
  const lines = isByLines ? await findUnitsBack(tx, id) : await findLines(tx, orderId);
  if (lines.length > 0) await restockSold(tx, { orderId, lines, now, reason, byUserId });
}

/** Sums up what was given back of the order's own payment; when that is all of it, the order is REFUNDED. */
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
 * What staff asked for is failed then, and they may ask again. What the shop itself owes is asked for again and again,
 * with growing pauses: the account at the provider may be empty today. The alarm tells staff in either case.
 */
async function recordRejection(tx: Tx, refund: RefundRow, why: string, now: Date, providerRefundId?: string) {
  const order = await lockOrder(tx, refund.orderId);
  const current = await findRefund(tx, refund.id); // as it is under the lock
  if (!order || !current || current.state === 'failed') return;
  const isOwed = current.byUserId === null && current.state === 'asked' && why !== alreadyRefunded;
  const rejections = current.rejections + 1;
  const pauseMs = Math.min(2 ** rejections * minuteMs, longestPauseMs);
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
    detail: `A refund of ${formatMoney(refund.amountCents)} was refused: ${why}`,
    now,
  });
}

const minuteMs = 60_000;
const longestPauseMs = 24 * 60 * minuteMs;

const setRefund = (connection: Connection, refundId: string, change: Partial<RefundRow>) =>
  connection.update(refunds).set(change).where(eq(refunds.id, refundId));

/** One mail per refund, to the customer. */
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

/** The row is written: what could not be done now, the sweeper does within a minute, and logs why it could not. */
export const leaveToSweeper = () => undefined;
