/**
 * What was given back at the provider itself, by hand or by a bank, and what became of our own refunds later. As with
 * payments, the provider's word is fetched: the event only says which payment to look at.
 */
import { randomUUID } from 'node:crypto';
import { eq, or } from 'drizzle-orm';
import { paymentSessions, refunds } from '../db/schema/tables';
import { transact, type Db, type Tx } from '../db/core/transact';
import { lockOrder, type OrderRow } from '../orders/lifecycle';
import { claimEvent, finalise, recordOutcome, type Finalised } from './settlePayment';
import type { PaymentParts } from './provider';
import type { ProviderEvent } from './providerEvents';
import type { ProviderRefund } from './providerRefunds';
import { partsOfGiven } from './refundParts';
import { countRefunds, noteOutcome, notifyRefund } from './refunds';

/** @param event about a payment that was given back, in whole or in part */
export async function reconcileRefunds(
  parts: PaymentParts,
  event: ProviderEvent,
  paymentIntentId: string,
): Promise<Finalised> {
  const made = await parts.payments.listRefunds(paymentIntentId);
  const orderId = (await findOrderOf(parts.db, paymentIntentId)) ?? (await finishPaymentFirst(parts, paymentIntentId));
  return transact(parts.db, async (tx) => {
    const now = parts.clock.now();
    if (!(await claimEvent(tx, event, now))) return { outcome: 'done' };
    const order = orderId === undefined ? undefined : await lockOrder(tx, orderId);
    const result: Finalised = order ? { outcome: 'done', orderId: order.id } : { outcome: 'ignored' };
    if (order) for (const refund of inOrder(made)) await compare(tx, order, refund, paymentIntentId, now);
    await recordOutcome(tx, event, result);
    return result;
  });
}

/**
 * What failed first: a person may have given back in its place. Of a row that was asked for again only the newest one
 * that failed says anything.
 * @param made the newest first
 */
function inOrder(made: readonly ProviderRefund[]): ProviderRefund[] {
  const newest = new Map(made.toReversed().map((one) => [one.refundId ?? one.id, one]));
  const failed = made.filter((one) => !one.isMade && newest.get(one.refundId ?? one.id) === one);
  return [...failed, ...made.filter(({ isMade }) => isMade)];
}

/** Events in the reverse order: the refund is known before the payment. */
async function finishPaymentFirst(parts: PaymentParts, paymentIntentId: string): Promise<string | undefined> {
  const sessionId = await parts.payments.findSessionIdOf(paymentIntentId);
  const session = sessionId === undefined ? undefined : await parts.payments.findSession(sessionId);
  if (session) await finalise(parts, session);
  return findOrderOf(parts.db, paymentIntentId);
}

async function compare(tx: Tx, order: OrderRow, made: ProviderRefund, paymentIntentId: string, now: Date) {
  const byProviderId = eq(refunds.providerRefundId, made.id);
  const isKnown = made.refundId === undefined ? byProviderId : or(byProviderId, eq(refunds.id, made.refundId));
  const found = await tx.select().from(refunds).where(isKnown);
  const known = found.find(({ providerRefundId }) => providerRefundId === made.id) ?? found[0];
  if (known?.orderId === order.id) await noteOutcome(tx, known, made, now);
  else if (!known && made.isMade) await writeOutside(tx, order, made, paymentIntentId, now);
}

/** The alarm of a refund that failed later is raised by noteRefusal; one made by hand needs none: a person did it. */
async function writeOutside(tx: Tx, order: OrderRow, made: ProviderRefund, paymentIntentId: string, now: Date) {
  const [payment] = await tx.select().from(paymentSessions).where(eq(paymentSessions.orderId, order.id));
  const isOwn = payment?.paymentIntentId === paymentIntentId;
  const { amountCents } = made;
  const of = isOwn ? await partsOfGiven(tx, order, amountCents) : { amountCents };
  const [written] = await tx
    .insert(refunds)
    .values({
      id: randomUUID(),
      orderId: order.id,
      ...of,
      state: 'done',
      reason: 'Given back at the payment provider',
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
