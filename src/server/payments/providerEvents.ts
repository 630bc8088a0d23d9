/** The provider's events. An event is signed, but its shape is still not trusted. */
import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { Problem } from '../http/core/problems';
import { uuidPattern } from '../core/ids';
import { unavailable } from './providerErrors';

export type ProviderEvent = {
  id: string;
  type: string;
  /** Has an id, a type and a subject; otherwise it is only stored. */
  isUnderstood: boolean;
  livemode: unknown;
  /** By the provider's clock, in whole seconds. */
  createdAt: Date | undefined;
  /** Found in the provider's list, not received by webhook. */
  isFetched: boolean;
  /** Its subject: a session, or the payment that was refunded. */
  sessionId: string | undefined;
  refundedPaymentId: string | undefined;
  /** The order it claims to belong to: used only as a note. */
  orderId: string | undefined;
  /** Why a payment was declined, as `insufficient_funds`. */
  failure: string | undefined;
};

/** All event types that change an order. */
export const eventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
] as const;
const pageSize = 100; // the provider's maximum
const signedWithinSeconds = 300;

/** @param webhookSecrets one, or two during a rotation */
export const eventCalls = (stripe: Stripe, webhookSecrets: readonly string[]) => ({
  /**
   * Lists the provider's events page by page, newest first; the provider keeps them for 30 days.
   * @throws Problem 502 payment_unavailable, possibly after some pages
   */
  async *listEvents(since: Date): AsyncGenerator<ProviderEvent[]> {
    const created = { gte: Math.floor(since.getTime() / 1000) };
    const params = { created, types: [...eventTypes], limit: pageSize };
    for (let last: string | undefined; ;) {
      const page = await stripe.events
        .list(last === undefined ? params : { ...params, starting_after: last })
        .catch((error: unknown) => {
          throw unavailable(error);
        });
      yield page.data.map((event) => ({ ...describeEvent(event), isFetched: true }));
      last = page.data.at(-1)?.id;
      if (!page.has_more || last === undefined) return;
    }
  },

  /**
   * @param now by the shop's clock: old signatures are rejected
   * @throws Problem 400 invalid_signature, without details of what was wrong
   */
  requireSigned(body: Buffer, signature: string | undefined, now: Date): void {
    if (webhookSecrets.some((secret) => isSigned(stripe, body, signature ?? '', secret, now))) return;
    throw new Problem(400, 'invalid_signature', "The event's signature couldn't be verified");
  },

  /**
   * Verifies and reads an event.
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
    return false; // the next secret may match: there are two during a rotation
  }
}

function describeEvent(payload: unknown): ProviderEvent {
  const { id, type, livemode, created, data } = asFields(payload);
  const object = asFields(data)['object'];
  const subject = asFields(object);
  const orderId = asFields(subject['metadata'])['order_id'];
  const sessionId = subject['object'] === 'checkout.session' ? subject['id'] : undefined;
  const isRefund = subject['object'] === 'refund' || type === 'charge.refunded';
  const paymentId = isRefund ? subject['payment_intent'] : undefined;
  const error = asFields(subject['last_payment_error']);
  return {
    id: textLike(idPattern, id) ?? `unnamed_${hashOf(payload)}`, // the same event gets the same id when it is resent
    type: textLike(typePattern, type) ?? 'unknown',
    isUnderstood: Boolean(textLike(idPattern, id) && textLike(typePattern, type) && isObject(object)),
    livemode,
    createdAt: Number.isSafeInteger(created) ? new Date(Number(created) * 1000) : undefined,
    isFetched: false,
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

const hashOf = (payload: unknown): string => createHash('sha256').update(JSON.stringify(payload)).digest('hex');
