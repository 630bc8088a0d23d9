/**
 * Money is in whole cents everywhere except on the wire, where it is in dollars. Rule: docs/rules/wire.md, Money, ids and times
 * @param dollars as in a response, such as 4.35
 * @returns whole cents; half a cent rounds up, even where the binary fraction is just below it (1.005 gives 101)
 */
export function toCents(dollars: number): number {
  // 1.005 * 100 is 100.49999999999999; rounded to 15 digits, which a number represents exactly, it is 100.5
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

/** @returns like formatMoney, but '$60' without cents if they are zero */
export const roundMoney = (cents: number): string => formatMoney(cents).replace(/\.00$/, '');
