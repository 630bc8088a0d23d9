import { ApiError } from './apiError';
import { presentCharge, presentPaymentIntent } from './paymentWire';
import type { Provider } from './provider';
import { presentLineItems } from './sessionWire';
import type { WireObject } from './wire';

type Expansion = (provider: Provider, object: WireObject) => WireObject | null;

const intent = byId('payment_intent', ({ store }, id) => presentPaymentIntent(store.require('paymentIntents', id)));
const chargeIn = (field: string) => byId(field, ({ store }, id) => presentCharge(store.require('charges', id)));

/** The fields that can be expanded, by object. */
const expansions: Record<string, Record<string, Expansion>> = {
  'checkout.session': {
    line_items: ({ store }, session) => presentLineItems(store.require('sessions', String(session['id']))),
    payment_intent: intent,
  },
  payment_intent: { latest_charge: chargeIn('latest_charge') },
  charge: { payment_intent: intent },
  refund: { charge: chargeIn('charge'), payment_intent: intent },
};

/**
 * Replaces the ids named in `expand` by their objects, e.g. `payment_intent.latest_charge`, in lists `data.…`.
 * @throws ApiError 400 for a field that cannot be expanded
 */
export function expand(provider: Provider, object: WireObject, paths: string[]): WireObject {
  for (const path of paths) {
    const fields = path.split('.');
    if (fields.length > 4)
      throw new ApiError(400, 'You cannot expand more than 4 levels of a property.', { param: 'expand' });
    expandField(provider, object, fields, path);
  }
  return object;
}

function expandField(provider: Provider, object: WireObject, [field, ...rest]: string[], path: string): void {
  if (field === undefined) return;
  if (object['object'] === 'list' && field === 'data') {
    for (const item of object['data'] as WireObject[]) expandField(provider, item, rest, path);
    return;
  }
  const expansion = expansions[String(object['object'])]?.[field];
  if (!expansion) throw new ApiError(400, `This property cannot be expanded (${path}).`, { param: 'expand' });
  const full =
    typeof object[field] === 'object' && object[field] ? (object[field] as WireObject) : expansion(provider, object);
  if (!full) return;
  object[field] = full;
  expandField(provider, full, rest, path);
}

function byId(field: string, present: (provider: Provider, id: string) => WireObject): Expansion {
  return (provider, object) => {
    const id = object[field];
    return typeof id === 'string' ? present(provider, id) : null;
  };
}
