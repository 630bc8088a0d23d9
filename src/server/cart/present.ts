import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { sizeFacts } from '../../shared/sizes';
import { pictureUrl } from '../catalog/present';
import type { CartLine } from './lines';
import type { CartRow } from './repository';

export function presentCart({ cartId, lines }: CartRow): Schema<'Cart'> {
  const totalCents = lines.reduce((sum, line) => sum + line.confirmedPriceCents * line.quantity, 0);
  return { cartId, cartItems: lines.map(presentLine), totalAmount: fromCents(totalCents) };
}

export function presentLine(line: CartLine): Schema<'CartItem'> {
  return {
    id: line.id,
    cartItemId: line.id,
    productId: line.productId,
    productName: line.productName,
    price: fromCents(line.confirmedPriceCents),
    quantity: line.quantity,
    totalPrice: fromCents(line.confirmedPriceCents * line.quantity),
    imageUrl: pictureUrl(line.pictureHash),
    currentPrice: fromCents(line.currentPriceCents),
    available: noticeOf(line) === null || noticeOf(line) === 'price_changed',
    stock: Math.max(0, line.stock),
    notice: noticeOf(line),
    ...(line.compareAtCents && { compareAtPrice: fromCents(line.compareAtCents) }),
    ...sizeFacts(line),
    addedAt: line.addedAt.toISOString(),
  };
}

/** The most serious issue to settle before the line can be ordered. Rule: docs/rules/cart.md, Resolving notices */
export function noticeOf(line: CartLine): Schema<'CartItem'>['notice'] {
  if (line.archivedAt) return 'archived';
  if (!line.availability || line.stock <= 0) return 'out_of_stock';
  if (line.quantity > line.stock) return 'not_enough_stock';
  if (line.currentPriceCents !== line.confirmedPriceCents) return 'price_changed';
  return null;
}
