/**
 * How records look on the wire: the whole objects as the provider sends them, with null where nothing is.
 * They pass the provider's published schemas, its old one and the one of the present API version.
 */
import type { Charge, EventRecord, Failure, Line, PaymentIntent, Payer, Refund, Session } from './records';
import { apiVersion, type Provider } from './provider';

export type WireObject = Record<string, unknown>;

const emptySession = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  discounts: [],
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  mode: 'payment',
  optional_items: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_details: null,
  shipping_options: [],
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
};

export function presentSession({ publicUrl }: Provider, session: Session): WireObject {
  const isPaid = session.status === 'complete';
  return {
    id: session.id,
    object: 'checkout.session',
    ...emptySession,
    amount_subtotal: session.amount,
    amount_total: session.amount,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: session.currency,
    customer_details: session.payer && customerDetails(session.payer),
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    locale: session.locale,
    metadata: session.metadata,
    payment_intent: isPaid ? session.paymentIntentId : null,
    payment_status: isPaid ? 'paid' : 'unpaid',
    status: session.status,
    submit_type: session.submitType,
    success_url: session.successUrl,
    url: session.status === 'open' ? `${publicUrl}/c/pay/${session.id}` : null,
  };
}

export function presentLineItems(session: Session): WireObject {
  const url = `/v1/checkout/sessions/${session.id}/line_items`;
  return { object: 'list', data: session.lines.map((line) => presentLine(session, line)), has_more: false, url };
}

export function presentLine(session: Session, line: Line): WireObject {
  const { created, currency } = session;
  const amount = line.unitAmount * line.quantity;
  return {
    id: line.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency,
    description: line.name,
    metadata: {},
    price: {
      id: line.priceId,
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created,
      currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: line.productId,
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: line.unitAmount,
      unit_amount_decimal: String(line.unitAmount),
    },
    quantity: line.quantity,
  };
}

export function presentPaymentIntent(intent: PaymentIntent): WireObject {
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: null,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.failure && presentFailure(intent.failure, intent.latestChargeId),
    latest_charge: intent.latestChargeId,
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk', use_stripe_sdk: {} } : null,
    on_behalf_of: null,
    payment_method: intent.paymentMethodId,
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  };
}

export function presentCharge(charge: Charge): WireObject {
  const { failure, payer, card } = charge;
  const isPaid = failure === null;
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: isPaid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: address(payer), email: payer.email, name: payer.name, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: isPaid,
    created: charge.created,
    currency: charge.currency,
    customer: null,
    description: charge.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure && failure.code,
    failure_message: failure && failure.message,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: outcome(failure),
    paid: isPaid,
    payment_intent: charge.paymentIntentId,
    payment_method: charge.paymentMethodId,
    payment_method_details: { type: 'card', card: { brand: card.brand, last4: card.last4 } },
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: isPaid && charge.amountRefunded === charge.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

export function presentRefund(refund: Refund): WireObject {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.chargeId,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: refund.metadata,
    payment_intent: refund.paymentIntentId,
    payment_method: null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}

export function presentEvent({ store }: Provider, event: EventRecord): WireObject {
  const isPending = store.find('deliveries', event.id)?.state === 'pending';
  return {
    id: event.id,
    object: 'event',
    api_version: apiVersion,
    created: event.created,
    data: {
      object: event.object,
      ...(event.previousAttributes && { previous_attributes: event.previousAttributes }),
    },
    livemode: false,
    pending_webhooks: isPending ? 1 : 0,
    request: event.cause,
    type: event.type,
  };
}

function customerDetails(payer: Payer): WireObject {
  return {
    address: address(payer),
    business_name: null,
    email: payer.email,
    individual_name: null,
    name: payer.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

function address(payer: Payer): WireObject {
  return { city: null, country: 'US', line1: null, line2: null, postal_code: payer.postalCode, state: null };
}

function presentFailure({ code, declineCode, message }: Failure, charge: string | null): WireObject {
  return {
    type: 'card_error',
    code,
    message,
    ...(charge && { charge }),
    ...(declineCode && { decline_code: declineCode }),
  };
}

function outcome(failure: Failure | null): WireObject {
  return {
    network_status: failure ? 'declined_by_network' : 'approved_by_network',
    reason: failure && (failure.declineCode ?? failure.code),
    risk_level: 'normal',
    risk_score: 20,
    seller_message: failure ? 'The bank declined the payment.' : 'Payment complete.',
    type: failure ? 'issuer_declined' : 'authorized',
  };
}
