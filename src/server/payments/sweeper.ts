/**
 * The sweeper finishes payments whose events did not arrive. At start and every minute it asks the provider about every
 * open payment, and passes the answer to the finaliser. It never ends an order by our own clock: when an order's hold is
 * over it first makes the session unpayable at the provider. Then it finishes refunds that were asked for and not made.
 */
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { holds, paymentSessions } from '../db/schema';
import type { Db } from '../db/transact';
import { describeFailure } from '../failures';
import { sweepRefunds } from './autoRefunds';
import { finalise } from './finaliser';
import type { PaymentParts } from './provider';
import { cancelPayment, openPayment } from './sessions';

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
    for (const { payment, heldUntil } of left) {
      try {
        await sweepOne(parts, payment, heldUntil ?? payment.expiresAt, now);
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
    .select({ payment: paymentSessions, heldUntil: holds.until })
    .from(paymentSessions)
    .leftJoin(holds, eq(holds.orderId, paymentSessions.orderId))
    .where(
      or(
        eq(paymentSessions.state, 'open'),
        and(eq(paymentSessions.state, 'creating'), lt(paymentSessions.createdAt, new Date(now - openingTakesMs))),
      ),
    )
    .orderBy(sql`random()`)
    .limit(batch);

type Payment = typeof paymentSessions.$inferSelect;

async function sweepOne(parts: PaymentParts, payment: Payment, heldUntil: Date, now: number): Promise<void> {
  const { orderId, sessionId, expiresAt } = payment;
  const isReplacement = heldUntil < expiresAt; // its session would be payable for longer than its goods are held
  const endsAt = heldUntil.getTime() + (isReplacement || sessionId === null ? 0 : graceMs);
  if (endsAt <= now) return cancelPayment(parts, orderId);
  // under its own key: whatever became of the first try, this finds or makes it
  if (sessionId === null) return void (await openPayment(parts, orderId));
  const session = await parts.payments.findSession(sessionId);
  if (session) await finalise(parts, session);
  return undefined;
}
