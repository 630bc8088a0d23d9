import { eq } from 'drizzle-orm';
import { orders } from '../db/schema/tables';
import { transact, type Tx } from '../db/core/transact';
import { alarmRefused, claimEvent, settlePayment, recordOutcome, type SettledPayment } from './settlePayment';
import type { PaymentParts } from './provider';
import type { ProviderEvent } from './providerEvents';
import { reconcileRefunds } from './reconcile';

/**
 * Processes a verified event. Events about a payment session are settled with the session's current state at the provider.
 * All are stored once, including foreign and malformed ones, so that the provider stops resending them and staff can see
 * them.
 */
export async function receiveEvent(parts: PaymentParts, event: ProviderEvent): Promise<SettledPayment> {
  if (!event.isUnderstood) return store(parts, event, { outcome: 'refused', reason: 'unrecognized event' });
  if (event.livemode !== parts.payments.isLive)
    return store(parts, event, { outcome: 'refused', reason: 'test/live mode mismatch' });
  if (event.refundedPaymentId !== undefined) return reconcileRefunds(parts, event, event.refundedPaymentId);
  if (event.sessionId === undefined)
    return store(parts, event, { outcome: 'ignored', ...(event.failure !== undefined && { reason: event.failure }) });
  const session = await parts.payments.findSession(event.sessionId);
  if (!session) return store(parts, event, { outcome: 'refused', reason: 'unknown session' });
  return settlePayment(parts, session, event);
}

async function store(
  { db, clock }: PaymentParts,
  event: ProviderEvent,
  result: SettledPayment,
): Promise<SettledPayment> {
  await transact(db, async (tx) => {
    const now = clock.now();
    if (!(await claimEvent(tx, event, now))) return;
    await recordOutcome(tx, event, { ...result, ...(await findNotedOrder(tx, event)) });
    if (result.outcome === 'refused') await alarmRefused(tx, `event:${event.id}`, result, now);
  });
  return result;
}

/** Declined cards and the like change nothing, but are stored with their order. */
async function findNotedOrder(tx: Tx, { orderId }: ProviderEvent): Promise<{ orderId?: string }> {
  if (orderId === undefined) return {};
  const [order] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId));
  return order ? { orderId: order.id } : {};
}
