/**
 * The sweeper finishes payments whose events did not arrive. At start and every minute it reads the provider's list of
 * events since the last time (missedEvents.ts). A single payment is asked about only from the end of its session or hold
 * on. It never ends an order by our own clock: when an order's hold is over it first makes the session unpayable at the
 * provider. Then it finishes refunds that were asked for and not made.
 * Rule: docs/rules/orders-and-payment.md, The sweeper
 */
import { and, eq, lt, lte, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { holds, paymentSessions } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import { describeFailure } from '../db/core/loggedErrors';
import { sweepRefunds } from './autoRefunds';
import { finalise } from './settlePayment';
import { workThrough } from './concurrencyLimits';
import { takeMissedEvents } from './missedEvents';
import type { PaymentParts } from './provider';
import { cancelPayment, openPayment } from './sessions';

const batch = 2_000;
/** A session that is still being opened by a request is left to it this long. */
const openingTakesMs = 60_000;
/** The provider expires a session by itself; we help where it has not. */
const graceMs = 2 * 60_000;

/** What fails is left for the next round and does not stop the others. */
export async function sweepPayments(parts: PaymentParts, logger: Logger): Promise<void> {
  await takeMissedEvents(parts, logger);
  const now = parts.clock.now();
  const due = await findDue(parts.db, now);
  const { isDown } = await workThrough(
    due,
    ({ payment, heldUntil }) => sweepOne(parts, payment, heldUntil ?? payment.expiresAt, now.getTime()),
    ({ payment: { orderId } }, error) =>
      logger.warn({ failure: describeFailure(error), orderId }, 'a payment could not be swept'),
  );
  if (!isDown) await sweepRefunds(parts, logger);
}

/**
 * Those whose end has come, and those that were never opened. In random order, so that payments that always fail do not
 * hold up others for good.
 */
const findDue = (db: Db, now: Date) =>
  db
    .select({ payment: paymentSessions, heldUntil: holds.until })
    .from(paymentSessions)
    .leftJoin(holds, eq(holds.orderId, paymentSessions.orderId))
    .where(
      or(
        and(eq(paymentSessions.state, 'open'), or(lte(paymentSessions.expiresAt, now), lte(holds.until, now))),
        and(
          eq(paymentSessions.state, 'creating'),
          lt(paymentSessions.createdAt, new Date(now.getTime() - openingTakesMs)),
        ),
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
