/** Sales tax as staff set and see it. Rule: docs/rules/selling.md, Sales tax */
import { countStates } from './delivery';
import type { ShopTerritories } from './usStates';

export const taxMessages = {
  listTaxRates: { success: 'Sales tax', failure: "Couldn't load tax rates" },
  setTaxRate: { success: 'Rate saved', failure: "Couldn't save tax rates. Try again." },
  removeTaxRate: { success: 'Rate removed' },
  importTaxRates: { failure: "Couldn't import tax rates. Try again." },
  getTaxCollected: { success: 'Sales tax collected', failure: "Couldn't load collected tax" },
  rate: 'Enter a rate from 0 to 30 with up to 4 decimals',
  noState: (shop: ShopTerritories) =>
    shop.territories ? 'Enter a U.S. state or territory' : 'Enter one of the 50 states or DC',
  twice: 'This state is in the file twice',
  yesOrNo: 'Enter true or false',
  importRefused: 'Nothing was imported. Some rows have errors.',
  saved: (count: number) => (count === 1 ? '1 rate saved' : `${count} rates saved`),
  noneCollected: 'No tax collected in this period.',
  collecting: (states: readonly string[]) => `Collecting in ${states.length === 0 ? 'no states' : countStates(states)}`,
  collectsNoTax: "You don't collect sales tax.",
  noRates: "No state has a tax rate yet. If you don't collect sales tax, confirm it.",
  noStates: 'No states found.',
  note: "States without a rate collect no tax. New rates apply to orders placed after you save. The shop doesn't calculate local rates or reduced grocery rates; you're responsible for these rates.",
  remitNote:
    "Orders count on the day they're paid, refunds on the day they're issued. Gross includes delivery. You're responsible for the rates.",
  notCollecting: 'Not collecting',
  collectedNote: "Orders count on the day they're paid, refunds on the day they're issued, in the shop's time zone.",
} as const;

const decimal = /^\d{1,2}(?:[.,]\d{1,4})?$/;
const mostPercent = 30;

/**
 * @param text in percent with a comma or a point: '5.75', '5,75'
 * @returns the rate in percent; undefined unless it is from 0 to 30 with at most 4 decimals
 */
export function parseRate(text: string): number | undefined {
  if (!decimal.test(text.trim())) return undefined;
  const rate = Number(text.trim().replace(',', '.'));
  return rate <= mostPercent ? rate : undefined;
}
