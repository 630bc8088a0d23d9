/**
 * The payment provider as the shop sees it: the real `stripe` SDK, pointed at Stripe, or at the test provider that speaks
 * the same protocol. Everything that can be said twice is said with an idempotency key of ours, made from the order, so
 * a lost answer is asked for again and never done again.
 */
import { Stripe } from 'stripe';
import { orderSays } from '../../shared/orders';
import { Problem } from '../http/problems';

export type SessionRequest = {
  orderId: string;
  /** A new number is a new try; the same number asks for the outcome of the same try. */
  attempt: number;
  userId: string;
  cartId: string;
  email: string;
  lines: readonly { name: string; unitPriceCents: number; quantity: number }[];
  expiresAt: Date;
};

export type ProviderSession = {
  id: string;
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  amountCents: number;
  currency: string;
  /** Our order, as we named it when the session was opened. */
  orderId: string | undefined;
  url: string | undefined;
  paymentIntentId: string | undefined;
};

export type ProviderEvent = { id: string; type: string; livemode: boolean; sessionId: string | undefined };

/** The provider failed, and keeps that failure as the answer under this key: the next try needs a new one. */
export class SessionFailed extends Error {}

/** The provider refused to open a session for good: none exists under this order's key. */
export class SessionRefused extends Error {}

export type Payments = ReturnType<typeof openPayments>;

export type PaymentsOptions = {
  secretKey: string;
  webhookSecret: string;
  /** The test provider's API; without it, Stripe's own. */
  apiUrl?: URL;
  /** The shop's address as a browser knows it. */
  publicUrl: URL;
};

const timeoutMs = 6_000; // twice, with the SDK's one retry, is still under the 15 s that a buyer may wait
export const currency = 'usd';
const sessionIdPattern = /^cs_\w{1,250}$/;

export function openPayments({ secretKey, webhookSecret, apiUrl, publicUrl }: PaymentsOptions) {
  const stripe = new Stripe(secretKey, {
    ...sdkAddress(apiUrl),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const isLive = /^[sr]k_live_/.test(secretKey);

  return {
    isLive,

    /**
     * Opens the order's payment session, or finds the one that was opened by the same call before.
     * @throws SessionRefused, SessionFailed, or Problem 502 payment_unavailable when the provider could not be asked
     */
    async openSession(request: SessionRequest): Promise<ProviderSession> {
      const back = new URLSearchParams({ user_id: request.userId, cart_id: request.cartId });
      try {
        return readSession(
          await stripe.checkout.sessions.create(
            {
              mode: 'payment',
              allowed_payment_method_types: ['card'], // paid at once or not at all: nothing is settled days later
              client_reference_id: request.orderId,
              metadata: { order_id: request.orderId },
              payment_intent_data: { metadata: { order_id: request.orderId } },
              customer_email: request.email,
              line_items: request.lines.map(({ name, unitPriceCents, quantity }) => ({
                quantity,
                price_data: { currency, unit_amount: unitPriceCents, product_data: { name } },
              })),
              expires_at: Math.floor(request.expiresAt.getTime() / 1000),
              // the placeholder must stay as it is: encoded, the provider would not find it
              success_url: `${publicUrl.origin}/customer/order/success?session_id={CHECKOUT_SESSION_ID}&${back.toString()}`,
              cancel_url: `${publicUrl.origin}/cart`,
            },
            { idempotencyKey: `order-${request.orderId}-${request.attempt}` },
          ),
        );
      } catch (error) {
        throw openingFailure(error);
      }
    },

    /** @returns the session as it is now, undefined when the provider has none of this id */
    async findSession(sessionId: string): Promise<ProviderSession | undefined> {
      if (sessionId.length > 255 || !sessionIdPattern.test(sessionId)) return undefined;
      try {
        return readSession(await stripe.checkout.sessions.retrieve(sessionId));
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
          return undefined;
        throw unavailable(error);
      }
    },

    /**
     * Makes a session unpayable.
     * @returns the session as it is then: one that was paid first is complete, not expired; undefined when the provider
     *   has none of this id
     */
    async expireSession(sessionId: string): Promise<ProviderSession | undefined> {
      try {
        return readSession(await stripe.checkout.sessions.expire(sessionId));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw unavailable(error);
      }
      return this.findSession(sessionId); // only an open one can be expired: this one has ended one way or the other
    },

    /**
     * Gives back a whole payment, once.
     * @param key says which refund this is, so that asking again is the same one
     * @returns the refund's id; undefined when it had been given back by hand
     */
    async refund(key: string, paymentIntentId: string): Promise<string | undefined> {
      try {
        return (await stripe.refunds.create({ payment_intent: paymentIntentId }, { idempotencyKey: key })).id;
      } catch (error) {
        if (error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded') return undefined;
        throw unavailable(error);
      }
    },

    /** Reads a signed event. @throws Problem 400 invalid_signature, without saying what was wrong with it */
    readEvent(body: Buffer | undefined, signature: string | undefined): ProviderEvent {
      try {
        const { id, type, livemode, data } = stripe.webhooks.constructEvent(body ?? '', signature ?? '', webhookSecret);
        const subject = data.object as { object?: unknown; id?: unknown };
        const isSession = subject.object === 'checkout.session' && typeof subject.id === 'string';
        return { id, type, livemode, sessionId: isSession ? (subject.id as string) : undefined };
      } catch {
        throw new Problem(400, 'invalid_signature', 'The event could not be verified');
      }
    },
  };
}

/**
 * What a failed opening means. A 400 says that nothing was opened. An answer of 500, or one that says the key was used
 * with other words (an address changed meanwhile), is kept under that key for good. All else may be asked again.
 */
function openingFailure(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError)) return unavailable(error);
  const { type, statusCode = 0, message } = error;
  if (type === 'StripeInvalidRequestError' && statusCode === 400) return new SessionRefused(message, { cause: error });
  if ((type === 'StripeIdempotencyError' && statusCode === 400) || statusCode >= 500)
    return new SessionFailed(message, { cause: error });
  return unavailable(error);
}

const endedStatuses = ['complete', 'expired'] as const;

function readSession(session: Stripe.Checkout.Session): ProviderSession {
  const intent = session.payment_intent;
  return {
    id: session.id,
    status: endedStatuses.find((ended) => ended === session.status) ?? 'open',
    isPaid: session.payment_status === 'paid',
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    orderId: session.client_reference_id ?? undefined,
    url: session.url ?? undefined,
    paymentIntentId: typeof intent === 'string' ? intent : intent?.id,
  };
}

const sdkAddress = (apiUrl: URL | undefined) =>
  apiUrl && {
    host: apiUrl.hostname,
    port: apiUrl.port || (apiUrl.protocol === 'https:' ? 443 : 80),
    protocol: apiUrl.protocol === 'https:' ? ('https' as const) : ('http' as const),
  };

/** Source: specification §8 */
export const unavailable = (cause: unknown) =>
  Object.assign(new Problem(502, 'payment_unavailable', orderSays.paymentFailed, { retryAfterSeconds: 5 }), {
    cause,
  });
