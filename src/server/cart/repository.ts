import { and, asc, eq, sql } from 'drizzle-orm';
import { cartItems, carts, orderItems, orders, products } from '../db/schema';
import type { Connection, Tx } from '../db/transact';

/** What the customer's own open order holds of a product: it counts as stock for this customer. Source: decisions §5 */
export const heldByOwnOrder = sql<number>`coalesce((
  select ${orderItems.quantity} from ${orders} join ${orderItems} on ${orderItems.orderId} = ${orders.id}
  where ${orders.userId} = ${carts.userId} and ${orders.status} = 'PENDING_PAYMENT' and ${orderItems.productId} = ${products.id}
), 0)::int`;

const line = {
  id: cartItems.id,
  productId: cartItems.productId,
  productName: products.name,
  confirmedPriceCents: cartItems.confirmedPriceCents,
  quantity: cartItems.quantity,
  pictureHash: products.pictureHash,
  currentPriceCents: products.priceCents,
  availability: products.availability,
  archivedAt: products.archivedAt,
  stock: sql<number>`(${products.quantity} + ${heldByOwnOrder})::int`,
  unitCostCents: products.unitCostCents,
};
export type CartLine = {
  id: string;
  productId: string;
  productName: string;
  confirmedPriceCents: number;
  quantity: number;
  pictureHash: string | null;
  currentPriceCents: number;
  availability: boolean;
  archivedAt: Date | null;
  stock: number;
  unitCostCents: number | null;
};
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

/** Lets one change to a customer's cart or open order happen at a time. @returns the cart's id */
export async function lockCart(tx: Tx, userId: string): Promise<string | undefined> {
  const [cart] = await tx.select({ id: carts.id }).from(carts).where(eq(carts.userId, userId)).for('no key update');
  return cart?.id;
}

/** Locks the products of a cart and of an order that gives its own back, all of them in the order of their ids. */
export async function lockProductsOf(tx: Tx, cartId: string, orderId: string): Promise<void> {
  await tx.execute(sql`
    select 1 from products where id in (
      select product_id from cart_items where cart_id = ${cartId}
      union select product_id from order_items where order_id = ${orderId})
    order by id for no key update`);
}

/**
 * The lines of a locked cart as they were added, with their products locked for the rest of the transaction: in the order
 * of their ids, like every taker of stock, and read as they are once the lock was had.
 */
export async function lockLines(tx: Tx, cartId: string): Promise<CartLine[]> {
  const rows = await tx
    .select({ line, addedAt: cartItems.createdAt })
    .from(carts)
    .innerJoin(cartItems, eq(cartItems.cartId, carts.id))
    .innerJoin(products, eq(products.id, cartItems.productId))
    .where(eq(carts.id, cartId))
    .orderBy(asc(products.id))
    .for('no key update', { of: products });
  const place = ({ line, addedAt }: (typeof rows)[number]) => `${addedAt.toISOString()} ${line.id}`;
  return rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)).map(({ line }) => line);
}

/** What was bought leaves the cart; what was added since stays. */
export async function takeOrderedUnits(
  tx: Tx,
  cartId: string,
  lines: readonly { productId: string; units: number }[],
): Promise<void> {
  const ordered = sql`unnest(${sql.param(lines.map(({ productId }) => productId))}::uuid[], ${sql.param(lines.map(({ units }) => units))}::int[]) as ordered(product_id, units)`;
  await tx.execute(sql`
    delete from cart_items using ${ordered}
    where cart_id = ${cartId} and cart_items.product_id = ordered.product_id and quantity <= ordered.units`);
  await tx.execute(sql`
    update cart_items set quantity = quantity - ordered.units from ${ordered}
    where cart_id = ${cartId} and cart_items.product_id = ordered.product_id and quantity > ordered.units`);
}
