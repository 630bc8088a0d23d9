import type { Schema } from '../../../shared/contract';
import { dayAt } from '../../../shared/shopDays';
import type { Discount } from './queries';

/**
 * The form's values: days in the shop's time zone, '' for none; empty numbers are null, and an amount that cannot be
 * parsed yet is a string.
 */
export interface DiscountValues {
  code: string;
  kind: Discount['kind'];
  percent: number | null;
  amount: number | string | null;
  minimum: number | string | null;
  maxUses: number | null;
  maxUsesPerCustomer: number | null;
  /** null: all categories. */
  categoryIds: string[] | null;
  startsAt: string;
  endsAt: string;
  note: string;
  isActive: boolean;
}

export const emptyDiscount: DiscountValues = {
  code: '',
  kind: 'percent',
  percent: null,
  amount: null,
  minimum: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  categoryIds: null,
  startsAt: '',
  endsAt: '',
  note: '',
  isActive: true,
};

export function valuesOf(discount: Discount, timeZone: string): DiscountValues {
  const { code, kind, percent, amount, minimum, maxUses, maxUsesPerCustomer, categoryIds, note, isActive } = discount;
  return {
    code,
    kind,
    percent,
    amount,
    minimum,
    maxUses,
    maxUsesPerCustomer,
    categoryIds,
    startsAt: discount.startsAt ? dayAt(new Date(discount.startsAt), timeZone) : '',
    endsAt: discount.endsAt ? dayAt(new Date(Date.parse(discount.endsAt) - 1), timeZone) : '',
    note,
    isActive,
  };
}

type Sent = Schema<'DiscountForm'>;

/**
 * Keeps a time that another client set to the minute, unless its day was changed.
 * @param checked the values as parsed by discountDaysForm
 */
export function saveTimes(checked: Sent, former: Discount | undefined, timeZone: string): Sent {
  if (!former) return checked;
  const untouched = valuesOf(former, timeZone);
  const isSame = (field: 'startsAt' | 'endsAt') =>
    valuesOf({ ...former, ...timesOf(checked) }, timeZone)[field] === untouched[field];
  return {
    ...checked,
    ...(isSame('startsAt') && { startsAt: former.startsAt }),
    ...(isSame('endsAt') && { endsAt: former.endsAt }),
  };
}

const timesOf = ({ startsAt = null, endsAt = null }: Sent) => ({ startsAt, endsAt });

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'; // 32 letters and digits that are not easily confused

/** @returns a random code of eight letters, almost certainly unused */
export const randomCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => letters[byte % letters.length]).join('');
