/** Messages about discount codes for staff. */
import { discountLimits } from './discounts';

export const discountStaffMessages = {
  listDiscounts: { success: 'Discount codes', failure: 'Failed to fetch the discount codes' },
  exportDiscounts: { failure: 'Failed to export the discount codes' },
  getDiscount: { success: 'Discount code', failure: 'Failed to fetch the discount code' },
  createDiscount: { success: 'Code added', failure: 'Failed to add the code' },
  updateDiscount: { success: 'Code saved', failure: 'Failed to save the code' },
  switchedOn: (code: string) => `${code} is switched on`,
  switchedOff: (code: string) => `${code} is switched off`,
  noDiscounts: 'No discount codes found.',
  notFound: 'Discount code not found',
  taken: 'There is a code with this name',
  usedCode: 'This code was used, so it keeps its name',
  usedKind: 'This code was used, so it keeps what it gives',
  takesAll:
    'This code can make an order free. An order must come to at least $0.50, so customers can use it only if delivery, tax, or other items bring theirs to that.',
  deletedCategory: 'a deleted category',
} as const;

/** Validation messages of the discount code form. */
export const discountFormMessages = {
  code: 'Please use 3 to 40 letters, digits and hyphens',
  kind: 'Please choose what it gives',
  percent: `Please enter a whole number from 1 to ${discountLimits.percent}`,
  amount: 'Please enter an amount such as 5.00',
  uses: 'Please enter a whole number from 1 to 1000000',
  categories: 'Please choose at least one category',
  unknownCategory: 'This category is not there any more',
  time: 'Please enter a day',
  order: 'The last day must not be before the first',
} as const;
