/**
 * A payer's attempts to pay a session. Each attempt is one transaction: the session, its payment intent, the charge and the
 * events change together or not at all. With two concurrent attempts (or a payment and an expiry), the second one sees the
 * result of the first.
 */
import { noSuch } from './apiError';
import type { Call } from './call';
import type { TestCard } from './cards';
import { redeem } from './discounts';
import { byPayerOrClock, recordEvent } from './events';
import { newId } from './ids';
import { presentCharge, presentPaymentIntent } from './paymentWire';
import type { Provider } from './provider';
import type { CardUse, Charge, Failure, Payer, PaymentIntent, Session } from './records';
import { findSession } from './sessions';
import { presentSession } from './sessionWire';
import type { WireObject } from './wire';

export type Attempt =
  | { result: 'paid' | 'declined' | 'authenticate' | 'cancelled' | 'expired'; session: Session }
  | { result: 'unknown' };

const authenticationFailure: Failure = {
  code: 'payment_intent_authentication_failure',
  declineCode: null,
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** Tries to pay an open session. A session that is already paid counts as paid and does not change. */
export function payWithCard(provider: Provider, sessionId: string, card: TestCard, payer: Payer): Attempt {
  return attempt(provider, sessionId, (session) => {
    if (card.outcome === 'paid') return pay(provider, session, card.use, payer);
    if (card.outcome !== 'authenticate') return decline(provider, session, card.use, payer, card.outcome);
    const intent = intentOf(provider, session);
    provider.store.put('paymentIntents', { ...intent, status: 'requires_action', failure: null });
    const waiting = { ...session, paymentIntentId: intent.id, authentication: { card: card.use, payer } };
    provider.store.put('sessions', waiting);
    return { result: 'authenticate', session: waiting };
  });
}

/** Applies the cardholder's answer; does nothing when no confirmation is pending. */
export function finishAuthentication(
  provider: Provider,
  sessionId: string,
  answer: 'complete' | 'fail' | 'cancel',
): Attempt {
  return attempt(provider, sessionId, (session) => {
    if (!session.authentication) return { result: 'cancelled', session };
    const { card, payer } = session.authentication;
    if (answer === 'complete') return pay(provider, session, card, payer);

    const failure = answer === 'fail' ? authenticationFailure : null;
    const intent: PaymentIntent = { ...intentOf(provider, session), status: 'requires_payment_method', failure };
    const open: Session = { ...session, authentication: null };
    provider.store.put('paymentIntents', intent);
    provider.store.put('sessions', open);
    if (!failure) return { result: 'cancelled', session: open };
    recordEvent(provider, 'payment_intent.payment_failed', presentPaymentIntent(intent), byPayerOrClock);
    return { result: 'declined', session: open };
  });
}

/** GET /v1/payment_intents/:id */
export function retrievePaymentIntent({ provider, id }: Call): WireObject {
  const intent = provider.store.find('paymentIntents', id);
  if (!intent) throw noSuch('payment_intent', id, 'intent');
  return presentPaymentIntent(intent);
}

/** GET /v1/charges/:id */
export function retrieveCharge({ provider, id }: Call): WireObject {
  const charge = provider.store.find('charges', id);
  if (!charge) throw noSuch('charge', id, 'id');
  return presentCharge(charge);
}

function attempt(provider: Provider, sessionId: string, onOpen: (session: Session) => Attempt): Attempt {
  return provider.store.transact(() => {
    const session = findSession(provider, sessionId);
    if (!session) return { result: 'unknown' };
    if (session.status === 'complete') return { result: 'paid', session };
    if (session.status === 'expired') return { result: 'expired', session };
    return onOpen(session);
  });
}

function pay(provider: Provider, session: Session, card: CardUse, payer: Payer): Attempt {
  const { store } = provider;
  const charge = newCharge(provider, intentOf(provider, session), card, payer, null);
  const intent = withCharge(provider, charge, 'succeeded');
  const complete: Session = { ...session, status: 'complete', paymentIntentId: intent.id, payer, authentication: null };
  redeem(provider, session);
  recordEvent(provider, 'charge.succeeded', presentCharge(charge), byPayerOrClock);
  recordEvent(provider, 'payment_intent.succeeded', presentPaymentIntent(intent), byPayerOrClock);
  const wire = presentSession(provider, complete);
  const { id: completedEventId } = recordEvent(provider, 'checkout.session.completed', wire, byPayerOrClock);
  const paid = { ...complete, completedEventId };
  store.put('sessions', paid);
  return { result: 'paid', session: paid };
}

function decline(provider: Provider, session: Session, card: CardUse, payer: Payer, failure: Failure): Attempt {
  const charge = newCharge(provider, intentOf(provider, session), card, payer, failure);
  const intent = withCharge(provider, charge, 'requires_payment_method');
  const open = { ...session, paymentIntentId: intent.id, authentication: null };
  provider.store.put('sessions', open);
  recordEvent(provider, 'charge.failed', presentCharge(charge), byPayerOrClock);
  recordEvent(provider, 'payment_intent.payment_failed', presentPaymentIntent(intent), byPayerOrClock);
  return { result: 'declined', session: open };
}

/** The session's payment intent; created by the first attempt. */
function intentOf(provider: Provider, session: Session): PaymentIntent {
  if (session.paymentIntentId) return provider.store.require('paymentIntents', session.paymentIntentId);
  const intent: PaymentIntent = {
    id: newId('pi_'),
    created: provider.clock.seconds(),
    amount: session.amount,
    currency: session.currency,
    status: 'requires_payment_method',
    metadata: session.paymentMetadata,
    description: session.paymentDescription,
    latestChargeId: null,
    paymentMethodId: null,
    failure: null,
  };
  provider.store.put('paymentIntents', intent);
  recordEvent(provider, 'payment_intent.created', presentPaymentIntent(intent), byPayerOrClock);
  return intent;
}

function newCharge(
  { store, clock }: Provider,
  intent: PaymentIntent,
  card: CardUse,
  payer: Payer,
  failure: Failure | null,
): Charge {
  const charge: Charge = {
    id: newId('ch_'),
    created: clock.seconds(),
    paymentIntentId: intent.id,
    paymentMethodId: newId('pm_'),
    amount: intent.amount,
    amountRefunded: 0,
    currency: intent.currency,
    metadata: intent.metadata,
    description: intent.description,
    card,
    payer,
    failure,
  };
  store.put('charges', charge);
  return charge;
}

function withCharge({ store }: Provider, charge: Charge, status: PaymentIntent['status']): PaymentIntent {
  const intent: PaymentIntent = {
    ...store.require('paymentIntents', charge.paymentIntentId),
    status,
    latestChargeId: charge.id,
    paymentMethodId: charge.failure ? null : charge.paymentMethodId,
    failure: charge.failure,
  };
  store.put('paymentIntents', intent);
  return intent;
}
