/**
 * Formats the lines of a total for checkout, receipt, order, payment result and mails. The sums come from total.ts;
 * nothing is added up here.
 * Rule: docs/rules/orders-and-payment.md, The total
 */
import { formatMoney, toCents } from './money';

/** The parts of a total, in dollars as on the wire. An order has the same properties. */
export interface TotalParts {
  goods: number;
  discount: { code: string; amount: number } | null;
  delivery: { name: string; price: number } | null;
  /** `rate` in percent. */
  tax: { state: string; rate: number; amount: number } | null;
}

export interface TotalLine {
  label: string;
  /** As displayed: '$5.95', '−$3.18', 'Free'. */
  text: string;
  /** For screen readers, if it differs: 'minus $3.18'. */
  spoken?: string;
  /** minus: a deduction; strong: a refund row; small: a part of a refund. */
  tone?: 'minus' | 'strong' | 'small';
}

/** @returns a line for a deduction */
export const minusLine = (label: string, cents: number, tone: TotalLine['tone'] = 'minus'): TotalLine => ({
  label,
  text: `−${formatMoney(cents)}`,
  spoken: `minus ${formatMoney(cents)}`,
  tone,
});

/**
 * @returns the lines above the Total. Parts that the shop does not charge have no line; free delivery is 'Free'. If
 *   only 'Subtotal' is returned, the total is the goods alone
 */
export function totalLines({ goods, discount, delivery, tax }: TotalParts): TotalLine[] {
  const lines: TotalLine[] = [{ label: 'Subtotal', text: formatMoney(toCents(goods)) }];
  if (discount && discount.amount > 0) lines.push(minusLine(`Discount (${discount.code})`, toCents(discount.amount)));
  if (delivery)
    lines.push({
      label: `Delivery (${delivery.name})`,
      text: delivery.price === 0 ? 'Free' : formatMoney(toCents(delivery.price)),
    });
  if (tax && tax.amount > 0)
    lines.push({ label: `Sales tax (${tax.state} ${tax.rate}%)`, text: formatMoney(toCents(tax.amount)) });
  return lines;
}

/** @returns the lines of an order; none where the total is the goods alone, because 'Subtotal' would repeat it */
export function orderLines(parts: TotalParts): TotalLine[] {
  const lines = totalLines(parts);
  return lines.length > 1 ? lines : [];
}
