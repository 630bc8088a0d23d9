/** Messages about discount codes for staff. */
import { discountLimits } from './discounts';

export const discountStaffMessages = {
  listDiscounts: { success: 'Discount codes', failure: "Couldn't load discount codes" },
  exportDiscounts: { failure: "Couldn't export discount codes. Try again." },
  getDiscount: { success: 'Discount code', failure: "Couldn't load the discount code" },
  createDiscount: { success: 'Code added', failure: "Couldn't add the code. Try again." },
  updateDiscount: { success: 'Code saved', failure: "Couldn't save the code. Try again." },
  switchedOn: (code: string) => `${code} is active`,
  switchedOff: (code: string) => `${code} is inactive`,
  noDiscounts: 'No discount codes found.',
  notFound: 'Discount code not found',
  taken: "There's already a code with this name",
  usedCode: "This code has been used, so its name can't change",
  usedKind: "This code has been used, so its discount type can't change",
  takesAll:
    'This code can make an order free. Orders must total at least $0.50, so it only works when delivery, tax, or other items bring the total up to that amount.',
  deletedCategory: 'a deleted category',
} as const;

/** Validation messages of the discount code form. */
export const discountFormMessages = {
  code: 'Use 3 to 40 letters, numbers, and hyphens',
  kind: 'Choose a discount type',
  percent: `Enter a whole number from 1 to ${discountLimits.percent}`,
  amount: 'Enter an amount, such as 5.00',
  uses: 'Enter a whole number from 1 to 1,000,000',
  categories: 'Choose at least one category',
  unknownCategory: 'This category no longer exists',
  time: 'Enter a date',
  order: "The end date can't be before the start date",
} as const;
