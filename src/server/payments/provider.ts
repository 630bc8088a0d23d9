/**
 * The payment provider: the real `stripe` SDK, pointed at Stripe, or at the test provider that speaks the same protocol.
 * Every repeatable call has an idempotency key derived from the order, so a call whose response was lost can be retried
 * without being done twice.
 */
import { createHash } from 'node:crypto';
import { Stripe } from 'stripe';
import type { Clock } from '../core/clock';
import type { Db } from '../db/core/transact';
import type { StaffMailParts } from '../staffMails/service';
import type { PaidParts } from './chargedParts';
import { isRejection, openingFailure, unavailable } from './providerErrors';
import { eventCalls } from './providerEvents';
import { refundCalls } from './providerRefunds';

export type SessionRequest = PaidParts & {
  orderId: string;
  /** A new number is a new attempt; the same number asks for the outcome of the same attempt. */
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
  /** The amount to pay, after the discount. */
  amountCents: number;
  discountCents: number;
  currency: string;
  /** Our order id, sent when the session was opened. */
  orderId: string | undefined;
  url: string | undefined;
  paymentIntentId: string | undefined;
};

/** The dependencies of all payment code. */
export type PaymentParts = StaffMailParts & { db: Db; clock: Clock; payments: Payments };

export type Payments = ReturnType<typeof openPayments>;

export type PaymentsOptions = {
  secretKey: string;
  /** One secret, or two separated by a comma during a rotation. */
  webhookSecret: string;
  /** For the provider's script on the checkout page; without it no script is loaded. */
  publishableKey?: string | undefined;
  /** The test provider's API; default: Stripe's. */
  apiUrl?: URL;
  /** The shop's address as browsers see it. */
  publicUrl: URL;
};

const timeoutMs = 6_000; // twice, with the SDK's one retry, stays under the 15 s that a buyer may wait
/** The coupon is created first: both calls, each tried twice, stay under the same 15 s. */
const withCoupon = { couponMs: 2_000, sessionMs: 4_500 };
export const currency = 'usd';
const sessionIdPattern = /^cs_\w{1,250}$/;

