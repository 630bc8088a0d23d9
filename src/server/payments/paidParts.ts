/**
 * What an order costs beside its lines, as the payment provider is told of it. This is the one place that reads it from
 * the order's row: opening a session and finishing a payment both come here.
 * Rule: docs/rules/orders-and-payment.md, The provider
 */
import { fromRatePpm } from '../../shared/total';
import type { orders } from '../db/schema/tables';

/** Each is null where the order has none of it, or none that costs or saves anything. Amounts are whole cents above 0. */
export type PaidParts = {
  /** `name` is the line as the payer reads it. */
  delivery: PaidPart | null;
  tax: PaidPart | null;
  discount: { code: string; cents: number } | null;
};

export type PaidPart = { name: string; cents: number };

/** The columns of an order that say it; an order without them costs its lines. */
export type PricedOrder = Pick<
  typeof orders.$inferSelect,
  'deliveryCents' | 'deliveryName' | 'taxCents' | 'taxState' | 'taxRatePpm' | 'discountCents' | 'discountCode'
>;

export function paidPartsOf(order: PricedOrder): PaidParts {
  const { deliveryCents, taxCents, discountCents } = order;
  return {
    delivery: deliveryCents > 0 ? { name: `Delivery: ${order.deliveryName ?? ''}`, cents: deliveryCents } : null,
    tax: taxCents > 0 ? { name: taxNameOf(order), cents: taxCents } : null,
    discount: discountCents > 0 ? { code: order.discountCode ?? '', cents: discountCents } : null,
  };
}

const taxNameOf = ({ taxState, taxRatePpm }: PricedOrder): string =>
  `Sales tax (${taxState ?? ''} ${fromRatePpm(taxRatePpm ?? 0)}%)`;
