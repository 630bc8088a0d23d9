import { and, asc, eq, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { cartItems, carts, products } from '../db/schema/tables';
import { type Connection, prepared, statement, type Tx } from '../db/core/transact';
import { heldByOwnOrder, line, type CartLine } from './lines';

export type CartRow = { cartId: string; lines: CartLine[] };

const cartQuery = prepared('cart', (connection) =>
  connection
    .select({ cartId: carts.id, line })
    .from(carts)
    .leftJoin(cartItems, eq(cartItems.cartId, carts.id))
    .leftJoin(products, eq(products.id, cartItems.productId))
    .where(eq(carts.userId, sql.placeholder('userId')))
    .orderBy(asc(cartItems.createdAt), asc(cartItems.id)),
);

/** The user's cart with its lines in the order they were added. */
export async function findCart(connection: Connection, userId: string): Promise<CartRow | undefined> {
  const rows = await cartQuery(connection).execute({ userId });
  const [first] = rows;
  if (!first) return undefined;
  return { cartId: first.cartId, lines: rows.flatMap(({ line }) => (line.id === null ? [] : [line as CartLine])) };
}

const lineQuery = prepared('cart_line', (connection) =>
  connection
    .select(line)
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .innerJoin(products, eq(products.id, cartItems.productId))
    .where(and(eq(carts.userId, sql.placeholder('userId')), eq(cartItems.id, sql.placeholder('lineId')))),
);

export async function findLine(connection: Connection, userId: string, lineId: string): Promise<CartLine | undefined> {
  const [found] = await lineQuery(connection).execute({ userId, lineId });
  return found;
}

/** A product for a cart; the line's fields are null if no line was written. */
export type Put = Omit<CartLine, 'id' | 'quantity' | 'confirmedPriceCents' | 'addedAt'> &
  ({ id: string; quantity: number; confirmedPriceCents: number; addedAt: Date } | { id: null; quantity: null });

const held = new PgDialect().sqlToQuery(heldByOwnOrder).sql; // it has no parameters

/**
 * A single statement, since a round trip costs as much as a small statement. It locks the cart, so that two concurrent
 * additions of a product do not both insert a line (`on conflict` covers only one of the two unique indexes), and writes
 * nothing for a product that is not sold.
 */
const put = statement<Put>(
  'put_in_cart',
  `with product as (
    select carts.id as cart_id, products.id, products.name, products.picture_hash, products.price_cents,
      products.availability, products.archived_at, products.unit_cost_cents, products.compare_at_cents, products.unit_size, products.net_grams, products.net_millilitres,
      (products.quantity + ${held})::int as stock
    from carts join products on products.id = $2
    where carts.user_id = $1
    for no key update of carts
  ), written as (
    insert into cart_items (id, cart_id, product_id, quantity, confirmed_price_cents, created_at)
    select $3, product.cart_id, product.id, $4, product.price_cents, $5 from product
    where product.archived_at is null and product.availability and product.stock > 0
    on conflict (cart_id, product_id) do update
      set quantity = cart_items.quantity + excluded.quantity, confirmed_price_cents = excluded.confirmed_price_cents
      where cart_items.quantity + excluded.quantity <= $6
    returning id, quantity, confirmed_price_cents, created_at
  )
  select product.id as "productId", product.name as "productName", product.picture_hash as "pictureHash",
    product.price_cents as "currentPriceCents", product.availability, product.archived_at as "archivedAt", product.stock,
    product.unit_cost_cents as "unitCostCents", product.compare_at_cents as "compareAtCents", product.unit_size as "unitSize", product.net_grams as "netGrams", product.net_millilitres as "netMillilitres",
    written.id, written.quantity, written.confirmed_price_cents as "confirmedPriceCents",
    written.created_at as "addedAt"
  from product left join written on true`,
);

export type NewUnits = {
  userId: string;
  productId: string;
  /** The id of a new line. */
  id: string;
  units: number;
  /** The position of a new line. */
  addedAt: Date;
  maxUnits: number;
};

/**
 * Adds units to the cart, to a new or an existing line, and confirms the current price.
 * @returns the product and its line afterwards, without a line if it would exceed `maxUnits`; undefined if the product does
 *   not exist
 */
export async function putUnits(
  tx: Tx,
  { userId, productId, id, units, addedAt, maxUnits }: NewUnits,
): Promise<Put | undefined> {
  const [found] = await put(tx, [userId, productId, id, units, addedAt, maxUnits]);
  return found;
}

/** `isSet`: whether the line has the requested units now. */
export type SetLine = CartLine & { isSet: boolean };

/** Also a single statement. Sets nothing if the product is not sold or its stock is too low. */
const setLine = statement<SetLine>(
  'set_in_cart',
  `with line as (
    select cart_items.id, cart_items.product_id, products.name, cart_items.quantity, cart_items.confirmed_price_cents,
      cart_items.created_at,
      products.picture_hash, products.price_cents, products.availability, products.archived_at,
      (products.quantity + ${held})::int as stock, products.unit_cost_cents, products.compare_at_cents, products.unit_size, products.net_grams, products.net_millilitres
    from cart_items join carts on carts.id = cart_items.cart_id join products on products.id = cart_items.product_id
    where carts.user_id = $1 and cart_items.id = $2
  ), written as (
    update cart_items set quantity = $3, confirmed_price_cents = line.price_cents from line
    where cart_items.id = line.id and line.archived_at is null and line.availability and line.stock > 0 and line.stock >= $3
    returning cart_items.id
  )
  select line.id, line.product_id as "productId", name as "productName", picture_hash as "pictureHash", quantity,
    confirmed_price_cents as "confirmedPriceCents", price_cents as "currentPriceCents", availability,
    archived_at as "archivedAt", stock, unit_cost_cents as "unitCostCents", compare_at_cents as "compareAtCents", unit_size as "unitSize", net_grams as "netGrams", net_millilitres as "netMillilitres", line.created_at as "addedAt",
    written.id is not null as "isSet"
  from line left join written on true`,
);

/** Sets a line's units and confirms the current price. @returns the previous line; undefined if it does not exist */
export async function setUnitsOfLine(
  tx: Tx,
  userId: string,
  lineId: string,
  units: number,
): Promise<SetLine | undefined> {
  const [found] = await setLine(tx, [userId, lineId, units]);
  return found;
}

const productQuery = prepared('product_for_cart', (connection) =>
  connection
    .select({ productId: products.id, currentPriceCents: products.priceCents })
    .from(carts)
    .innerJoin(products, eq(products.id, sql.placeholder('productId')))
    .where(eq(carts.userId, sql.placeholder('userId')))
    .for('no key update', { of: carts }),
);

/** Locks the customer's cart and reads the product. */
export async function findProductForCart(tx: Tx, userId: string, productId: string) {
  const [found] = await productQuery(tx).execute({ userId, productId });
  return found;
}

/** Removes units from a line, and the line itself when none are left. Does nothing for a deleted line. */
export async function takeUnits(tx: Tx, lineId: string, units: number, priceCents: number): Promise<void> {
  // locked, so that two devices removing units concurrently do not both see enough units
  const [line] = await tx
    .select({ quantity: cartItems.quantity })
    .from(cartItems)
    .where(eq(cartItems.id, lineId))
    .for('update');
  if (!line) return;
  if (line.quantity > units) await setUnits(tx, lineId, line.quantity - units, priceCents);
  else await tx.delete(cartItems).where(eq(cartItems.id, lineId));
}

async function setUnits(tx: Tx, lineId: string, units: number, priceCents: number): Promise<void> {
  await tx.update(cartItems).set({ quantity: units, confirmedPriceCents: priceCents }).where(eq(cartItems.id, lineId));
}

/** @returns whether the user had that line */
export async function deleteLine(tx: Tx, userId: string, lineId: string): Promise<boolean> {
  const deleted = await tx
    .delete(cartItems)
    .where(
      and(eq(cartItems.id, lineId), sql`${cartItems.cartId} = (select id from ${carts} where user_id = ${userId})`),
    )
    .returning({ id: cartItems.id });
  return deleted.length > 0;
}

export async function deleteLines(tx: Tx, userId: string): Promise<void> {
  await tx.delete(cartItems).where(sql`${cartItems.cartId} = (select id from ${carts} where user_id = ${userId})`);
}
