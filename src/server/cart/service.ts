/** The cart's use cases. Prices, names and pictures always come from the products, never from the client. */
import { lineId, maxQuantity } from '../../shared/cart';
import { catalogMessages } from '../../shared/catalog';
import type { Schema } from '../../shared/contract';
import type { Connection, Tx } from '../db/core/transact';
import { liveChanged } from '../db/core/changes';
import { conflict, notFound } from '../http/core/problems';
import { type CartLine } from './lines';
import {
  deleteLine,
  deleteLines,
  findCart,
  findLine,
  findProductForCart,
  putUnits,
  setUnitsOfLine,
  takeUnits,
  type CartRow,
} from './repository';

/** @throws Error when the account has no cart, which is created with the account */
export async function readCart(connection: Connection, userId: string): Promise<CartRow> {
  const cart = await findCart(connection, userId);
  if (!cart) throw new Error(`user ${userId} has no cart`);
  return cart;
}

/**
 * Increases the product's quantity in the customer's cart and confirms its current price.
 * @param item.quantity whole units, 1 to 99
 * @param item.addedAt of a removed line, to restore its position
 * @returns the whole cart, prices in cents
 * @throws Problem 404 product_not_found, 409 product_unavailable, not_enough_stock, too_many_units
 * Rule: docs/rules/cart.md, Adding
 */
export async function addToCart(tx: Tx, userId: string, item: Schema<'NewCartItem'>, now: Date): Promise<CartRow> {
  const addedAt = placeOf(item.addedAt, now);
  await putInCart(tx, userId, { productId: item.productId, units: item.quantity ?? 1, addedAt });
  liveChanged(tx, userId, 'cart');
  return readCart(tx, userId);
}

/**
 * Sets a line's quantity. Confirms the product's current price, even if the quantity is the same.
 * @throws Problem 404 cart_item_not_found, 409 product_unavailable, not_enough_stock
 */
export async function setCartItem(
  tx: Tx,
  userId: string,
  change: Schema<'SetCartItemQuantity'>,
): Promise<CartLine | undefined> {
  const { quantity } = change;
  const found = await setUnitsOfLine(tx, userId, change.cartItemId, quantity);
  if (!found) throw cartItemNotFound();
  const { isSet, ...line } = found;
  requireSold(line);
  requireStock(line, quantity);
  if (!isSet) throw cartItemNotFound(); // deleted while this waited for its lock
  liveChanged(tx, userId, 'cart');
  return { ...line, quantity, confirmedPriceCents: line.currentPriceCents };
}

/**
 * Changes a line's quantity by a difference, so that +1 from two devices makes +2. A positive change restores a removed line,
 * a negative one ignores it; a line that reaches 0 or less is removed.
 * @returns the current line, undefined when it is removed
 * @throws Problem 404 product_not_found, 409 product_unavailable, not_enough_stock, too_many_units
 * Rule: docs/rules/cart.md, Changing a quantity
 */
export async function changeCartItem(
  tx: Tx,
  userId: string,
  { productId, change }: Schema<'ChangeCartItemQuantity'>,
  now: Date,
): Promise<CartLine | undefined> {
  liveChanged(tx, userId, 'cart');
  if (change > 0) return putInCart(tx, userId, { productId, units: change, addedAt: now });
  const product = await findProductForCart(tx, userId, productId);
  if (!product) throw productNotFound();
  const id = lineId(userId, product.productId);
  await takeUnits(tx, id, -change, product.currentPriceCents);
  return findLine(tx, userId, id);
}

/** @throws Problem 404 cart_item_not_found, for another customer's line too */
export async function removeCartItem(tx: Tx, userId: string, cartItemId: string): Promise<CartRow> {
  if (!(await deleteLine(tx, userId, cartItemId))) throw cartItemNotFound();
  liveChanged(tx, userId, 'cart');
  return readCart(tx, userId);
}

/** Removes all lines. Rule: docs/rules/cart.md, Removing and clearing */
export async function clearCart(tx: Tx, userId: string): Promise<CartRow> {
  await deleteLines(tx, userId);
  liveChanged(tx, userId, 'cart');
  return readCart(tx, userId);
}

/** @param sent by a client; a time in the future, or from before the shop existed, is invalid */
function placeOf(sent: string | undefined, now: Date): Date {
  const addedAt = new Date(sent ?? now);
  return addedAt < now && addedAt > new Date(0) ? addedAt : now;
}

type Addition = { productId: string; units: number; addedAt: Date };

/** @returns the line as it is now */
async function putInCart(tx: Tx, userId: string, { productId, units, addedAt }: Addition): Promise<CartLine> {
  // lower case, since the line's id is derived from the text, and a client may send upper case
  const id = lineId(userId, productId.toLowerCase());
  const product = await putUnits(tx, { userId, productId, id, units, addedAt, maxUnits: maxQuantity });
  if (!product) throw productNotFound();
  requireSold(product);
  // checked after the write, which the error rolls back, so that two concurrent tabs cannot both pass
  if (product.id === null)
    throw conflict('too_many_units', `You can have up to ${maxQuantity} of one product in your cart`);
  requireStock(product, product.quantity);
  return product;
}

type Sellable = Pick<CartLine, 'archivedAt' | 'availability' | 'stock'>;

function requireSold({ archivedAt, availability, stock }: Sellable): void {
  if (archivedAt) throw conflict('product_unavailable', catalogMessages.noLongerSold);
  if (!availability || stock <= 0) throw conflict('product_unavailable', catalogMessages.outOfStock);
}

function requireStock({ stock }: Sellable, quantity: number): void {
  if (quantity > stock) throw conflict('not_enough_stock', `Only ${stock} left`);
}

const productNotFound = () => notFound('product_not_found', catalogMessages.productNotFound);
const cartItemNotFound = () => notFound('cart_item_not_found', "This item isn't in your cart");
