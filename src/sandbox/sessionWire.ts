import { discountOf, presentDiscounts, sharesOf } from './discounts';
import type { Provider } from './provider';
import type { Line, Payer, Session } from './records';
import { address, type WireObject } from './wire';

const emptySession = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
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
  ui_mode: 'hosted_page',
  wallet_options: null,
};

export function presentSession({ publicUrl }: Provider, session: Session): WireObject {
  const isPaid = session.status === 'complete';
  return {
    id: session.id,
    object: 'checkout.session',
    ...emptySession,
    allowed_payment_method_types: session.allowedPaymentMethodTypes,
    amount_subtotal: session.amount + discountOf(session),
    amount_total: session.amount,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: session.currency,
    customer_details: session.payer && customerDetails(session.payer),
    customer_email: session.customerEmail,
    discounts: presentDiscounts(session),
    expires_at: session.expiresAt,
    locale: session.locale,
    metadata: session.metadata,
    payment_intent: isPaid ? session.paymentIntentId : null,
    payment_status: isPaid ? 'paid' : 'unpaid',
    status: session.status,
    submit_type: session.submitType,
    success_url: session.successUrl,
    total_details: { amount_discount: discountOf(session), amount_shipping: 0, amount_tax: 0 },
    url: session.status === 'open' ? `${publicUrl}/c/pay/${session.id}` : null,
  };
}

export function presentLineItems(session: Session): WireObject {
  const url = `/v1/checkout/sessions/${session.id}/line_items`;
  return { object: 'list', data: presentLines(session), has_more: false, url };
}

/** The lines in the order sent, each with its share of the discount. */
export function presentLines(session: Session): WireObject[] {
  const shares = sharesOf(session);
  return session.lines.map((line, at) => presentLine(session, line, shares[at] ?? 0));
}

function presentLine(session: Session, line: Line, discount: number): WireObject {
  const { created, currency } = session;
  const amount = line.unitAmount * line.quantity;
  return {
    id: line.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount - discount,
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
