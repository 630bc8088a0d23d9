/**
 * The sweeper finishes payments whose events did not arrive. At start and every minute it asks the provider about every
 * open payment, and passes the answer to the finaliser. It never ends an order by our own clock: it first makes an
 * overdue session unpayable at the provider. Then it finishes refunds that were asked for and not made.
 */
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { paymentSessions } from '../db/schema';
import type { Db } from '../db/transact';
import { describeFailure } from '../failures';
import { sweepRefunds } from './autoRefunds';
import { finalise } from './finaliser';
import type { PaymentParts } from './provider';
import { cancelUnpaid, endPayment, openPayment } from './sessions';

const batch = 2_000;
/** How many payments are checked in parallel, so that a round uses only its share of the connections. */
const lanes = 4;
const providerIsDown = 10; // failures in a row
/** A session that is still being opened by a request is left to it this long. */
const openingTakesMs = 60_000;
/** The provider expires a session by itself; we help where it has not. */
const graceMs = 2 * 60_000;

/** @returns how many payments were looked at; one that fails is left for the next round and does not stop the others */
export async function sweepPayments(parts: PaymentParts, logger: Logger): Promise<number> {
  const now = parts.clock.now().getTime();
  const waiting = await findWaiting(parts.db, now);
  let failedInARow = 0;
  const left = waiting.values(); // one row after the other, for whichever lane is free
  const sweepLane = async () => {
    for (const payment of left) {
      try {
        await sweepOne(parts, payment, now);
        failedInARow = 0;
      } catch (error) {
        logger.warn({ failure: describeFailure(error), orderId: payment.orderId }, 'a payment could not be swept');
        failedInARow += 1;
      }
      if (failedInARow >= providerIsDown) return; // the next round is in a minute
    }
  };
  await Promise.all(Array.from({ length: lanes }, sweepLane));
  if (failedInARow < providerIsDown) await sweepRefunds(parts, logger);
  return waiting.length;
}

/** In random order, so that payments that always fail do not hold up others for good. */
const findWaiting = (db: Db, now: number) =>
  db
    .select()
    .from(paymentSessions)
    .where(
      or(
        eq(paymentSessions.state, 'open'),
        and(eq(paymentSessions.state, 'creating'), lt(paymentSessions.createdAt, new Date(now - openingTakesMs))),
      ),
    )
    .orderBy(sql`random()`)
    .limit(batch);

async function sweepOne(parts: PaymentParts, payment: typeof paymentSessions.$inferSelect, now: number): Promise<void> {
  const { orderId, sessionId, expiresAt } = payment;
  if (sessionId === null) {
    // under its own key: whatever became of the first try, this finds or makes it; once its time is up nobody waits for it
    await (expiresAt.getTime() < now ? endPayment(parts, orderId) : openPayment(parts, orderId));
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
