import type { Charge, Failure, PaymentIntent, Refund } from './records';
import { address, type WireObject } from './wire';

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
