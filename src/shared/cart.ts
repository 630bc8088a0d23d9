import { v5 } from 'uuid';
import type { Schema } from './contract';
import { formatMoney, fromCents, toCents } from './money';

type Cart = Schema<'Cart'>;
type CartItem = Schema<'CartItem'>;

/** The most of one product in a cart. Source: decisions §5 */
export const maxQuantity = 99;

/** Each change of the cart by its operation's name, with what it needs: what the outbox keeps and sends. */
export interface CartChanges {
  addCartItem: { userId: string; item: Schema<'NewCartItem'> };
  /** `name` is the product's, for what may be said of it when its line is gone. */
  updateCartItem: { userId: string; update: Schema<'CartItemUpdate'>; name?: string };
  removeCartItem: { userId: string; cartItemId: string };
  clearCart: { userId: string };
}

/** One change: `{ operation: 'clearCart', input: { userId } }`. */
export type CartChange = {
  [Name in keyof CartChanges]: { operation: Name; input: CartChanges[Name] };
}[keyof CartChanges];

/**
 * The id of a product's line in a user's cart, the same on every device and before the server was asked.
 * Source: decisions §5
 */
export function lineId(userId: string, productId: string): string {
  return v5(productId, userId);
}

/** @returns the sum of the lines in whole cents */
export function subtotalCents(lines: readonly CartItem[]): number {
  return lines.reduce((sum, line) => sum + toCents(line.price) * line.quantity, 0);
}

/** @returns how many units are in the cart: the number on the cart's badge */
export function countUnits(cart: Cart): number {
  return cart.cartItems.reduce((sum, line) => sum + line.quantity, 0);
}

/** @returns whether every line can be ordered as it is; else Proceed to Checkout waits. Source: decisions §5 */
export function isSettled(cart: Cart): boolean {
  return cart.cartItems.every((line) => line.notice === null);
}

/** @returns the cart as it will be once the server has made the change */
export function withChange(cart: Cart, change: CartChange): Cart {
  switch (change.operation) {
    case 'addCartItem':
      return withAdded(cart, change.input);
    case 'updateCartItem':
      return withUpdated(cart, change.input.update);
    case 'removeCartItem':
      return withLines(cart, (line) => (line.id === change.input.cartItemId ? null : line));
    case 'clearCart':
      return summed(cart, []);
    default:
      return change satisfies never;
  }
}

/**
 * Two changes that follow each other, as one: plus pressed three times is one call. Only what comes to the same either
 * way: a plus and a minus do not, since only the plus brings back a line that another device removed.
 * @returns undefined when they must stay two
 */
export function asOne(earlier: CartChange, later: CartChange): CartChange | undefined {
  if (earlier.operation === 'addCartItem' && later.operation === 'addCartItem') {
    const [before, { userId, item }] = [earlier.input.item, later.input];
    const quantity = before.quantity + item.quantity;
    if (before.productId !== item.productId || quantity > maxQuantity) return undefined;
    return { operation: 'addCartItem', input: { userId, item: { ...item, quantity } } };
  }
  if (earlier.operation !== 'updateCartItem' || later.operation !== 'updateCartItem') return undefined;
  const [before, { update, ...rest }] = [earlier.input.update, later.input];
  if ('quantity' in before && 'quantity' in update) return before.cartItemId === update.cartItemId ? later : undefined;
  if (!('change' in before && 'change' in update) || before.productId !== update.productId) return undefined;
  const change = before.change + update.change;
  if (Math.sign(before.change) !== Math.sign(update.change) || Math.abs(change) > maxQuantity) return undefined;
  return { operation: 'updateCartItem', input: { ...rest, update: { ...update, change } } };
}

/** @returns whether a change is about a product's line alone */
export function isAbout(change: CartChange, userId: string, productId: string): boolean {
  switch (change.operation) {
    case 'addCartItem':
      return change.input.item.productId === productId;
    case 'updateCartItem': {
      const { update } = change.input;
      return 'change' in update ? update.productId === productId : update.cartItemId === lineId(userId, productId);
    }
    case 'removeCartItem':
      return change.input.cartItemId === lineId(userId, productId);
    case 'clearCart':
      return false;
    default:
      return change satisfies never;
  }
}

