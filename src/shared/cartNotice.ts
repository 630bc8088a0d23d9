import { catalogMessages } from './catalog';
import type { Schema } from './contract';
import { formatMoney, toCents } from './money';

/** @returns the sentence of a line's notice, or null. Rule: docs/rules/cart.md, Resolving notices */
export function noticeSentence(line: Schema<'CartItem'>): string | null {
  switch (line.notice) {
    case 'price_changed':
      return `Now ${formatMoney(toCents(line.currentPrice))} (was ${formatMoney(toCents(line.price))})`;
    case 'out_of_stock':
      return 'Sold out';
    case 'archived':
      return catalogMessages.noLongerSold;
    case 'not_enough_stock':
      return `Only ${line.stock} left`;
    default:
      return null;
  }
}

/** Leads to what must be settled before the checkout. */
export const reviewChanges = (count: number): string => (count === 1 ? 'Review 1 change' : `Review ${count} changes`);
