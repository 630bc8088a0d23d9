/**
 * An order's costs besides its lines, as sent to the payment provider. The only code that derives them from the order's
 * row: both opening a session and finishing a payment use it.
 * Rule: docs/rules/orders-and-payment.md, The provider
 */
import { fromRatePpm } from '../../shared/total';
import type { orders } from '../db/schema/tables';

/** A part is null if the order has none of it or its amount is 0. Amounts are whole cents above 0. */
export type PaidParts = {
  /** `name` is the line's text for the payer. */
  delivery: PaidPart | null;
  tax: PaidPart | null;
  discount: { code: string; cents: number } | null;
};

export type PaidPart = { name: string; cents: number };

/** The columns of an order that the parts are made from. */
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
