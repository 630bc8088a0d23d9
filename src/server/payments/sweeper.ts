/**
 * The sweeper finishes payments whose events did not arrive. At start and every minute it reads the provider's list of
 * events since the last run (missedEvents.ts). A single payment is checked only once its session or hold has ended. The
 * sweeper never ends an order by our own clock: when an order's hold is over it first makes the session unpayable at the
 * provider. Then it finishes refunds that were requested but not made.
 * Rule: docs/rules/orders-and-payment.md, The sweeper
 */
import { and, eq, lt, lte, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { holds, paymentSessions } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import { describeFailure } from '../db/core/loggedErrors';
import { sweepRefunds } from './autoRefunds';
import { settlePayment } from './settlePayment';
import { workThrough } from './workThrough';
import { processMissedEvents } from './missedEvents';
import type { PaymentParts } from './provider';
import { cancelPayment, openPayment } from './sessions';

const batchSize = 2_000;
/** For this long a session being opened is left to the request that opens it. */
const openingMs = 60_000;
/** The provider expires sessions by itself; the sweeper steps in after this. */
const graceMs = 2 * 60_000;

/** A failure is left for the next round and does not stop the others. */
export async function sweepPayments(parts: PaymentParts, logger: Logger): Promise<void> {
  await processMissedEvents(parts, logger);
  const now = parts.clock.now();
  const due = await findDue(parts.db, now);
  const { isDown } = await workThrough(
    due,
    ({ payment, heldUntil }) => sweepOne(parts, payment, heldUntil ?? payment.expiresAt, now.getTime()),
    ({ payment: { orderId } }, error) =>
      logger.warn({ failure: describeFailure(error), orderId }, "couldn't check a payment"),
  );
  if (!isDown) await sweepRefunds(parts, logger);
}

/**
 * Sessions that have ended, and sessions that were never opened. In random order, so that payments that always fail do not
 * block others for good.
 */
const findDue = (db: Db, now: Date) =>
  db
    .select({ payment: paymentSessions, heldUntil: holds.until })
    .from(paymentSessions)
    .leftJoin(holds, eq(holds.orderId, paymentSessions.orderId))
    .where(
      or(
        and(eq(paymentSessions.state, 'open'), or(lte(paymentSessions.expiresAt, now), lte(holds.until, now))),
        and(eq(paymentSessions.state, 'creating'), lt(paymentSessions.createdAt, new Date(now.getTime() - openingMs))),
      ),
    )
    .orderBy(sql`random()`)
    .limit(batchSize);

type Payment = typeof paymentSessions.$inferSelect;

async function sweepOne(parts: PaymentParts, payment: Payment, heldUntil: Date, now: number): Promise<void> {
  const { orderId, sessionId, expiresAt } = payment;
  const isReplacement = heldUntil < expiresAt; // its session would be payable for longer than its stock is held
  const endsAt = heldUntil.getTime() + (isReplacement || sessionId === null ? 0 : graceMs);
  if (endsAt <= now) return cancelPayment(parts, orderId);
  // under its own key: finds or creates it, whatever became of the first attempt
  if (sessionId === null) return void (await openPayment(parts, orderId));
  const session = await parts.payments.findSession(sessionId);
  if (session) await settlePayment(parts, session);
  return undefined;
}
