/**
 * How the lines of a total read, wherever one stands: checkout, receipt, order, payment result, mails. The sum itself is
 * total.ts's; nothing is added here.
 * Rule: docs/rules/orders-and-payment.md, The total
 */
import { formatMoney, toCents } from './money';

/** The parts of a total, in dollars as on the wire. An order has them as they are. */
export interface TotalParts {
  goods: number;
  discount: { code: string; amount: number } | null;
  delivery: { name: string; price: number } | null;
  /** `rate` in percent. */
  tax: { state: string; rate: number; amount: number } | null;
}

export interface TotalLine {
  label: string;
  /** As it is written: '$5.95', '−$3.18', 'Free'. */
  text: string;
  /** As it is said, where that is something else: 'minus $3.18'. */
  spoken?: string;
  /** Taken off; the row of a refund; what a refund was for, smaller. */
  tone?: 'minus' | 'strong' | 'small';
}

/** @returns a line of an amount that is taken off; `label` says what for */
export const minusLine = (label: string, cents: number, tone: TotalLine['tone'] = 'minus'): TotalLine => ({
  label,
  text: `−${formatMoney(cents)}`,
  spoken: `minus ${formatMoney(cents)}`,
  tone,
});

/**
 * @returns the lines above the Total. What the shop does not charge has none; a delivery that costs nothing is 'Free'.
 * Only 'Subtotal': nothing came to the goods
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

/** @returns the lines of an order, or none where the total is the goods alone: 'Subtotal' would say the same twice */
export function orderLines(parts: TotalParts): TotalLine[] {
  const lines = totalLines(parts);
  return lines.length > 1 ? lines : [];
}
