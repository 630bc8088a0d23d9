import { catalogSays } from './catalog';
import type { Schema } from './contract';
import { formatMoney, toCents } from './money';

/** @returns the sentence of a line's notice, or null. Rule: docs/rules/cart.md, Settling a line */
export function noticeSentence(line: Schema<'CartItem'>): string | null {
  switch (line.notice) {
    case 'price_changed':
      return `The price changed from ${formatMoney(toCents(line.price))} to ${formatMoney(toCents(line.currentPrice))}`;
    case 'out_of_stock':
      return catalogSays.outOfStock;
    case 'archived':
      return catalogSays.noLongerSold;
    case 'not_enough_stock':
      return `Only ${line.stock} left`;
    default:
      return null;
  }
}
