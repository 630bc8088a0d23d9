import type { Schema } from './contract';
import { maxQuantity } from './cart';

/** A line as it was shown to the user. */
export interface ShownLine {
  quantity: number;
  priceCents: number;
}

/** The same product as the shop has it now. */
export interface PresentLine {
  priceCents: number;
  isArchived: boolean;
  isSold: boolean;
  /** How many this customer can have at most, what an own open order holds included. */
  stock: number;
  /** Units that are taken of it already, in the cart. */
  inCart: number;
}

/**
 * What became of a line since it was shown: of an order that is ordered again, and of one that waited for a connection.
 * @returns the units that can be had of it now, and the most important of what differs
 * Rule: docs/rules/orders-and-payment.md, Comparing with what was shown
 */
export function compareLine(shown: ShownLine, now: PresentLine): { quantity: number; notice: Schema<'CartNotice'> } {
  const isGone = now.isArchived || !now.isSold || now.stock <= 0;
  const room = isGone ? 0 : Math.max(0, Math.min(now.stock, maxQuantity) - now.inCart);
  const quantity = Math.min(shown.quantity, room);
  if (now.isArchived) return { quantity, notice: 'archived' };
  if (isGone) return { quantity, notice: 'out_of_stock' };
  if (quantity < shown.quantity) return { quantity, notice: 'not_enough_stock' };
  return { quantity, notice: now.priceCents === shown.priceCents ? null : 'price_changed' };
}
