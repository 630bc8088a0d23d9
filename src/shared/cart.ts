import { v5 } from 'uuid';
import type { Schema } from './contract';
import { fromCents, toCents } from './money';

type Cart = Schema<'Cart'>;
type CartItem = Schema<'CartItem'>;

/** Maximum units of one product in a cart. Rule: docs/rules/cart.md, Limits */
export const maxQuantity = 99;

/** What a new line also shows of its product until the server answers. Never sent. */
export type LineFacts = Pick<CartItem, 'compareAtPrice' | 'unitSize' | 'netGrams' | 'netMillilitres'>;

/** The input of each cart operation, as the outbox stores and sends it (web/cart/operations.ts). */
export interface CartChanges {
  addCartItem: { userId: string; item: Schema<'NewCartItem'>; facts?: LineFacts };
  /** `name` is the product's name, for messages after its line is gone. */
  updateCartItem: { userId: string; update: Schema<'CartItemUpdate'>; name?: string };
  removeCartItem: { userId: string; cartItemId: string };
  clearCart: { userId: string };
}

/** One change: `{ operation: 'clearCart', input: { userId } }`. */
export type CartChange = {
  [Name in keyof CartChanges]: { operation: Name; input: CartChanges[Name] };
}[keyof CartChanges];

/**
 * The id of a product's line in a user's cart. It is derived, so every device knows it without asking the server.
 * Rule: docs/rules/cart.md, The cart
 */
export function lineId(userId: string, productId: string): string {
  return v5(productId, userId);
}

/** @returns the sum of the lines, in whole cents */
export function subtotalCents(lines: readonly CartItem[]): number {
  return lines.reduce((sum, line) => sum + toCents(line.price) * line.quantity, 0);
}

/** @returns the sum of the lines at the shop's current prices, in whole cents */
export const goodsCents = (lines: readonly CartItem[]): number =>
  subtotalCents(lines.map((line) => ({ ...line, price: line.currentPrice })));

/** @returns the number of units in the cart, shown on its badge */
export function countUnits(cart: Cart): number {
  return cart.cartItems.reduce((sum, line) => sum + line.quantity, 0);
}

type Effects = { readonly [Name in keyof CartChanges]: (cart: Cart, input: CartChanges[Name]) => Cart };

/** The optimistic effect of each change until the server has confirmed it. */
const effects: Effects = {
  addCartItem: withAdded,
  updateCartItem: (cart, { update }) => withUpdated(cart, update),
  removeCartItem: (cart, { cartItemId }) => withLines(cart, (line) => (line.id === cartItemId ? null : line)),
  clearCart: (cart) => summed(cart, []),
};

export function isCartChange<Any extends { operation: string }>(change: Any): change is Any & CartChange {
  return Object.hasOwn(effects, change.operation);
}

/** @returns the cart as the server will have it after this change. Rule: docs/rules/cart.md, Order of operations */
export function withChange(cart: Cart, { operation, input }: CartChange): Cart {
  const applyChange = effects[operation] as (cart: Cart, input: CartChange['input']) => Cart;
  return applyChange(cart, input);
}

/**
 * Merges the server's answer for one line into the cart.
 * @param id of the line or of its product
 * @param line the server's current line; null when it is gone
 */
export function withServerLine(cart: Cart, id: string, line: CartItem | null): Cart {
  const isSameLine = (old: CartItem) => old.id === id || old.productId === id;
  if (line && !cart.cartItems.some(isSameLine)) return summed(cart, [...cart.cartItems, line]);
  return withLines(cart, (old) => (isSameLine(old) ? line : old));
}

function withAdded(cart: Cart, { userId, item, facts }: CartChanges['addCartItem']): Cart {
  if (cart.cartItems.some((line) => line.productId === item.productId)) {
    return withLines(cart, (line) =>
      line.productId === item.productId ? confirmed(line, line.quantity + item.quantity) : line,
    );
  }
  const line = { ...newLine(lineId(userId, item.productId), item), ...facts };
  return summed(cart, cart.cartItems.toSpliced(positionOf(line, cart.cartItems), 0, line));
}

/** The position of a line: where it was before, otherwise at the end. */
function positionOf({ addedAt }: CartItem, lines: readonly CartItem[]): number {
  const position = addedAt ? lines.findIndex((line) => (line.addedAt ?? '~') > addedAt) : -1;
  return position < 0 ? lines.length : position;
}

function withUpdated(cart: Cart, update: Schema<'CartItemUpdate'>): Cart {
  if ('change' in update) {
    return withLines(cart, (line) =>
      line.productId === update.productId ? confirmed(line, line.quantity + update.change) : line,
    );
  }
  return withLines(cart, (line) => (line.id === update.cartItemId ? confirmed(line, update.quantity) : line));
}

/**
 * Adding or updating a line always accepts the current price. A line whose quantity fits the stock can be ordered; a
 * quantity of 0 removes the line.
 */
function confirmed(line: CartItem, wanted: number): CartItem | null {
  if (wanted <= 0) return null;
  const quantity = Math.min(wanted, maxQuantity);
  const isSettled = line.notice === 'price_changed' || (line.notice === 'not_enough_stock' && quantity <= line.stock);
  const notice = isSettled ? null : line.notice;
  return { ...line, quantity, price: line.currentPrice, available: isSettled || line.available, notice };
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
    ...(item.addedAt && { addedAt: item.addedAt }),
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