/**
 * The cart with the server's answer about one line.
 * @param id of the line or of its product
 * @param line as the server has it now; null when it is gone
 */
export function withServerLine(cart: Cart, id: string, line: CartItem | null): Cart {
  const isMeant = (old: CartItem) => old.id === id || old.productId === id;
  if (line && !cart.cartItems.some(isMeant)) return summed(cart, [...cart.cartItems, line]);
  return withLines(cart, (old) => (isMeant(old) ? line : old));
}

function withAdded(cart: Cart, { userId, item }: CartChanges['addCartItem']): Cart {
  if (cart.cartItems.some((line) => line.productId === item.productId)) {
    return withLines(cart, (line) =>
      line.productId === item.productId ? confirmed(line, line.quantity + item.quantity) : line,
    );
  }
  return summed(cart, [...cart.cartItems, newLine(lineId(userId, item.productId), item)]);
}

function withUpdated(cart: Cart, update: Schema<'CartItemUpdate'>): Cart {
  if ('change' in update) {
    return withLines(cart, (line) =>
      line.productId === update.productId ? confirmed(line, line.quantity + update.change) : line,
    );
  }
  return withLines(cart, (line) => (line.id === update.cartItemId ? confirmed(line, update.quantity) : line));
}

/** Any add or update of a line accepts the present price. Nothing is left of it at 0 or less. */
function confirmed(line: CartItem, quantity: number): CartItem | null {
  if (quantity <= 0) return null;
  const notice = line.notice === 'price_changed' ? null : line.notice;
  return { ...line, quantity: Math.min(quantity, maxQuantity), price: line.currentPrice, notice };
}

function newLine(id: string, item: Schema<'NewCartItem'>): CartItem {
  const price = item.price ?? 0;
  return {
    id,
    cartItemId: id,
    productId: item.productId,
    productName: item.name ?? '',
    price,
    quantity: item.quantity,
    totalPrice: price * item.quantity,
    imageUrl: item.image ?? null,
    currentPrice: price,
    available: true,
    stock: maxQuantity,
    notice: null,
  };
}

function withLines(cart: Cart, change: (line: CartItem) => CartItem | null): Cart {
  return summed(
    cart,
    cart.cartItems.map(change).filter((line) => line !== null),
  );
}

function summed(cart: Cart, lines: readonly CartItem[]): Cart {
  const cartItems = lines.map((line) => ({ ...line, totalPrice: fromCents(toCents(line.price) * line.quantity) }));
  return { ...cart, cartItems, totalAmount: fromCents(subtotalCents(cartItems)) };
}

/** What stands on a line that must be settled before it can be ordered. */
export function noticeSentence(line: CartItem): string | null {
  switch (line.notice) {
    case 'price_changed':
      return `The price changed from ${formatMoney(toCents(line.price))} to ${formatMoney(toCents(line.currentPrice))}`;
    case 'out_of_stock':
      return 'Out of Stock';
    case 'archived':
      return 'This product is no longer sold';
    case 'not_enough_stock':
      return `Only ${line.stock} left`;
    default:
      return null;
  }
}

/** The sentences of the cart's changes. Source: specification §8 */
export const cartSays = {
  addCartItem: { success: 'Item added to cart successfully', failure: 'Failed to add item to cart' },
  updateCartItem: { success: 'Cart item updated successfully', failure: 'Failed to update cart item' },
  removeCartItem: { success: 'Item removed from cart', failure: 'Failed to remove cart item' },
  clearCart: { success: 'Cart cleared successfully', failure: 'Failed to clear cart' },
  noUser: 'User ID is required to fetch the cart',
  noData: 'Cart data is not available',
  empty: 'Cart is Empty',
} as const;
