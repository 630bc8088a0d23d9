import { and, asc, eq, sql } from 'drizzle-orm';
import { cartItems, carts, products } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import { line, type CartLine } from './lines';

export type CartRow = { cartId: string; lines: CartLine[] };

/** The user's one cart with its lines as they were added. */
export async function findCart(connection: Connection, userId: string): Promise<CartRow | undefined> {
  const rows = await connection
    .select({ cartId: carts.id, line })
    .from(carts)
    .leftJoin(cartItems, eq(cartItems.cartId, carts.id))
    .leftJoin(products, eq(products.id, cartItems.productId))
    .where(eq(carts.userId, userId))
    .orderBy(asc(cartItems.createdAt), asc(cartItems.id));
  const [first] = rows;
  if (!first) return undefined;
  return { cartId: first.cartId, lines: rows.flatMap(({ line }) => (line.id === null ? [] : [line as CartLine])) };
}

export async function findLine(connection: Connection, userId: string, lineId: string): Promise<CartLine | undefined> {
  const [found] = await connection
    .select(line)
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .innerJoin(products, eq(products.id, cartItems.productId))
    .where(and(eq(carts.userId, userId), eq(cartItems.id, lineId)));
  return found;
}

export type ProductForCart = Pick<
  CartLine,
  'productId' | 'currentPriceCents' | 'availability' | 'archivedAt' | 'stock'
> & {
  cartId: string;
};

/**
 * The product as this customer may buy it, with the customer's cart, locked: two that put the first units of a product in
 * it at once would both be new lines, and one would fail over the id (`on conflict` minds one unique index, there are two).
 */
export async function findProductForCart(
  tx: Tx,
  userId: string,
  productId: string,
): Promise<ProductForCart | undefined> {
  const { currentPriceCents, availability, archivedAt, stock } = line;
  const [found] = await tx
    .select({ cartId: carts.id, productId: products.id, currentPriceCents, availability, archivedAt, stock })
    .from(carts)
    .innerJoin(products, eq(products.id, productId))
    .where(eq(carts.userId, userId))
    .for('no key update', { of: carts });
  return found;
}

export type NewLine = {
  id: string;
  cartId: string;
  productId: string;
  priceCents: number;
  units: number;
  now: Date;
  maxUnits: number;
};

/**
 * Puts units in the cart: a new line, or more of the one that is there. Either confirms the present price.
 * @returns the line's quantity, or undefined when it would pass `maxUnits`
 */
export async function addUnits(
  tx: Tx,
  { id, cartId, productId, priceCents, units, now, maxUnits }: NewLine,
): Promise<number | undefined> {
  const [written] = await tx
    .insert(cartItems)
    .values({ id, cartId, productId, quantity: units, confirmedPriceCents: priceCents, createdAt: now })
    .onConflictDoUpdate({
      target: [cartItems.cartId, cartItems.productId],
      set: {
        quantity: sql`${cartItems.quantity} + excluded.quantity`,
        confirmedPriceCents: sql`excluded.confirmed_price_cents`,
      },
      setWhere: sql`${cartItems.quantity} + excluded.quantity <= ${maxUnits}`,
    })
    .returning({ quantity: cartItems.quantity });
  return written?.quantity;
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
