import { formatCount } from '../../../shared/counts';
import { discountErrors } from '../../../shared/discounts';
import { discountStaffMessages as messages } from '../../../shared/discountsStaff';
import { formatMoney, toCents } from '../../../shared/money';
import type { Discount } from './queries';

type Gift = Pick<Discount, 'kind' | 'percent' | 'amount'>;

/** @returns '10% off', '$5.00 off' or 'Free delivery' */
export function giftOf({ kind, percent, amount }: Gift): string {
  if (kind === 'free_delivery') return 'Free delivery';
  return kind === 'percent' ? `${percent ?? 0}% off` : `${formatMoney(toCents(amount ?? 0))} off`;
}

export type Conditions = Pick<
  Discount,
  'minimum' | 'startsAt' | 'endsAt' | 'maxUses' | 'maxUsesPerCustomer' | 'categoryIds'
>;

interface Where {
  timeZone: string;
  /** Category titles by id; undefined while loading. */
  titles: ReadonlyMap<string, string> | undefined;
}

/** @returns 'Savory & Seasoning, $30.00 minimum, until Dec 31, 2026', capitalized; '' for a code without conditions */
export function conditionsOf(discount: Conditions, { timeZone, titles }: Where): string {
  const { minimum, maxUsesPerCustomer: perCustomer, categoryIds } = discount;
  const all = [
    ...namesOf(categoryIds ?? [], titles),
    ...(minimum === null ? [] : [`${formatMoney(toCents(minimum))} minimum`]),
    ...(perCustomer === null ? [] : [perCustomer === 1 ? 'once per customer' : `${perCustomer} per customer`]),
    ...daysOf(discount, timeZone),
  ].join(', ');
  return all.charAt(0).toUpperCase() + all.slice(1);
}

function namesOf(categoryIds: readonly string[], titles: Where['titles']): string[] {
  if (!titles) return categoryIds.length > 0 ? ['some categories'] : [];
  return categoryIds.map((id) => titles.get(id) ?? messages.deletedCategory);
}

function daysOf({ startsAt, endsAt }: Conditions, timeZone: string): string[] {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone });
  const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone });
  const first = startsAt ? new Date(startsAt) : undefined;
  const last = endsAt ? new Date(Date.parse(endsAt) - 1) : undefined;
  if (first && last) return [`${short.format(first)} to ${day.format(last)}`];
  if (last) return [`until ${day.format(last)}`];
  return first ? [`starts ${day.format(first)}`] : [];
}

/**
 * @returns when a customer first gets an error, and its message: 'A second time: …'; undefined for a code without
 * conditions
 */
export function firstError(
  { minimum, startsAt, endsAt, maxUses, maxUsesPerCustomer: perCustomer, categoryIds }: Conditions,
  { now, timeZone }: { now: Date; timeZone: string },
): string | undefined {
  const said = (when: string, sentence: string) => `${when}: "${sentence}"`;
  const start = startsAt ? new Date(startsAt) : undefined;
  if (endsAt && Date.parse(endsAt) <= now.getTime()) return said('Now', discountErrors.ended);
  if (start && start > now) return said('Now', discountErrors.notYet(start, { now, timeZone }));
  if (minimum !== null) return said('Below the minimum', discountErrors.minimum(toCents(minimum)));
  if (categoryIds) return said('With other items only', discountErrors.notForThese);
  if (perCustomer !== null)
    return said(perCustomer === 1 ? 'On second use' : `After ${perCustomer} uses`, discountErrors.usedBefore);
  if (maxUses !== null) return said(`After ${formatCount(maxUses)} uses`, discountErrors.usedUp);
  return endsAt ? said('After the last day', discountErrors.ended) : undefined;
}
