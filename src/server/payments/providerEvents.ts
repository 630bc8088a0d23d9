/** The provider's events and what they tell us. An event is signed, and yet nothing of its shape is taken for granted. */
import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { Problem } from '../http/problems';
import { uuidPattern } from '../ids';
import { unavailable } from './providerErrors';

export type ProviderEvent = {
  id: string;
  type: string;
  /** Has an id, a type and something that it is about; without them it is only kept. */
  isUnderstood: boolean;
  livemode: unknown;
  /** What it is about: a session, or a payment that was given back. */
  sessionId: string | undefined;
  refundedPaymentId: string | undefined;
  /** The order that it says it belongs to: good for a note, and for nothing else. */
  orderId: string | undefined;
  /** Why a payment was declined, as `insufficient_funds`. */
  failure: string | undefined;
};

/** Those that only an event tells of: that a session expired is found by the sweeper. */
const eventTypes = ['checkout.session.completed', 'refund.created', 'refund.updated', 'charge.refunded'] as const;
const signedWithinSeconds = 300;

/** @param webhookSecrets one, or while it is rotated two */
export const eventCalls = (stripe: Stripe, webhookSecrets: readonly string[]) => ({
  /**
   * What the provider would have told us, oldest first; it remembers 30 days.
   * @throws Problem 502 payment_unavailable
   */
  async listEvents(since: Date): Promise<ProviderEvent[]> {
    const events: ProviderEvent[] = [];
    const created = { gte: Math.floor(since.getTime() / 1000) };
    try {
      for await (const event of stripe.events.list({ created, types: [...eventTypes], limit: 100 }))
        events.push(describeEvent(event));
    } catch (error) {
      throw unavailable(error);
    }
    return events.toReversed();
  },

  /**
   * @param now by the shop's clock: what was signed long ago is refused
   * @throws Problem 400 invalid_signature, without saying what was wrong with it
   */
  requireSigned(body: Buffer, signature: string | undefined, now: Date): void {
    if (webhookSecrets.some((secret) => isSigned(stripe, body, signature ?? '', secret, now))) return;
    throw new Problem(400, 'invalid_signature', 'The event could not be verified');
  },

  /**
   * Reads a signed event.
   * @throws Problem 400 invalid_signature, as requireSigned
   */
  readEvent(body: Buffer | undefined, signature: string | undefined, now: Date): ProviderEvent {
    const bytes = body ?? Buffer.alloc(0);
    this.requireSigned(bytes, signature, now);
    return describeEvent(JSON.parse(bytes.toString('utf8')));
  },
});

function isSigned(stripe: Stripe, body: Buffer, signature: string, secret: string, now: Date): boolean {
  const { signature: signatures } = stripe.webhooks;
  try {
    return signatures?.verifyHeader(body, signature, secret, signedWithinSeconds, undefined, now.getTime()) === true;
  } catch {
    return false; // the next secret may be the one: while it is rotated there are two
  }
}

function describeEvent(told: unknown): ProviderEvent {
  const { id, type, livemode, data } = asFields(told);
  const object = asFields(data)['object'];
  const subject = asFields(object);
  const orderId = asFields(subject['metadata'])['order_id'];
  const sessionId = subject['object'] === 'checkout.session' ? subject['id'] : undefined;
  const isRefund = subject['object'] === 'refund' || type === 'charge.refunded';
  const paymentId = isRefund ? subject['payment_intent'] : undefined;
  const error = asFields(subject['last_payment_error']);
  return {
    id: textLike(idPattern, id) ?? `unnamed_${hashOf(told)}`, // told again it has the same one
    type: textLike(typePattern, type) ?? 'unknown',
    isUnderstood: Boolean(textLike(idPattern, id) && textLike(typePattern, type) && isObject(object)),
    livemode,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    refundedPaymentId: textLike(/^pi_\w{1,250}$/, paymentId),
    orderId: textLike(uuidPattern, orderId),
    failure: textLike(/^\w{1,100}$/, error['decline_code'] ?? error['code']),
  };
}

const idPattern = /^[\w-]{1,255}$/;
const typePattern = /^[\w.]{1,255}$/;

const textLike = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const asFields = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

const hashOf = (told: unknown): string => createHash('sha256').update(JSON.stringify(told)).digest('hex');
