import type { Schema } from './contract';
import { toCents } from './money';
import { nameWithSize } from './sizes';
import { goodsOfRefund } from './total';
import { minusLine, type TotalLine } from './totalLines';
import type { Units } from './unitPrice';

type Order = Schema<'Order'>;

/** @returns whether the order was ever paid; a refunded order still has its receipt */
export const hasReceipt = ({ paidAt }: Pick<Order, 'paidAt'>): boolean => paidAt !== null;

/** @returns the amount paid minus refunds, in cents */
export function paidCents({ totalAmount, refundedAmount }: Order): number {
  return toCents(totalAmount) - toCents(refundedAmount);
}

/** @returns completed refunds, oldest first; pending ones are omitted */
export const madeRefunds = ({ refunds }: Order) => refunds.filter(({ state }) => state === 'done');

type Refund = Order['refunds'][number];

/** @returns a line for each part of a refund; none if only goods were charged and the refund names no lines */
export function refundParts({ amount, lines, delivery, tax, other }: Refund, units: Units): TotalLine[] {
  const smallLine = (label: string, dollars: number) => minusLine(label, toCents(dollars), 'small');
  const isPlain = lines.length === 0 && delivery === null && tax === 0;
  if (isPlain) return [];
  const cents = { amountCents: toCents(amount), deliveryCents: toCents(delivery ?? 0), taxCents: toCents(tax) };
  const goodsCents = goodsOfRefund(cents);
  return [
    ...lines.map((line) => smallLine(`${nameWithSize(line, units)}, ${line.quantity}`, line.amount)),
    ...(other !== null && goodsCents > 0 ? [minusLine('Items', goodsCents, 'small')] : []),
    ...(delivery === null ? [] : [smallLine('Delivery', delivery)]),
    ...(tax > 0 ? [smallLine('Sales tax on these items', tax)] : []),
  ];
}

/** @returns the note below the items of a receipt */
export function receiptNote({ discount, delivery, tax }: Order): string {
  if (tax && tax.amount > 0) return receiptMessages.taxed;
  return delivery || discount ? receiptMessages.byCard : receiptMessages.nothingMore;
}

/** Messages of a receipt. Rule: docs/rules/orders-and-payment.md, Receipt */
export const receiptMessages = {
  getOrder: { failure: "Couldn't load the receipt" },
  notPaid: "This order hasn't been paid, so there's no receipt yet.",
  total: 'Total charged',
  refunded: 'Refunded',
  rest: 'Total after refunds',
  byCard: 'Paid by card.',
  taxed: 'Paid by card. Tax is based on taxable items after the discount, and on delivery in states that tax it.',
  nothingMore: 'Paid by card. No tax, fees, or delivery charges.',
} as const;
