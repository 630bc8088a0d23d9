import { ApiError, badParam, noSuch } from './apiError';
import type { Call } from './call';
import { readCurrency } from './currencies';
import { recordEvent } from './events';
import { newId } from './ids';
import type { Params } from './params';
import type { Coupon } from './records';
import type { WireObject } from './wire';

const maxAmountOff = 99_999_999;

/** POST /v1/coupons: an amount off one payment. An id can be created once, whatever else a second call contains. */
export function createCoupon({ provider, params, cause }: Call): WireObject {
  const { store, clock } = provider;
  const coupon = readNewCoupon(params, clock.seconds());
  if (store.find('coupons', coupon.id)) {
    throw new ApiError(400, 'Coupon already exists.', { code: 'resource_already_exists' });
  }
  store.put('coupons', coupon);
  recordEvent(provider, 'coupon.created', presentCoupon(coupon), cause);
  return presentCoupon(coupon);
}

/** GET /v1/coupons/:id */
export function retrieveCoupon({ provider, id }: Call): WireObject {
  const coupon = provider.store.find('coupons', id);
  if (!coupon) throw noSuch('coupon', id, 'coupon');
  return presentCoupon(coupon);
}

/** Whether it can still be redeemed. */
export const isValid = ({ maxRedemptions, timesRedeemed }: Coupon): boolean =>
  maxRedemptions === null || timesRedeemed < maxRedemptions;

export function presentCoupon(coupon: Coupon): WireObject {
  return {
    id: coupon.id,
    object: 'coupon',
    amount_off: coupon.amountOff,
    created: coupon.created,
    currency: coupon.currency,
    duration: 'once',
    duration_in_months: null,
    livemode: false,
    max_redemptions: coupon.maxRedemptions,
    metadata: coupon.metadata,
    name: coupon.name,
    percent_off: null,
    redeem_by: null,
    times_redeemed: coupon.timesRedeemed,
    valid: isValid(coupon),
  };
}

function readNewCoupon(params: Params, now: number): Coupon {
  const amountOff = params.integer('amount_off', { min: 1, max: maxAmountOff });
  const percentOff = params.text('percent_off');
  if (amountOff !== null && percentOff !== null) {
    throw new ApiError(400, 'Received both percent_off and amount_off parameters. Please pass in only one.');
  }
  if (percentOff !== null) throw badParam('percent_off', 'The test payment provider knows only `amount_off`.');
  if (amountOff === null) {
    throw new ApiError(400, 'Must provide percent_off or amount_off.', { code: 'parameter_missing' });
  }
  const currency = readCurrency(params, 'currency');
  if (currency === null) throw badParam('currency', 'You must pass currency when passing amount_off');
  if ((params.oneOf('duration', ['forever', 'once', 'repeating']) ?? 'once') !== 'once') {
    throw badParam('duration', 'The test payment provider knows only `once`.');
  }
  return {
    id: params.text('id', 500) ?? newId('').slice(0, 8),
    created: now,
    amountOff,
    currency,
    name: params.text('name', 40),
    maxRedemptions: params.integer('max_redemptions', { min: 1 }),
    metadata: params.metadata('metadata'),
    timesRedeemed: 0,
  };
}
