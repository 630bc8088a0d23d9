/**
 * Records refunds made at the provider, by hand or by a bank, and later changes of our own refunds. As with payments, the
 * state is fetched from the provider: the event only says which payment to look at.
 */
import { randomUUID } from 'node:crypto';
import { eq, or } from 'drizzle-orm';
import { paymentSessions, refunds } from '../db/schema/tables';
import { transact, type Db, type Tx } from '../db/core/transact';
import { lockOrder, type OrderRow } from '../orders/lifecycle';
import { claimEvent, settlePayment, recordOutcome, type SettledPayment } from './settlePayment';
import type { PaymentParts } from './provider';
import type { ProviderEvent } from './providerEvents';
import type { ProviderRefund } from './providerRefunds';
import { partsOfProviderRefund } from './refundParts';
import { countRefunds, noteOutcome, notifyRefund } from './refunds';

/** @param event about a payment that was refunded in whole or in part */
export async function reconcileRefunds(
  parts: PaymentParts,
  event: ProviderEvent,
  paymentIntentId: string,
): Promise<SettledPayment> {
  const made = await parts.payments.listRefunds(paymentIntentId);
  const orderId = (await findOrderOf(parts.db, paymentIntentId)) ?? (await finishPaymentFirst(parts, paymentIntentId));
  return transact(parts.db, async (tx) => {
    const now = parts.clock.now();
    if (!(await claimEvent(tx, event, now))) return { outcome: 'done' };
    const order = orderId === undefined ? undefined : await lockOrder(tx, orderId);
    const result: SettledPayment = order ? { outcome: 'done', orderId: order.id } : { outcome: 'ignored' };
    if (order) for (const refund of failedFirst(made)) await reconcileOne(tx, order, refund, paymentIntentId, now);
    await recordOutcome(tx, event, result);
    return result;
  });
}

/**
 * Failed refunds first: a person may have refunded by hand in their place. Of a row that was requested again, only the
 * newest failed refund counts.
 * @param made newest first
 */
function failedFirst(made: readonly ProviderRefund[]): ProviderRefund[] {
  const newest = new Map(made.toReversed().map((one) => [one.refundId ?? one.id, one]));
  const failed = made.filter((one) => !one.isMade && newest.get(one.refundId ?? one.id) === one);
  return [...failed, ...made.filter(({ isMade }) => isMade)];
}

/** For events in reverse order: the refund arrives before its payment. */
async function finishPaymentFirst(parts: PaymentParts, paymentIntentId: string): Promise<string | undefined> {
  const sessionId = await parts.payments.findSessionIdOf(paymentIntentId);
  const session = sessionId === undefined ? undefined : await parts.payments.findSession(sessionId);
  if (session) await settlePayment(parts, session);
  return findOrderOf(parts.db, paymentIntentId);
}

async function reconcileOne(tx: Tx, order: OrderRow, made: ProviderRefund, paymentIntentId: string, now: Date) {
  const byProviderId = eq(refunds.providerRefundId, made.id);
  const isKnown = made.refundId === undefined ? byProviderId : or(byProviderId, eq(refunds.id, made.refundId));
  const rows = await tx.select().from(refunds).where(isKnown);
  const known = rows.find(({ providerRefundId }) => providerRefundId === made.id) ?? rows[0];
  if (known?.orderId === order.id) await noteOutcome(tx, known, made, now);
  else if (!known && made.isMade) await recordExternalRefund(tx, order, made, paymentIntentId, now);
}

/** A refund that fails later raises its alarm in recordRejection; one made by hand needs none, since a person made it. */
async function recordExternalRefund(tx: Tx, order: OrderRow, made: ProviderRefund, paymentIntentId: string, now: Date) {
  const [payment] = await tx.select().from(paymentSessions).where(eq(paymentSessions.orderId, order.id));
  const isOwn = payment?.paymentIntentId === paymentIntentId;
  const { amountCents } = made;
  const amounts = isOwn ? await partsOfProviderRefund(tx, order, amountCents) : { amountCents };
  const [written] = await tx
    .insert(refunds)
    .values({
      id: randomUUID(),
      orderId: order.id,
      ...amounts,
      state: 'done',
      reason: 'Refunded through the payment provider',
      providerRefundId: made.id,
      strayPaymentId: isOwn ? null : paymentIntentId,
      createdAt: now,
      doneAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (!written) return;
  const current = await lockOrder(tx, order.id);
  if (current) await countRefunds(tx, current, written, now);
  await notifyRefund(tx, written, now);
}

async function findOrderOf(db: Db, paymentIntentId: string): Promise<string | undefined> {
  const [own] = await db
    .select({ orderId: paymentSessions.orderId })
    .from(paymentSessions)
    .where(eq(paymentSessions.paymentIntentId, paymentIntentId));
  if (own) return own.orderId;
  const [stray] = await db
    .select({ orderId: refunds.orderId })
    .from(refunds)
    .where(eq(refunds.strayPaymentId, paymentIntentId));
  return stray?.orderId;
}
