/** What an event of the provider tells us. It is signed, and yet nothing of its shape is taken for granted. */
import { createHash } from 'node:crypto';
import { uuidPattern } from '../ids';

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

export function describeEvent(told: unknown): ProviderEvent {
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
