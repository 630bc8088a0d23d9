/** What a failed call to the provider means for us. */
import { Stripe } from 'stripe';
import { orderMessages } from '../../shared/orders';
import { Problem } from '../http/core/problems';

/** The provider failed, and keeps that failure as the answer under this key: the next try needs a new one. */
export class SessionFailed extends Error {}

/** The provider refused to open a session for good: none exists under this order's key. */
export class SessionRefused extends Error {}

/** It was asked for too late: the session would end too soon. What exists under this key already is not refused so. */
export class SessionTooLate extends SessionRefused {}

/** Somebody else is opening it under the same key just now. */
export class SessionBeingOpened extends Error {}

/** The provider refused a refund for good: nothing was given back. */
export class RefundRefused extends Error {}

/**
 * What a failed opening means. A 400 says that nothing was opened. An answer of 500, or one that says the key was used
 * with other words (an address changed meanwhile), is kept under that key for good. All else may be asked again.
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

/** The provider understood the call and will not do it, as it stands. */
export const isRejection = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;

/** Rule: docs/rules/orders-and-payment.md, Placing an order */
export const unavailable = (cause: unknown) =>
  Object.assign(new Problem(502, 'payment_unavailable', orderMessages.paymentFailed, { retryAfterSeconds: 5 }), {
    cause,
  });
