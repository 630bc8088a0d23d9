import { ApiError, badParam, noSuch } from './apiError';
import type { Call } from './call';
import { recordEvent } from './events';
import { newId } from './ids';
import { listPage } from './lists';
import type { Params } from './params';
import { presentCharge, presentRefund } from './paymentWire';
import type { Provider } from './provider';
import type { Charge, Refund } from './records';
import type { WireObject } from './wire';

/** POST /v1/refunds: all that is left of a charge, or the `amount`; never more than was paid. */
export function createRefund({ provider, params, cause }: Call): WireObject {
  const { store, clock } = provider;
  const charge = readCharge(provider, params);
  const left = charge.amount - charge.amountRefunded;
  const amount = params.integer('amount', { min: 1 }) ?? left;
  const reason = params.oneOf('reason', ['duplicate', 'fraudulent', 'requested_by_customer']);
  const metadata = params.metadata('metadata');
  if (left === 0) {
    throw new ApiError(400, `Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  if (amount > left) {
    const message = `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`;
    throw badParam('amount', message);
  }

  const { id: chargeId, paymentIntentId, currency } = charge;
  const created = clock.seconds();
  const refund: Refund = { id: newId('re_'), created, chargeId, paymentIntentId, amount, currency, reason, metadata };
  const refunded: Charge = { ...charge, amountRefunded: charge.amountRefunded + amount };
  store.put('refunds', refund);
  store.put('charges', refunded);
  recordEvent(provider, 'refund.created', presentRefund(refund), cause);
  recordEvent(provider, 'charge.refunded', presentCharge(refunded), cause, {
    amount_refunded: charge.amountRefunded,
    ...(amount === left && { refunded: false }),
  });
  recordEvent(provider, 'refund.updated', presentRefund(refund), cause);
  return presentRefund(refund);
}

/** GET /v1/refunds/:id */
export function retrieveRefund({ provider, id }: Call): WireObject {
  const refund = provider.store.find('refunds', id);
  if (!refund) throw noSuch('refund', id, 'id');
  return presentRefund(refund);
}

/** GET /v1/refunds */
export function listRefunds({ provider, params }: Call): WireObject {
  const charge = params.text('charge');
  const intent = params.text('payment_intent');
  const isWanted = (refund: Refund) =>
    (charge === null || refund.chargeId === charge) && (intent === null || refund.paymentIntentId === intent);
  return listPage(params, '/v1/refunds', provider.store.all('refunds'), isWanted, presentRefund);
}

function readCharge({ store }: Provider, params: Params): Charge {
  const intentId = params.text('payment_intent');
  const chargeId = params.text('charge');
  if (intentId === null && chargeId === null) {
    const message = 'One of the following params should be provided for this request: payment_intent or charge.';
    throw badParam('payment_intent', message, 'parameter_missing');
  }
  const intent = intentId === null ? undefined : store.find('paymentIntents', intentId);
  if (intentId !== null && !intent) throw noSuch('payment_intent', intentId, 'payment_intent', 400);
  if (intent && intent.status !== 'succeeded') {
    throw badParam('payment_intent', `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  }
  const wantedId = intent?.latestChargeId ?? chargeId ?? '';
  const charge = store.find('charges', wantedId);
  if (!charge) throw noSuch('charge', wantedId, 'charge', 400);
  if (chargeId !== null && chargeId !== charge.id) {
    throw badParam('charge', `The charge ${chargeId} does not belong to the given payment_intent.`);
  }
  if (charge.failure) throw badParam('charge', `Charge ${charge.id} failed and cannot be refunded.`);
  return charge;
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
