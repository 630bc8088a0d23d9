/** Money that the shop gives back by itself: paid too late for goods that are gone, or paid twice. */
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

const batch = 500;

/** The order was cancelled before its payment came, and its goods are gone. Decided once, under the order's lock. */
export async function refundUndeliverable(tx: Tx, order: OrderRow, now: Date): Promise<void> {
  const { id: orderId, totalCents: amountCents, deliveryCents, taxCents } = order;
  const all = { amountCents, deliveryCents, taxCents };
  const reason = 'Paid too late: no longer in stock';
  await tx.insert(refunds).values({ id: randomUUID(), orderId, ...all, state: 'asked', reason, createdAt: now });
  await raiseAlarm(tx, {
    kind: 'paid_undeliverable',
    about: `undeliverable:${orderId}`,
    orderId,
    detail: 'Paid after the order had been cancelled and sold out. The money is given back.',
    now,
  });
}

/**
 * A second session of an order can come into being when the provider failed while it opened the first one. Nobody was
 * given its page; should it be paid all the same, the money goes back. Nothing of it is the order's delivery or tax.
 */
export async function refundStray(tx: Tx, { id: orderId }: OrderRow, session: ProviderSession, now: Date) {
  if (!session.paymentIntentId) return;
  const refund = {
    id: randomUUID(),
    orderId,
    amountCents: session.amountCents,
    strayPaymentId: session.paymentIntentId,
    state: 'asked' as const,
    reason: 'Paid twice',
    createdAt: now,
  };
  await tx.insert(refunds).values(refund).onConflictDoNothing({ target: refunds.strayPaymentId });
  await raiseAlarm(tx, {
    kind: 'paid_twice',
    about: `paid_twice:${session.paymentIntentId}`,
    orderId,
    detail: 'A second payment of this order came in. It is given back.',
    now,
  });
}

/**
 * Runs outside of any transaction, since it asks the provider; the sweeper does it if this process ends here. It waits
 * for a refund that another caller is making.
 */
export async function finishRefundsOf(parts: PaymentParts, orderId: string): Promise<void> {
  const isFirstTry = and(eq(refunds.state, 'asked'), eq(refunds.rejections, 0));
  const due = or(isFirstTry, isDue(parts.clock.now()));
  for (const refundId of await findRefunds(parts.db, and(eq(refunds.orderId, orderId), due)))
    await finishRefund(parts, refundId).catch(leaveToSweeper);
}

/** Finishes every refund that was asked for and not made, when its time has come; one that fails is left for the next round. */
export async function sweepRefunds(parts: PaymentParts, logger: Logger): Promise<void> {
  for (const refundId of await findRefunds(parts.db, isDue(parts.clock.now()))) {
    await finishRefund(parts, refundId).catch((error: unknown) =>
      logger.warn({ failure: describeFailure(error), refundId }, 'a refund could not be made'),
    );
  }
}

async function findRefunds(db: Db, wanted: SQL | undefined): Promise<string[]> {
  const found = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(wanted)
    .orderBy(asc(refunds.createdAt))
    .limit(batch);
  return found.map(({ id }) => id);
}
