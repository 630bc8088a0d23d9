/** The cart's use cases. Prices, names and pictures come from the products, whatever a client sends. */
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

/** @throws Error when the account has no cart: it is made with the account */
export async function readCart(connection: Connection, userId: string): Promise<CartRow> {
  const cart = await findCart(connection, userId);
  if (!cart) throw new Error(`user ${userId} has no cart`);
  return cart;
}

/**
 * Raises the product's quantity in the customer's cart and confirms its present price.
 * @param item.quantity whole units, 1 to 99
 * @param item.addedAt of a line that was removed: it comes back in its old place
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
 * Sets a line's quantity, as specified. Confirms the product's present price, also with the same quantity.
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
  if (!isSet) throw cartItemNotFound(); // it went while this waited for it
  liveChanged(tx, userId, 'cart');
  return { ...line, quantity, confirmedPriceCents: line.currentPriceCents };
}

/**
 * Changes a line by so many units, so that two devices' +1 and +1 make +2. A positive change brings back a line that is
 * gone, a negative one does nothing to it; a line that comes to 0 or less is removed.
 * @returns the line as it is now, undefined when it is gone
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

/** Takes every line away; an empty cart stays empty. Rule: docs/rules/cart.md, Removing and clearing */
export async function clearCart(tx: Tx, userId: string): Promise<CartRow> {
  await deleteLines(tx, userId);
  liveChanged(tx, userId, 'cart');
  return readCart(tx, userId);
}

/** @param sent by a client: a time to come, or one from before the shop, is no place in the cart */
function placeOf(sent: string | undefined, now: Date): Date {
  const addedAt = new Date(sent ?? now);
  return addedAt < now && addedAt > new Date(0) ? addedAt : now;
}

type Addition = { productId: string; units: number; addedAt: Date };

/** @returns the line as it is now */
async function putInCart(tx: Tx, userId: string, { productId, units, addedAt }: Addition): Promise<CartLine> {
  // the id as the product has it: the line's id is made from its letters, and a client may write them in capitals
  const id = lineId(userId, productId.toLowerCase());
  const product = await putUnits(tx, { userId, productId, id, units, addedAt, maxUnits: maxQuantity });
  if (!product) throw productNotFound();
  requireSold(product);
  // checked after the write, which the throw undoes: two tabs adding at once cannot both slip through
  if (product.id === null)
    throw conflict('too_many_units', `You can have at most ${maxQuantity} of a product in your cart`);
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
const cartItemNotFound = () => notFound('cart_item_not_found', 'This item is not in your cart');
