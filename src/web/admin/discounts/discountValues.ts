import type { Schema } from '../../../shared/contract';
import { dayAt } from '../../../shared/shopDays';
import type { Discount } from './queries';

/**
 * The form as it is filled in: days as the shop's clock has them, '' for none; numbers are null while they are empty,
 * and an amount that nobody can read yet is a text.
 */
export interface DiscountValues {
  code: string;
  kind: Discount['kind'];
  percent: number | null;
  amount: number | string | null;
  minimum: number | string | null;
  maxUses: number | null;
  maxUsesPerCustomer: number | null;
  /** null: everything. */
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
 * A time that was set to the minute by another client stays as it is while its day was not changed.
 * @param checked what discountDaysForm made of the values
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

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'; // 32, none of which is taken for another

/** @returns a code that nobody has: eight letters by chance */
export const makeCode = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => letters[byte % letters.length]).join('');
