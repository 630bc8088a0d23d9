/**
 * What an order costs beside its lines, as the payment provider is told of it. This is the one place that reads it from
 * the order's row: opening a session and finishing a payment both come here.
 * Rule: docs/rules/orders-and-payment.md, The provider
 */

/** Each is null where the order has none of it, or none that costs or saves anything. Amounts are whole cents above 0. */
export type PaidParts = {
  /** `name` is the line as the payer reads it. */
  delivery: PaidPart | null;
  tax: PaidPart | null;
  discount: { code: string; cents: number } | null;
};

export type PaidPart = { name: string; cents: number };

/** The columns of an order that say it; an order without them costs its lines. */
export type PricedOrder = {
  totalCents: number;
  deliveryCents?: number;
  deliveryName?: string | null;
  taxCents?: number;
  taxState?: string | null;
  /** In percent, as `7.2500`. */
  taxRate?: string | null;
  discountCents?: number;
  discountCode?: string | null;
};

export function paidPartsOf(order: PricedOrder): PaidParts {
  const { deliveryCents = 0, taxCents = 0, discountCents = 0 } = order;
  return {
    delivery: deliveryCents > 0 ? { name: deliveryNameOf(order), cents: deliveryCents } : null,
    tax: taxCents > 0 ? { name: taxNameOf(order), cents: taxCents } : null,
    discount: discountCents > 0 ? { code: order.discountCode ?? 'Discount', cents: discountCents } : null,
  };
}

const deliveryNameOf = ({ deliveryName }: PricedOrder) => (deliveryName ? `Delivery: ${deliveryName}` : 'Delivery');

function taxNameOf({ taxState, taxRate }: PricedOrder): string {
  const rate = taxRate ? `${Number(taxRate)}%` : '';
  const where = [taxState, rate].filter(Boolean).join(' ');
  return where === '' ? 'Sales tax' : `Sales tax (${where})`;
}
