import { fromCents, toCents } from '../../../shared/money';
import { sumCents } from '../../../shared/total';
import type { Collected } from './queries';

export type Sums = Pick<Collected, 'orders' | 'gross' | 'exempt' | 'taxable' | 'tax' | 'refunded' | 'toRemit'>;

/** @returns the sums of some states, exact to the cent */
export function sumOf(rows: readonly Sums[]): Sums {
  const dollars = (part: Exclude<keyof Sums, 'orders'>) => fromCents(sumCents(rows.map((row) => toCents(row[part]))));
  return {
    orders: rows.reduce((count, { orders }) => count + orders, 0),
    gross: dollars('gross'),
    exempt: dollars('exempt'),
    taxable: dollars('taxable'),
    tax: dollars('tax'),
    refunded: dollars('refunded'),
    toRemit: dollars('toRemit'),
  };
}

/** @returns '4%', or '4%, 5%' after a rate changed; a dash without a rate */
export const ratesInWords = (rates: readonly number[]): string =>
  rates.length === 0 ? '–' : rates.map((rate) => `${rate}%`).join(', ');
