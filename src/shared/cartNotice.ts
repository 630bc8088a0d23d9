import { catalogMessages } from './catalog';
import type { Schema } from './contract';
import { formatMoney, toCents } from './money';

/** @returns the sentence of a line's notice, or null. Rule: docs/rules/cart.md, Resolving notices */
export function noticeSentence(line: Schema<'CartItem'>): string | null {
  switch (line.notice) {
    case 'price_changed':
      return `Now ${formatMoney(toCents(line.currentPrice))} (was ${formatMoney(toCents(line.price))})`;
    case 'out_of_stock':
      return catalogMessages.outOfStock;
    case 'archived':
      return catalogMessages.noLongerSold;
    case 'not_enough_stock':
      return `Only ${line.stock} left`;
    default:
      return null;
  }
}
