import type { Schema } from './contract';
import { maxQuantity } from './cart';

/** A line as the user last saw it. */
export interface ShownLine {
  quantity: number;
  priceCents: number;
}

/** The current state of the same product. */
export interface PresentLine {
  priceCents: number;
  isArchived: boolean;
  isSold: boolean;
  /** Maximum units available to this customer, including what their own open order holds. */
  stock: number;
  /** Units already in the cart. */
  inCart: number;
}

/**
 * Compares a line with what the user saw: when an order is repeated, or when an order waited for a connection.
 * @returns the units available now, and the most important difference
 * Rule: docs/rules/orders-and-payment.md, Comparing with what was shown
 */
export function compareLine(shown: ShownLine, now: PresentLine): { quantity: number; notice: Schema<'CartNotice'> } {
  const isGone = now.isArchived || !now.isSold || now.stock <= 0;
  const available = isGone ? 0 : Math.max(0, Math.min(now.stock, maxQuantity) - now.inCart);
  const quantity = Math.min(shown.quantity, available);
  if (now.isArchived) return { quantity, notice: 'archived' };
  if (isGone) return { quantity, notice: 'out_of_stock' };
  if (quantity < shown.quantity) return { quantity, notice: 'not_enough_stock' };
  return { quantity, notice: now.priceCents === shown.priceCents ? null : 'price_changed' };
}
