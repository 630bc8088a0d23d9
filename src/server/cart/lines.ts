/** Current cart lines, and the cart operations for placing and paying an order: locking, and removing ordered units. */
import { asc, eq, sql } from 'drizzle-orm';
import { cartItems, carts, orderItems, orders, products } from '../db/schema/tables';
import { prepared, statement, type Connection, type Tx } from '../db/core/transact';

/**
 * The units of a product held by the customer's own open order, which count as stock for this customer.
 * Rule: docs/rules/cart.md, What counts as stock
 */
export const heldByOwnOrder = sql<number>`coalesce((
  select ${orderItems.quantity} from ${orders} join ${orderItems} on ${orderItems.orderId} = ${orders.id}
  where ${orders.userId} = ${carts.userId} and ${orders.status} = 'PENDING_PAYMENT' and ${orderItems.productId} = ${products.id}
), 0)::int`;

export const line = {
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
  compareAtCents: products.compareAtCents,
  unitSize: products.unitSize,
  netGrams: products.netGrams,
  netMillilitres: products.netMillilitres,
  addedAt: cartItems.createdAt,
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
  compareAtCents: number | null;
  unitSize: string | null;
  netGrams: number | null;
  netMillilitres: number | null;
  /** Lines are ordered by this, then by id. */
  addedAt: Date;
};

/** A line with the product's fields for the order total. */
export type PricedLine = CartLine & { isTaxable: boolean; categoryId: string };
const pricedLine = { ...line, isTaxable: products.taxable, categoryId: products.categoryId };

const pricedQuery = prepared('priced_cart', (connection) =>
  connection
    .select({ cartId: carts.id, line: pricedLine })
    .from(carts)
    .leftJoin(cartItems, eq(cartItems.cartId, carts.id))
    .leftJoin(products, eq(products.id, cartItems.productId))
    .where(eq(carts.userId, sql.placeholder('userId')))
    .orderBy(asc(cartItems.createdAt), asc(cartItems.id)),
);

/** The lines of a customer's cart in the order they were added, not locked; undefined if the cart is not the customer's. */
export async function findPricedLines(
  connection: Connection,
  userId: string,
  cartId: string,
): Promise<PricedLine[] | undefined> {
  const rows = await pricedQuery(connection).execute({ userId });
  if (rows[0]?.cartId !== cartId) return undefined;
  return rows.flatMap(({ line }) => (line.id === null ? [] : [line as PricedLine]));
}

const lockQuery = statement<{ id: string }>('lock_cart', 'select id from carts where user_id = $1 for no key update');

/** Locks the cart, to serialize changes to a customer's cart and open order. @returns the cart's id */
export async function lockCart(tx: Tx, userId: string): Promise<string | undefined> {
  const [cart] = await lockQuery(tx, [userId]);
  return cart?.id;
}

/** Locks the products of a cart and of an order that releases its units, in the order of product ids. */
export async function lockProductsOf(tx: Tx, cartId: string, orderId: string): Promise<void> {
  await tx.execute(sql`
    select 1 from products where id in (
      select product_id from cart_items where cart_id = ${cartId}
      union select product_id from order_items where order_id = ${orderId})
    order by id for no key update`);
}

const linesQuery = prepared('lock_lines', (connection) =>
  connection
    .select({ line: pricedLine, addedAt: cartItems.createdAt })
    .from(carts)
    .innerJoin(cartItems, eq(cartItems.cartId, carts.id))
    .innerJoin(products, eq(products.id, cartItems.productId))
    .where(eq(carts.id, sql.placeholder('cartId')))
    .orderBy(asc(products.id))
    .for('no key update', { of: products }),
);

/**
 * The lines of a locked cart in the order they were added. Locks their products for the rest of the transaction, in the order
 * of ids like all stock changes, and reads them after locking.
 */
export async function lockLines(tx: Tx, cartId: string): Promise<PricedLine[]> {
  const rows = await linesQuery(tx).execute({ cartId });
  const place = ({ line, addedAt }: (typeof rows)[number]) => `${addedAt.toISOString()} ${line.id}`;
  return rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)).map(({ line }) => line);
}

/** Removes the ordered units from the cart; units added since then stay. */
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
