/**
 * Discount codes: status, and why a customer cannot use one. Pure: the displayed total and the order itself
 * use the same function.
 * Rule: docs/rules/selling.md, Discount codes
 */
import { formatMoney } from './money';

/** Lengths in characters, and the largest numbers. The contract has the same limits. */
export const discountLimits = { code: 40, note: 200, percent: 100, uses: 1_000_000, categories: 100 } as const;

/** Conditions for using a code; `null` means no limit. */
export interface DiscountConditions {
  isActive: boolean;
  /** The minimum sum of all goods in the cart, before the discount. */
  minimumCents: number | null;
  startsAt: Date | null;
  /** The code has ended from this moment on. */
  endsAt: Date | null;
  maxUses: number | null;
  maxUsesPerCustomer: number | null;
  /** Only goods of these categories are eligible; null: all. */
  categoryIds: readonly string[] | null;
}

export type DiscountStatus = 'active' | 'planned' | 'used_up' | 'ended' | 'off';

export const discountStatusLabels: Record<DiscountStatus, string> = {
  active: 'Active',
  planned: 'Scheduled',
  used_up: 'Limit reached',
  ended: 'Ended',
  off: 'Inactive',
};

/** @param uses orders with the code that were not cancelled */
export function discountStatus(
  { isActive, startsAt, endsAt, maxUses }: Pick<DiscountConditions, 'isActive' | 'startsAt' | 'endsAt' | 'maxUses'>,
  { uses, now }: { uses: number; now: Date },
): DiscountStatus {
  if (!isActive) return 'off';
  if (endsAt && endsAt <= now) return 'ended';
  if (maxUses !== null && uses >= maxUses) return 'used_up';
  return startsAt && startsAt > now ? 'planned' : 'active';
}

export type DiscountError =
  | 'discount_unknown'
  | 'discount_ended'
  | 'discount_not_yet'
  | 'discount_minimum'
  | 'discount_used_up'
  | 'discount_used_before'
  | 'discount_not_for_these';

/** A customer's attempt to use a code. */
export interface DiscountUse {
  /** All goods in the cart, before the discount. */
  goodsCents: number;
  /** The part of `goodsCents` that is in the code's categories (`isEligible`). */
  eligibleCents: number;
  /** Orders with the code that were not cancelled, except the customer's own open order, which this one replaces. */
  uses: number;
  /** The part of `uses` that belongs to this customer. */
  ownUses: number;
  /** The part of `uses` that are unpaid orders of customers who have never paid. */
  heldByNewcomers: number;
  /** Whether this customer has never paid an order. */
  isOfNewcomer: boolean;
  now: Date;
  /** The shop's time zone. */
  timeZone: string;
}

/** @returns whether goods of this category are eligible for the code */
export const isEligible = (
  { categoryIds }: Pick<DiscountConditions, 'categoryIds'>,
  categoryId: string | null,
): boolean => categoryIds === null || (categoryId !== null && categoryIds.includes(categoryId));

/**
 * Why a customer cannot use a code. Reasons that the customer can fix by adding goods come last, so that no customer
 * fills a cart for a code that is then rejected for another reason.
 * @param discount undefined: no such code
 * @returns the error code and the message for the customer; undefined when the code can be used
 * Rule: docs/rules/selling.md, Discount codes
 */
export function whyNotUsable(
  discount: DiscountConditions | undefined,
  { goodsCents, eligibleCents, uses, ownUses, heldByNewcomers, isOfNewcomer, now, timeZone }: DiscountUse,
): { code: DiscountError; message: string } | undefined {
  if (!discount?.isActive) return { code: 'discount_unknown', message: discountErrors.unknown };
  const { startsAt, endsAt, maxUses, maxUsesPerCustomer, minimumCents } = discount;
  if (endsAt && endsAt <= now) return { code: 'discount_ended', message: discountErrors.ended };
  if (startsAt && startsAt > now)
    return { code: 'discount_not_yet', message: discountErrors.notYet(startsAt, { now, timeZone }) };
  if (maxUses !== null) {
    const left = maxUses - (uses - heldByNewcomers);
    if (left <= 0) return { code: 'discount_used_up', message: discountErrors.usedUp };
    const isHeld = uses >= maxUses || (isOfNewcomer && heldByNewcomers >= newcomersShare(left));
    if (isHeld) return { code: 'discount_used_up', message: discountErrors.held };
  }
  if (maxUsesPerCustomer !== null && ownUses >= maxUsesPerCustomer)
    return { code: 'discount_used_before', message: discountErrors.usedBefore };
  if (eligibleCents === 0) return { code: 'discount_not_for_these', message: discountErrors.notForThese };
  if (minimumCents !== null && goodsCents < minimumCents)
    return { code: 'discount_minimum', message: discountErrors.minimum(minimumCents) };
  return undefined;
}

/** How many remaining uses may be held by unpaid orders of customers who have never paid. */
const newcomersShare = (left: number): number => Math.max(1, Math.floor(left / 10));

/** Messages to a customer whose code is rejected. */
export const discountErrors = {
  unknown: "That code isn't valid",
  ended: 'That code has expired',
  notYet: (startsAt: Date, at: { now: Date; timeZone: string }) => `That code starts on ${dayInWords(startsAt, at)}`,
  minimum: (cents: number) => `Spend ${formatMoney(cents)} or more to use this code`,
  usedUp: 'That code has reached its limit',
  held: 'Try this code again in a few minutes',
  usedBefore: "You've already used that code",
  notForThese: "That code doesn't apply to anything in your cart",
} as const;

/** @returns 'Dec 1', with the year if it differs from the year of `now` */
function dayInWords(at: Date, { now, timeZone }: { now: Date; timeZone: string }): string {
  const yearOf = (moment: Date) => new Intl.DateTimeFormat('en-US', { year: 'numeric', timeZone }).format(moment);
  const isOtherYear = yearOf(at) !== yearOf(now);
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    timeZone,
    ...(isOtherYear && { year: 'numeric' }),
  }).format(at);
}
