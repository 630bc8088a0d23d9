/** Sales tax as staff set and see it. Rule: docs/rules/selling.md, Sales tax */
export const taxMessages = {
  listTaxRates: { success: 'Sales tax', failure: 'Failed to fetch the rates' },
  setTaxRate: { success: 'Rate saved', failure: 'Failed to save the rates' },
  removeTaxRate: { success: 'Rate removed' },
  importTaxRates: { failure: 'Failed to import the rates' },
  getTaxCollected: { success: 'Sales tax collected', failure: 'Failed to fetch what was collected' },
  rate: 'Please enter a rate from 0 to 30 with at most 4 decimals',
  noState: 'Enter one of the 50 states or DC',
  twice: 'This state is in the file twice',
  yesOrNo: 'Please write true or false',
  importRefused: 'Nothing was imported: some rows have mistakes',
  saved: (count: number) => (count === 1 ? '1 rate saved' : `${count} rates saved`),
  noneCollected: 'No tax was collected in this period.',
  noStates: 'No state found.',
  note: 'A state without a rate collects nothing. A new rate holds for orders placed after it is saved. Local rates below the state and reduced rates for groceries are not computed; the rates are yours to answer for.',
  collectedNote: 'By the day of payment, refunds by the day they were made, in the time zone of the shop.',
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
