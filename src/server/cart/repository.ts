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

/** The user's one cart with its lines as they were added. */
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

/** A product for a cart; null in what is of a line where none was written. */
export type Put = Omit<CartLine, 'id' | 'quantity' | 'confirmedPriceCents' | 'addedAt'> &
  ({ id: string; quantity: number; confirmedPriceCents: number; addedAt: Date } | { id: null; quantity: null });

const held = new PgDialect().sqlToQuery(heldByOwnOrder).sql; // it has no values

/**
 * One statement, since each way to the database and back costs as much as a small statement. It locks the cart, so that
 * two that put the first units of a product in it at once are not both new lines (`on conflict` minds one unique index, there
 * are two), and writes nothing of a product that is not sold.
 */
const put = statement<Put>(
  'put_in_cart',
  `with product as (
    select carts.id as cart_id, products.id, products.name, products.picture_hash, products.price_cents,
      products.availability, products.archived_at, products.unit_cost_cents,
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
    product.unit_cost_cents as "unitCostCents", written.id, written.quantity, written.confirmed_price_cents as "confirmedPriceCents",
    written.created_at as "addedAt"
  from product left join written on true`,
);

export type NewUnits = {
  userId: string;
  productId: string;
  /** Of the line, if it is a new one. */
  id: string;
  units: number;
  /** Of the line, if it is a new one: its place in the cart. */
  addedAt: Date;
  maxUnits: number;
};

/**
 * Puts units in the cart: a new line, or more of the one that is there. Either confirms the present price.
 * @returns the product and its line as they are now, without a line when it would pass `maxUnits`; undefined without such
 *   a product
 */
export async function putUnits(
  tx: Tx,
  { userId, productId, id, units, addedAt, maxUnits }: NewUnits,
): Promise<Put | undefined> {
  const [found] = await put(tx, [userId, productId, id, units, addedAt, maxUnits]);
  return found;
}

/** A line that is to have so many units; whether it has them now. */
export type SetLine = CartLine & { isSet: boolean };

/** One statement as well. Units are not set of a product that is not sold, nor more of them than there are. */
const setLine = statement<SetLine>(
  'set_in_cart',
  `with line as (
    select cart_items.id, cart_items.product_id, products.name, cart_items.quantity, cart_items.confirmed_price_cents,
      cart_items.created_at,
      products.picture_hash, products.price_cents, products.availability, products.archived_at,
      (products.quantity + ${held})::int as stock, products.unit_cost_cents
    from cart_items join carts on carts.id = cart_items.cart_id join products on products.id = cart_items.product_id
    where carts.user_id = $1 and cart_items.id = $2
  ), written as (
    update cart_items set quantity = $3, confirmed_price_cents = line.price_cents from line
    where cart_items.id = line.id and line.archived_at is null and line.availability and line.stock > 0 and line.stock >= $3
    returning cart_items.id
  )
  select line.id, line.product_id as "productId", name as "productName", picture_hash as "pictureHash", quantity,
    confirmed_price_cents as "confirmedPriceCents", price_cents as "currentPriceCents", availability,
    archived_at as "archivedAt", stock, unit_cost_cents as "unitCostCents", line.created_at as "addedAt",
    written.id is not null as "isSet"
  from line left join written on true`,
);

/** Sets a line's units and confirms the present price. @returns the line as it was before; undefined without such a line */
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

/** The product, with the customer's cart locked. */
export async function findProductForCart(tx: Tx, userId: string, productId: string) {
  const [found] = await productQuery(tx).execute({ userId, productId });
  return found;
}

/** Takes units out of a line, and the line away when none are left. A line that is gone stays gone. */
export async function takeUnits(tx: Tx, lineId: string, units: number, priceCents: number): Promise<void> {
  // locked, so that two devices that take at once do not both think that enough is left
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
