import type { Schema } from './contract';
import { formatMoney, toCents } from './money';

type Line = Schema<'ReorderLine'>;

/**
 * What has changed about a line since it was ordered, the most important first.
 * @returns an empty list when it can be ordered as before. Rule: docs/rules/orders-and-payment.md, Reordering
 */
export function changesSince(line: Line): string[] {
  if (line.notice === 'archived') return ['This product is no longer sold and will not be added'];
  if (line.notice === 'out_of_stock') return ['Out of Stock: it will not be added'];
  const cents = { before: toCents(line.orderedPrice), now: toCents(line.currentPrice) };
  const price = cents.before === cents.now ? [] : [`The price was ${formatMoney(cents.before)}`];
  return line.quantity < line.orderedQuantity ? [fewerUnits(line), ...price] : price;
}

function fewerUnits({ quantity, orderedQuantity, inCart, stock }: Line): string {
  const alreadyInCart = inCart > 0 ? `, and your cart has ${inCart} of it already` : '';
  if (quantity === 0) return `Nothing can be added: only ${stock} left${alreadyInCart}`;
  return `${quantity} instead of ${orderedQuantity}: only ${stock} left${alreadyInCart}`;
}

/** Messages of ordering again. */
export const reorderMessages = {
  addAll: { success: 'The items are in your cart', failure: 'Not everything could be added to your cart' },
  previewReorder: { failure: 'Failed to read what can be ordered again' },
  asBefore: 'Everything can be had at the same price as before.',
  changed: 'Something has changed since. Nothing is added before you say so.',
  nothingLeft: 'Nothing of this order can be had now.',
  action: (units: number) => (units === 1 ? 'Add 1 item' : `Add ${units} items`),
} as const;
