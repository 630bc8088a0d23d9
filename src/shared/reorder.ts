import type { Schema } from './contract';
import { formatMoney, toCents } from './money';

type Line = Schema<'ReorderLine'>;

/**
 * What has changed about a line since it was ordered, the most important first.
 * @returns an empty list when it can be ordered as before. Rule: docs/rules/orders-and-payment.md, Reordering
 */
export function changesSince(line: Line): string[] {
  if (line.notice === 'archived') return ["No longer sold, so it won't be added"];
  if (line.notice === 'out_of_stock') return ["Out of stock, so it won't be added"];
  const cents = { before: toCents(line.orderedPrice), now: toCents(line.currentPrice) };
  const price = cents.before === cents.now ? [] : [`Was ${formatMoney(cents.before)}`];
  return line.quantity < line.orderedQuantity ? [fewerUnits(line), ...price] : price;
}

function fewerUnits({ quantity, orderedQuantity, inCart, stock }: Line): string {
  const alreadyInCart = inCart > 0 ? `, and ${inCart} already in your cart` : '';
  if (quantity === 0) return `Can't add any: only ${stock} left${alreadyInCart}`;
  return `${quantity} instead of ${orderedQuantity}: only ${stock} left${alreadyInCart}`;
}

/** Messages of ordering again. */
export const reorderMessages = {
  addAll: { success: 'Added to your cart', failure: "Some items couldn't be added to your cart" },
  previewReorder: { failure: "Couldn't check what's available to reorder" },
  asBefore: "Everything's available at the same price.",
  changed: 'Some items have changed. Review before adding.',
  nothingLeft: 'Nothing in this order is available now.',
  action: (units: number) => (units === 1 ? 'Add 1 item' : `Add ${units} items`),
} as const;
