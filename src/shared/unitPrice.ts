/**
 * Sizes and unit prices of products with a net weight or volume, the same on every page, online and offline.
 * Rule: docs/rules/catalog.md, Net amounts and unit prices
 */
import type { Schema } from './contract';
import { formatMoney, toCents } from './money';

export type Units = Schema<'Shop'>['units'];
/** In whole grams or milliliters, of a product or of a line in a cart. */
export type Net = Pick<Schema<'Product'>, 'netGrams' | 'netMillilitres'>;

/**
 * An ounce of weight in grams and a fluid ounce in milliliters, as exact fractions. Every product below stays under 2^53, so
 * numbers hold it exactly.
 */
const weight = { unit: 'g', thousand: 'kg', name: 'oz', dividend: 45_359_237, divisor: 1_600_000 };
const volume = { unit: 'ml', thousand: 'L', name: 'fl oz', dividend: 473_176_473, divisor: 16_000_000 };
const ouncesInPound = 16;

/** @returns '$3.95/oz', '$13.93/100 g'; half a cent rounds up; undefined without a net amount */
export function unitPrice(priceCents: number, net: Net, units: Units): string | undefined {
  const { amount, name, unit, dividend, divisor } = measured(net);
  if (!amount) return undefined;
  return units === 'metric'
    ? `${formatMoney(halfUp(priceCents * 100, amount))}/100 ${unit}`
    : `${formatMoney(halfUp(priceCents * dividend, amount * divisor))}/${name}`;
}

/**
 * @param sizes of one group
 * @returns '3 sizes, from $1.67/oz': the lowest unit price of the sizes that can be bought; '3 sizes' without net amounts
 */
export function sizesInWords(sizes: readonly Schema<'ProductSize'>[], units: Units): string {
  /** What a gram or milliliter costs. */
  const rateOf = (size: Schema<'ProductSize'>) =>
    size.availability ? size.price / (measured(size).amount ?? 0) : Infinity;
  const lowest = sizes.reduce((one, other) => (rateOf(other) < rateOf(one) ? other : one));
  return [`${sizes.length} sizes`, unitPrice(toCents(lowest.price), lowest, units)].filter(Boolean).join(', from ');
}

/** @returns '2.1 oz (60 g)', '1 lb (454 g)', or '60 g'; undefined without a net amount */
export function netSize(net: Net, units: Units): string | undefined {
  const { amount, name, unit, thousand, dividend, divisor } = measured(net);
  if (!amount) return undefined;
  const metric = amount < 1000 ? `${amount} ${unit}` : `${amount / 1000} ${thousand}`;
  if (units === 'metric') return metric;
  /** In parts of an ounce. */
  const ounces = (parts: number) => halfUp(amount * divisor * parts, dividend) / parts;
  const pounds = halfUp(amount * divisor * 10, dividend * ouncesInPound) / 10;
  const isPounds = unit === 'g' && ounces(10) >= ouncesInPound;
  const isTiny = amount * divisor * 10 < dividend; // less than a tenth of an ounce
  return `${isPounds ? `${pounds} lb` : `${ounces(isTiny ? 100 : 10)} ${name}`} (${metric})`;
}

/** @returns '3.5 oz' of '3.5 oz (100 g)', which a card or a row on a phone has no room for */
export const shortSize = (size: string | null | undefined): string | undefined => size?.split(' (')[0];

const measured = ({ netGrams, netMillilitres }: Net) =>
  netMillilitres ? { ...volume, amount: netMillilitres } : { ...weight, amount: netGrams };

/** @param dividend not negative */
function halfUp(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return (dividend - rest) / divisor + Number(2 * rest >= divisor);
}
