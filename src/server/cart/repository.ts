import { and, asc, eq, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { cartItems, carts, products } from '../db/schema';
import { type Connection, prepared, statement, type Tx } from '../db/transact';
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
export type Put = Omit<CartLine, 'id' | 'quantity' | 'confirmedPriceCents'> &
  ({ id: string; quantity: number; confirmedPriceCents: number } | { id: null; quantity: null });

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
    returning id, quantity, confirmed_price_cents
  )
  select product.id as "productId", product.name as "productName", product.picture_hash as "pictureHash",
    product.price_cents as "currentPriceCents", product.availability, product.archived_at as "archivedAt", product.stock,
    product.unit_cost_cents as "unitCostCents", written.id, written.quantity, written.confirmed_price_cents as "confirmedPriceCents"
  from product left join written on true`,
);

export type NewUnits = {
  userId: string;
  productId: string;
  /** Of the line, if it is a new one. */
  id: string;
  units: number;
  now: Date;
  maxUnits: number;
};

/**
 * Puts units in the cart: a new line, or more of the one that is there. Either confirms the present price.
 * @returns the product and its line as they are now, without a line when it would pass `maxUnits`; undefined without such
 *   a product
 */
export async function putUnits(
  tx: Tx,
  { userId, productId, id, units, now, maxUnits }: NewUnits,
): Promise<Put | undefined> {
  const [found] = await put(tx, [userId, productId, id, units, now, maxUnits]);
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

/** @returns whether the line was still there */
export async function setUnits(tx: Tx, lineId: string, units: number, priceCents: number): Promise<boolean> {
  const set = await tx
    .update(cartItems)
    .set({ quantity: units, confirmedPriceCents: priceCents })
    .where(eq(cartItems.id, lineId))
    .returning({ id: cartItems.id });
  return set.length > 0;
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