export function openPayments({ secretKey, webhookSecret, publishableKey, apiUrl, publicUrl }: PaymentsOptions) {
  const stripe = new Stripe(secretKey, {
    ...sdkAddress(apiUrl),
    timeout: timeoutMs,
    // its timeout covers the whole response; the default client's restarts with each byte received
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const isLive = /^[sr]k_live_/.test(secretKey);
  return {
    name: apiUrl ? ('sandbox' as const) : ('stripe' as const),
    isLive,
    mode: isLive ? ('live' as const) : ('test' as const),
    /** Tells two secret keys apart; the key cannot be derived from it. */
    keyId: createHash('sha256').update(`payment key ${secretKey}`).digest('hex').slice(0, 16),
    webhookUrl: new URL('/api/payments/webhook', publicUrl).href,
    publishableKey,
    isKeyAccepted: () => isKeyAccepted(stripe),
    ...sessionCalls(stripe, publicUrl),
    ...refundCalls(stripe),
    ...eventCalls(stripe, webhookSecret.split(',')),
  };
}

/** @returns undefined while the provider is unreachable; a restricted key counts as accepted */
async function isKeyAccepted(stripe: Stripe): Promise<boolean | undefined> {
  try {
    await stripe.events.list({ limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return false;
    return error instanceof Stripe.errors.StripePermissionError ? true : undefined;
  }
}

function sessionCalls(stripe: Stripe, publicUrl: URL) {
  /** @returns the session's current state; undefined when the provider has no session with this id */
  async function findSession(sessionId: string): Promise<ProviderSession | undefined> {
    if (sessionId.length > 255 || !sessionIdPattern.test(sessionId)) return undefined;
    try {
      return readSession(await stripe.checkout.sessions.retrieve(sessionId));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
        return undefined;
      throw unavailable(error);
    }
  }

  /**
   * Creates the coupon of an order's discount. Its id is derived from the order's and can be created once, so all attempts
   * share one coupon; an idempotency key would only replay a failure. A rejection is ignored here: opening the session fails
   * without its coupon too, unless the session was opened before.
   */
  async function createCoupon(orderId: string, { code, cents }: NonNullable<PaidParts['discount']>): Promise<void> {
    const coupon = { id: couponIdOf(orderId), amount_off: cents, currency, duration: 'once', name: code };
    try {
      await stripe.coupons.create({ ...coupon, metadata: { order_id: orderId } }, { timeout: withCoupon.couponMs });
    } catch (error) {
      if (!isRejection(error)) throw unavailable(error);
    }
  }

  return {
    findSession,

    /**
     * Opens the order's payment session, or finds the one that the same call opened before. A discount's coupon is created
     * first.
     * @throws SessionRefused, SessionTooLate, SessionBeingOpened, SessionFailed, or Problem 502 payment_unavailable when the provider could not be reached
     */
    async openSession(request: SessionRequest): Promise<ProviderSession> {
      const { orderId, attempt, discount } = request;
      if (discount) await createCoupon(orderId, discount);
      const options = {
        idempotencyKey: `order-${orderId}-${attempt}`,
        ...(discount && { timeout: withCoupon.sessionMs }),
      };
      try {
        return readSession(await stripe.checkout.sessions.create(describeSession(request, publicUrl), options));
      } catch (error) {
        throw openingFailure(error);
      }
    },

    /**
     * Makes a session unpayable.
     * @returns the session afterwards: one that was paid first is complete, not expired; undefined when the provider has no
     *   session with this id
     * @throws Problem 502 payment_unavailable, also when the session can still be paid: it must not be replaced then
     */
    async expireSession(sessionId: string): Promise<ProviderSession | undefined> {
      try {
        return readSession(await stripe.checkout.sessions.expire(sessionId));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw unavailable(error);
        const current = await findSession(sessionId); // only an open session can be expired: this one may have ended before
        if (current?.status === 'open') throw unavailable(error);
        return current;
      }
    },
  };
}

function describeSession(request: SessionRequest, publicUrl: URL): Stripe.Checkout.SessionCreateParams {
  const returnParams = new URLSearchParams({ user_id: request.userId, cart_id: request.cartId });
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'], // card payments succeed or fail immediately: nothing settles days later
    client_reference_id: request.orderId,
    metadata: { order_id: request.orderId },
    payment_intent_data: { metadata: { order_id: request.orderId } },
    customer_email: request.email,
    line_items: [...request.lines, ...addedLines(request)].map(({ name, unitPriceCents, quantity }) => ({
      quantity,
      price_data: { currency, unit_amount: unitPriceCents, product_data: { name } },
    })),
    ...(request.discount && { discounts: [{ coupon: couponIdOf(request.orderId) }] }),
    expires_at: Math.floor(request.expiresAt.getTime() / 1000),
    // the placeholder must not be URL-encoded, or the provider does not replace it
    success_url: `${publicUrl.origin}/customer/order/success?session_id={CHECKOUT_SESSION_ID}&${returnParams.toString()}`,
    cancel_url: `${publicUrl.origin}/cart`,
  };
}

/** Delivery and tax are line items like products. */
const addedLines = ({ delivery, tax }: PaidParts): SessionRequest['lines'] =>
  [delivery, tax]
    .filter((part) => part !== null)
    .map(({ name, cents }) => ({ name, unitPriceCents: cents, quantity: 1 }));

const couponIdOf = (orderId: string) => `order-${orderId}`;

const endedStatuses = ['complete', 'expired'] as const;

function readSession(session: Stripe.Checkout.Session): ProviderSession {
  const intent = session.payment_intent;
  return {
    id: session.id,
    status: endedStatuses.find((ended) => ended === session.status) ?? 'open',
    isPaid: session.payment_status === 'paid',
    amountCents: session.amount_total ?? 0,
    discountCents: session.total_details?.amount_discount ?? 0,
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
