import type { Schema } from './contract';
import { toCents } from './money';

type Order = Schema<'Order'>;

/** @returns whether the order was ever paid; an order that was refunded keeps its receipt */
export const hasReceipt = ({ paidAt }: Pick<Order, 'paidAt'>): boolean => typeof paidAt === 'string';

/** @returns what was paid less what was given back, in cents */
export function paidCents({ totalAmount, refundedAmount = 0 }: Order): number {
  return toCents(totalAmount) - toCents(refundedAmount);
}

/** @returns the refunds that were made, oldest first; those still on their way are left out */
export const madeRefunds = ({ refunds = [] }: Order) => refunds.filter(({ state }) => state === 'done');

/** The sentences of a receipt. Rule: docs/rules/orders-and-payment.md, Receipt */
export const receiptSays = {
  getOrder: { failure: 'Failed to load the receipt' },
  notPaid: 'This order is not paid, so it has no receipt yet.',
  total: 'Total charged',
  refunded: 'Refunded',
  rest: 'Paid after refunds',
  nothingMore: 'Paid by card. No tax, fees or shipping were charged.',
} as const;
