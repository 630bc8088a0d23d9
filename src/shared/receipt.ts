import type { Schema } from './contract';
import { toCents } from './money';

type Order = Schema<'Order'>;

/** @returns whether money was taken for the order: then it has a receipt, also when all of it went back */
export const hasReceipt = ({ paidAt }: Pick<Order, 'paidAt'>): boolean => typeof paidAt === 'string';

/** @returns what the customer has paid and kept paid, in cents, after what was given back */
export function paidCents({ totalAmount, refundedAmount = 0 }: Order): number {
  return toCents(totalAmount) - toCents(refundedAmount);
}

/** @returns the refunds that were made, oldest first; one that is still on its way is no money yet */
export const madeRefunds = ({ refunds = [] }: Order) => refunds.filter(({ state }) => state === 'done');

/** The sentences of a receipt. */
export const receiptSays = {
  getOrder: { failure: 'Failed to load the receipt' },
  notPaid: 'This order is not paid, so it has no receipt yet.',
  total: 'Total charged',
  refunded: 'Refunded',
  rest: 'Paid after refunds',
  nothingMore: 'Paid by card. No tax, fees or shipping were charged.',
} as const;
