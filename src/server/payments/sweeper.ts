/**
 * Finishes what nobody told us about: run at start and every minute, it asks the provider about every payment that is
 * still open and hands the answer to the finaliser. It never ends an order by our own clock: an overdue session is first
 * made unpayable at the provider. Then come the refunds that were asked for and not made.
 */
import { and, asc, eq, lt, or } from 'drizzle-orm';
import type { Logger } from 'pino';
import { paymentSessions } from '../db/schema';
import { describeFailure } from '../failures';
import { sweepRefunds } from './autoRefunds';
import { finalise, type FinaliserParts } from './finaliser';
import { cancelUnpaid, endPayment, openPayment } from './sessions';

const batch = 500;
const providerIsDown = 3; // failures in a row
/** A session that is still being opened by a request is left to it this long. */
const openingTakesMs = 60_000;
/** The provider expires a session by itself; we help where it has not. */
const graceMs = 2 * 60_000;

/** @returns how many payments were looked at; one that fails is left for the next round and does not stop the others */
export async function sweepPayments(parts: FinaliserParts, logger: Logger): Promise<number> {
  const now = parts.clock.now().getTime();
  const waiting = await parts.db
    .select()
    .from(paymentSessions)
    .where(
      or(
        eq(paymentSessions.state, 'open'),
        and(eq(paymentSessions.state, 'creating'), lt(paymentSessions.createdAt, new Date(now - openingTakesMs))),
      ),
    )
    .orderBy(asc(paymentSessions.createdAt))
    .limit(batch);
  let failedInARow = 0;
  for (const payment of waiting) {
    try {
      await sweepOne(parts, payment, now);
      failedInARow = 0;
    } catch (error) {
      logger.warn({ failure: describeFailure(error), orderId: payment.orderId }, 'a payment could not be swept');
      if (++failedInARow === providerIsDown) break; // the next round is in a minute
    }
  }
  if (failedInARow < providerIsDown) await sweepRefunds(parts, logger);
  return waiting.length;
}

async function sweepOne(
  parts: FinaliserParts,
  payment: typeof paymentSessions.$inferSelect,
  now: number,
): Promise<void> {
  const { orderId, sessionId, expiresAt } = payment;
  if (sessionId === null) {
    await openPayment(parts, orderId); // under its own key: whatever became of the first try, this finds or makes it
    return undefined;
  }
  const isOverdue = expiresAt.getTime() + graceMs < now;
  if (isOverdue) await endPayment(parts, orderId);
  const session = await parts.payments.findSession(sessionId);
  if (session) await finalise(parts, session);
  // other keys, another account, a lost folder of the test provider: nobody can pay what it does not know
  else if (isOverdue) await cancelUnpaid(parts, orderId, 'The provider does not know this payment');
  return undefined;
}
