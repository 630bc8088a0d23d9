/**
 * A coupon's discount on a session. It is spread over all lines in proportion, also over lines that the merchant does not
 * mean to discount (delivery, tax), and the shares add up to the cent.
 */
import { badParam, missingParam, noSuch } from './apiError';
import { isValid, presentCoupon } from './coupons';
import { newId } from './ids';
import type { Params } from './params';
import type { Provider } from './provider';
import type { Coupon, Line, Session, SessionDiscount } from './records';
import type { WireObject } from './wire';

export type FindCoupon = (id: string) => Coupon | undefined;

/**
 * Reads the discount of a new session from `discounts`.
 * @param due the sum of the lines, which caps the discount
 * @throws ApiError 400 for more than one, an unknown or used up coupon, or one in another currency
 */
export function readDiscount(
  params: Params,
  findCoupon: FindCoupon,
  due: { amount: number; currency: string },
): SessionDiscount | undefined {
  const entries = params.list('discounts') ?? [];
  const [entry] = entries;
  if (!entry) return undefined;
  if (entries.length > 1) throw badParam('discounts', 'You may only apply one discount to a Checkout Session.');
  const promotion = entry.text('promotion_code');
  const couponId = entry.text('coupon');
  if (promotion !== null && couponId !== null) {
    throw badParam(entry.nameOf('coupon'), 'You may only specify one of these parameters: coupon, promotion_code.');
  }
  if (promotion !== null) throw noSuch('promotion code', promotion, entry.nameOf('promotion_code'), 400);
  const param = entry.nameOf('coupon');
  if (couponId === null) throw missingParam(param);
  const coupon = findCoupon(couponId);
  if (!coupon) throw noSuch('coupon', couponId, param, 400);
  if (!isValid(coupon)) throw badParam(param, `Coupon expired: ${couponId}`, 'coupon_expired');
  if (coupon.currency !== due.currency) {
    const message = `The coupon ${couponId} takes an amount in ${coupon.currency} off, and the lines are in ${due.currency}.`;
    throw badParam(param, message);
  }
  const { id, name } = coupon;
  return { id: newId('di_'), couponId: id, name: name ?? id, amount: Math.min(coupon.amountOff, due.amount) };
}

/** The session's whole discount. */
export const discountOf = ({ discount }: Session): number => discount?.amount ?? 0;

/** Each line's discount, in the order of the lines: in proportion, with leftover cents going to the largest remainders. */
export function sharesOf({ lines, discount }: Pick<Session, 'lines' | 'discount'>): number[] {
  if (!discount) return lines.map(() => 0);
  const amounts = lines.map(amountOf);
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  const exact = amounts.map((amount) => amount * BigInt(discount.amount));
  const shares = exact.map((parts) => parts / sum);
  const left = Number(BigInt(discount.amount) - shares.reduce((total, share) => total + share, 0n));
  const byRemainder = exact
    .map((parts, at) => ({ at, remainder: parts % sum }))
    .toSorted((one, other) => Number(other.remainder - one.remainder) || one.at - other.at);
  const raised = new Set(byRemainder.slice(0, left).map(({ at }) => at));
  return shares.map((share, at) => Number(share) + (raised.has(at) ? 1 : 0));
}

/** Counts a use of the coupon. Only payments count: an open page doesn't, and it keeps its price. */
export function redeem({ store }: Provider, { discount }: Session): void {
  if (!discount) return;
  const coupon = store.require('coupons', discount.couponId);
  store.put('coupons', { ...coupon, timesRedeemed: coupon.timesRedeemed + 1 });
}

/** The session's `discounts`. */
export const presentDiscounts = ({ discount }: Session): WireObject[] =>
  discount ? [{ coupon: discount.couponId, promotion_code: null }] : [];

/** `total_details.breakdown`, present only when expanded. */
export function presentBreakdown({ store }: Provider, session: Session): WireObject {
  const { discount } = session;
  if (!discount) return { discounts: [], taxes: [] };
  const coupon = presentCoupon(store.require('coupons', discount.couponId));
  return { discounts: [{ amount: discount.amount, discount: presentUse(session, discount, coupon) }], taxes: [] };
}

/** Has the coupon in both places: the old schema's and the current one's. */
function presentUse({ id: checkout_session, created }: Session, discount: SessionDiscount, coupon: WireObject) {
  return {
    id: discount.id,
    object: 'discount',
    checkout_session,
    coupon,
    customer: null,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: discount.couponId, type: 'coupon' },
    start: created,
    subscription: null,
    subscription_item: null,
  };
}

const amountOf = ({ unitAmount, quantity }: Line): bigint => BigInt(unitAmount) * BigInt(quantity);
