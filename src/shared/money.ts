/**
 * Money is whole cents everywhere but on the wire, where it is dollars. Rule: docs/rules/wire.md, Money, ids and times
 * @param dollars as it comes in an answer, such as 4.35
 * @returns whole cents; half a cent goes up, also where binary fractions fall just short of it (1.005 gives 101)
 */
export function toCents(dollars: number): number {
  // 1.005 * 100 is 100.49999999999999; rounded to the 15 digits that a number carries exactly, it is 100.5
  return Math.round(Number((dollars * 100).toPrecision(15)));
}

/** @returns dollars for the wire: 435 gives 4.35 */
export function fromCents(cents: number): number {
  return cents / 100;
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** @returns '$4.35' for 435, '$1,200.00' for 120000 */
export function formatMoney(cents: number): string {
  return dollars.format(cents / 100);
}

/** @returns as formatMoney, and '$60' where there are no cents */
export const roundMoney = (cents: number): string => formatMoney(cents).replace(/\.00$/, '');
