/** Maps failed provider calls to the shop's errors. */
import { Stripe } from 'stripe';
import { orderMessages } from '../../shared/orders';
import { Problem } from '../http/core/problems';

/** The provider failed, and replays that failure under this key: the next attempt needs a new one. */
export class SessionFailed extends Error {}

/** The provider rejected opening a session for good: no session exists under this order's key. */
export class SessionRefused extends Error {}

/** The call came too late: the session would end too soon. A session that exists under this key is not rejected this way. */
export class SessionTooLate extends SessionRefused {}

/** Another call with the same key is in flight. */
export class SessionBeingOpened extends Error {}

/** The provider rejected a refund for good: nothing was refunded. */
export class RefundRefused extends Error {}

/**
 * What a failure to open a session means. A 400 means that no session was opened. A 500, or an error that the key was used
 * with other parameters (an address changed meanwhile), is replayed under that key for good. All others may be retried.
 */
export function openingFailure(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError)) return unavailable(error);
  const { type, statusCode = 0, message, code, param } = error;
  if (code === 'idempotency_key_in_use') return new SessionBeingOpened(message, { cause: error });
  if (isRejection(error) && param === 'expires_at') return new SessionTooLate(message, { cause: error });
  if (isRejection(error)) return new SessionRefused(message, { cause: error });
  if ((type === 'StripeIdempotencyError' && statusCode === 400) || statusCode >= 500)
    return new SessionFailed(message, { cause: error });
  return unavailable(error);
}

/** The provider understood the call and will never accept it unchanged. */
export const isRejection = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;

/** Rule: docs/rules/orders-and-payment.md, Placing an order */
export const unavailable = (cause: unknown) =>
  Object.assign(new Problem(502, 'payment_unavailable', orderMessages.paymentFailed, { retryAfterSeconds: 5 }), {
    cause,
  });
