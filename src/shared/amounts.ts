/** Weights and volumes, as people type them and as the shop shows them. Rule: docs/rules/catalog.md, Products */

/** Stored amounts are whole grams or milliliters. */
export type AmountUnit = 'g' | 'ml';

/** Of a product, in grams or milliliters. */
export const largestAmount = 100_000;

/** The units that forms take, in grams or milliliters. */
const sizes: Readonly<Record<AmountUnit, Readonly<Record<string, number>>>> = {
  g: { g: 1, gram: 1, grams: 1, kg: 1000, oz: 28.349_523_125, lb: 453.592_37, lbs: 453.592_37 },
  ml: { ml: 1, l: 1000, 'fl oz': 29.573_529_562_5, floz: 29.573_529_562_5, cup: 236.588_236_5, qt: 946.352_946 },
};

/**
 * Reads '110', '110 g', '3.9 oz', '1 lb'.
 * @returns whole grams or milliliters, at least 1; undefined for any other text
 */
export function parseAmount(text: string, unit: AmountUnit): number | undefined {
  const typed = text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const { number = '', name } = /^(?<number>\d{1,6}(?:\.\d{1,4})?) ?(?<name>[a-z ]*?)\.?$/.exec(typed)?.groups ?? {};
  const size = name === '' ? 1 : sizes[unit][name ?? '?'];
  const whole = size === undefined ? 0 : Math.round(Number(number) * size);
  return whole >= 1 ? whole : undefined;
}

/** @returns '111' for '3.9 oz'; returns text that is not an amount unchanged */
export const plainAmount = (text: string, unit: AmountUnit): string => String(parseAmount(text, unit) ?? text);
