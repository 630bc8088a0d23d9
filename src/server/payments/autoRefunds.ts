/** Refunds that the shop makes by itself: an order paid too late when its items are gone, or paid twice. */
import { randomUUID } from 'node:crypto';
import { and, asc, eq, or, type SQL } from 'drizzle-orm';
import type { Logger } from 'pino';
import { raiseAlarm } from '../alarms/service';
import { refunds } from '../db/schema/tables';
import type { Db, Tx } from '../db/core/transact';
import { describeFailure } from '../db/core/loggedErrors';
import type { OrderRow } from '../orders/lifecycle';
import type { PaymentParts, ProviderSession } from './provider';
import { finishRefund, isDue, leaveToSweeper } from './refunds';

const batchSize = 500;

/** The order was canceled before its payment arrived, and its stock is gone. Decided once, under the order's lock. */
export const refundUndeliverable = (tx: Tx, order: OrderRow, now: Date): Promise<void> =>
  refundWhole(tx, order, now, {
    reason: 'Your payment arrived after the items sold out',
    detail: 'Paid after the order was canceled and sold out. The payment is being refunded.',
  });

/** Refunds a payment that arrived after the customer canceled the order. */
export const refundAfterCancel = (tx: Tx, order: OrderRow, now: Date): Promise<void> =>
  refundWhole(tx, order, now, {
    reason: 'Your payment arrived after the order was canceled',
    detail: 'Paid after the order was canceled. The payment is being refunded.',
  });

type Why = { reason: string; detail: string };

async function refundWhole(tx: Tx, order: OrderRow, now: Date, { reason, detail }: Why): Promise<void> {
  const { id: orderId, totalCents: amountCents, deliveryCents, taxCents } = order;
  const amounts = { amountCents, deliveryCents, taxCents };
  await tx.insert(refunds).values({ id: randomUUID(), orderId, ...amounts, state: 'asked', reason, createdAt: now });
  await raiseAlarm(tx, { kind: 'paid_undeliverable', about: `undeliverable:${orderId}`, orderId, detail, now });
}

/**
 * A second session of an order can exist if the provider failed while opening the first one. Nobody was given its page; if
 * it is paid anyway, the payment is refunded in full. None of it counts as the order's delivery or tax.
 */
export async function refundStray(tx: Tx, { id: orderId }: OrderRow, session: ProviderSession, now: Date) {
  if (!session.paymentIntentId) return;
  const refund = {
    id: randomUUID(),
    orderId,
    amountCents: session.amountCents,
    strayPaymentId: session.paymentIntentId,
    state: 'asked' as const,
    reason: 'Charged twice',
    createdAt: now,
  };
  await tx.insert(refunds).values(refund).onConflictDoNothing({ target: refunds.strayPaymentId });
  await raiseAlarm(tx, {
    kind: 'paid_twice',
    about: `paid_twice:${session.paymentIntentId}`,
    orderId,
    detail: 'This order was paid a second time. The second payment is being refunded.',
    now,
  });
}

/**
 * Runs outside any transaction because it calls the provider; if this process dies, the sweeper does it. Waits for a refund
 * that another caller is making.
 */
export async function finishRefundsOf(parts: PaymentParts, orderId: string): Promise<void> {
  const isFirstAttempt = and(eq(refunds.state, 'asked'), eq(refunds.rejections, 0));
  const due = or(isFirstAttempt, isDue(parts.clock.now()));
  for (const refundId of await findRefunds(parts.db, and(eq(refunds.orderId, orderId), due)))
    await finishRefund(parts, refundId).catch(leaveToSweeper);
}

/** Finishes every refund that was requested but not made, once it is due; one that fails is left for the next round. */
export async function sweepRefunds(parts: PaymentParts, logger: Logger): Promise<void> {
  for (const refundId of await findRefunds(parts.db, isDue(parts.clock.now()))) {
    await finishRefund(parts, refundId).catch((error: unknown) =>
      logger.warn({ failure: describeFailure(error), refundId }, "a refund couldn't be made"),
    );
  }
}

async function findRefunds(db: Db, condition: SQL | undefined): Promise<string[]> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(condition)
    .orderBy(asc(refunds.createdAt))
    .limit(batchSize);
  return rows.map(({ id }) => id);
}
