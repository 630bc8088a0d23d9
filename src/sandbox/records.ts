/**
 * The provider's records. Times are Unix seconds and amounts whole cents, as on the provider's wire.
 * A record is never changed in place: a change stores a new record under the same id.
 */
export type Tables = {
  sessions: Session;
  paymentIntents: PaymentIntent;
  charges: Charge;
  refunds: Refund;
  coupons: Coupon;
  events: EventRecord;
  deliveries: Delivery;
  keys: StoredResponse;
};

export type Metadata = Record<string, string>;

export type Session = {
  id: string;
  created: number;
  expiresAt: number;
  status: 'open' | 'complete' | 'expired';
  currency: string;
  /** The amount to pay: the lines less the discount. */
  amount: number;
  lines: Line[];
  discount?: SessionDiscount | undefined;
  allowedPaymentMethodTypes: string[] | null;
  successUrl: string;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  customerEmail: string | null;
  locale: string | null;
  submitType: string | null;
  metadata: Metadata;
  /** Copied into the payment intent once there is one. */
  paymentMetadata: Metadata;
  paymentDescription: string | null;
  /** Set at the first attempt; shown to the merchant only once paid. */
  paymentIntentId: string | null;
  /** The payer as typed, once paid. */
  payer: Payer | null;
  /** A card that waits for its holder's confirmation (3-D Secure). */
  authentication: { card: CardUse; payer: Payer } | null;
  completedEventId: string | null;
};

export type Line = {
  id: string;
  priceId: string;
  productId: string;
  name: string;
  unitAmount: number;
  quantity: number;
};

/** A coupon's discount on a session: its name and amount stay as they were when the session was opened. */
export type SessionDiscount = { id: string; couponId: string; name: string; amount: number };

/** An amount off one payment. */
export type Coupon = {
  id: string;
  created: number;
  amountOff: number;
  currency: string;
  name: string | null;
  maxRedemptions: number | null;
  metadata: Metadata;
  timesRedeemed: number;
};

export type Payer = { email: string; name: string; postalCode: string };

/** All that is stored of a card. */
export type CardUse = { brand: string; last4: string };

export type Failure = { code: string; declineCode: string | null; message: string };

export type PaymentIntent = {
  id: string;
  created: number;
  amount: number;
  currency: string;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded';
  metadata: Metadata;
  description: string | null;
  latestChargeId: string | null;
  paymentMethodId: string | null;
  failure: Failure | null;
};

export type Charge = {
  id: string;
  created: number;
  paymentIntentId: string;
  paymentMethodId: string;
  amount: number;
  amountRefunded: number;
  currency: string;
  metadata: Metadata;
  description: string | null;
  card: CardUse;
  payer: Payer;
  /** Why the card was declined; null when the charge succeeded. */
  failure: Failure | null;
};

export type Refund = {
  id: string;
  created: number;
  chargeId: string;
  paymentIntentId: string;
  amount: number;
  currency: string;
  reason: string | null;
  metadata: Metadata;
};

export type EventRecord = {
  id: string;
  created: number;
  type: string;
  /** The wire object at that moment. */
  object: Record<string, unknown>;
  previousAttributes: Record<string, unknown> | null;
  cause: Cause;
};

/** The API call that caused an event; nulls when the payer or the clock caused it. */
export type Cause = { id: string | null; idempotency_key: string | null };

/** The delivery of one event to the merchant; its id is the event's. */
export type Delivery = {
  id: string;
  state: 'pending' | 'delivered' | 'given_up';
  createdMs: number;
  attempts: number;
  nextAttemptMs: number;
  /** HTTP status of the last attempt; null when there was no response. */
  lastStatus: number | null;
};

/** The response stored under an idempotency key, which is its id. */
export type StoredResponse = {
  id: string;
  created: number;
  fingerprint: string;
  requestId: string;
  status: number;
  body: string;
};
