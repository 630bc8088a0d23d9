import { ApiError } from './apiError';
import { presentCoupon } from './coupons';
import { presentBreakdown } from './discounts';
import { presentCharge, presentPaymentIntent } from './paymentWire';
import type { Provider } from './provider';
import { presentLineItems } from './sessionWire';
import type { WireObject } from './wire';

/** @param owner the object that has an id, where `object` is a part of it */
type Expansion = (provider: Provider, object: WireObject, owner: WireObject) => WireObject | null;

const intent = byId('payment_intent', ({ store }, id) => presentPaymentIntent(store.require('paymentIntents', id)));
const chargeIn = (field: string) => byId(field, ({ store }, id) => presentCharge(store.require('charges', id)));

/** The fields that can be expanded, by object. */
const expansions: Record<string, Record<string, Expansion>> = {
  'checkout.session': {
    line_items: ({ store }, session) => presentLineItems(store.require('sessions', String(session['id']))),
    payment_intent: intent,
  },
  'checkout.session.discounts': {
    coupon: byId('coupon', ({ store }, id) => presentCoupon(store.require('coupons', id))),
  },
  'checkout.session.total_details': {
    breakdown: (provider, _, session) =>
      presentBreakdown(provider, provider.store.require('sessions', String(session['id']))),
  },
  payment_intent: { latest_charge: chargeIn('latest_charge') },
  charge: { payment_intent: intent },
  refund: { charge: chargeIn('charge'), payment_intent: intent },
};

/** Parts of an object, or lists of parts, that have expandable fields but no id of their own. */
const parts = new Set(Object.keys(expansions).filter((kind) => kind.startsWith('checkout.session.')));

/**
 * Replaces the ids named in `expand` by their objects, e.g. `payment_intent.latest_charge`, in lists `data.…`.
 * @throws ApiError 400 for a field that cannot be expanded
 */
export function expand(provider: Provider, object: WireObject, paths: string[]): WireObject {
  for (const path of paths) {
    const fields = path.split('.');
    if (fields.length > 4)
      throw new ApiError(400, 'You cannot expand more than 4 levels of a property.', { param: 'expand' });
    expandField(provider, placeOf(object), fields, path);
  }
  return object;
}

type Place = { object: WireObject; kind: string; owner: WireObject };

function expandField(provider: Provider, place: Place, [field, ...rest]: string[], path: string): void {
  if (field === undefined) return;
  const { object, kind, owner } = place;
  if (kind === 'list' && field === 'data') {
    for (const item of object['data'] as WireObject[]) expandField(provider, placeOf(item), rest, path);
    return;
  }
  const part = `${kind}.${field}`;
  if (parts.has(part) && rest.length > 0) {
    for (const item of [object[field]].flat() as WireObject[])
      expandField(provider, { object: item, kind: part, owner }, rest, path);
    return;
  }
  const expansion = expansions[kind]?.[field];
  if (!expansion) throw new ApiError(400, `This property cannot be expanded (${path}).`, { param: 'expand' });
  const full =
    typeof object[field] === 'object' && object[field]
      ? (object[field] as WireObject)
      : expansion(provider, object, owner);
  if (!full) return;
  object[field] = full;
  expandField(provider, placeOf(full), rest, path);
}

const placeOf = (object: WireObject): Place => ({ object, kind: String(object['object']), owner: object });

function byId(field: string, present: (provider: Provider, id: string) => WireObject): Expansion {
  return (provider, object) => {
    const id = object[field];
    return typeof id === 'string' ? present(provider, id) : null;
  };
}
