import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { orders } from '../db/schema';
import { transact, type Tx } from '../db/transact';
import { describeFailure } from '../failures';
import { alarmRefused, claimEvent, finalise, recordOutcome, type Finalised } from './finaliser';
import type { PaymentParts } from './provider';
import type { ProviderEvent } from './providerEvents';
import { reconcileRefunds } from './reconcile';

/**
 * Takes a verified event. Those about a payment session are settled with the provider's present word on it; all are
 * stored once, also the foreign and the senseless, so that the provider does not send them again and we can see them.
 */
export async function receiveEvent(parts: PaymentParts, event: ProviderEvent): Promise<Finalised> {
  if (!event.isUnderstood) return store(parts, event, { outcome: 'refused', reason: 'not understood' });
  if (event.livemode !== parts.payments.isLive)
    return store(parts, event, { outcome: 'refused', reason: 'another mode' });
  if (event.refundedPaymentId !== undefined) return reconcileRefunds(parts, event, event.refundedPaymentId);
  if (event.sessionId === undefined)
    return store(parts, event, { outcome: 'ignored', ...(event.failure !== undefined && { reason: event.failure }) });
  const session = await parts.payments.findSession(event.sessionId);
  if (!session) return store(parts, event, { outcome: 'refused', reason: 'unknown session' });
  return finalise(parts, session, event);
}

async function store({ db, clock }: PaymentParts, event: ProviderEvent, result: Finalised): Promise<Finalised> {
  await transact(db, async (tx) => {
    const now = clock.now();
    if (!(await claimEvent(tx, event, now))) return;
    await recordOutcome(tx, event, { ...result, ...(await orderNoted(tx, event)) });
    if (result.outcome === 'refused') await alarmRefused(tx, `event:${event.id}`, result, now);
  });
  return result;
}

/** Declined cards and the like: they change nothing, and are found with their order. */
async function orderNoted(tx: Tx, { orderId }: ProviderEvent): Promise<{ orderId?: string }> {
  if (orderId === undefined) return {};
  const [order] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId));
  return order ? { orderId: order.id } : {};
}

/** Clocks differ, and an event that was on its way at that moment has an earlier time; what is known is not done again. */
const marginMs = 3_600_000;

/**
 * Asks the provider for what it told while nobody listened, or told a shop that is no more: the job that restoring a
 * backup leaves behind. Orders that only the former shop knew are alarms then, each with its payment.
 * @throws when the provider or the database is out of reach, for the queue to try again later
 * Rule: docs/rules/running.md, Backup and restore
 */
export async function fetchEvents(parts: PaymentParts, since: Date, logger: Logger): Promise<void> {
  const events = await parts.payments.listEvents(new Date(since.getTime() - marginMs));
  let failed: unknown;
  for (const event of events) {
    try {
      await receiveEvent(parts, event);
    } catch (error) {
      failed = error; // the others are not to wait for this one
      logger.warn({ failure: describeFailure(error), event: event.id }, 'an event could not be taken');
    }
  }
  if (failed !== undefined) throw new Error('not all events of the payment provider could be taken');
}
