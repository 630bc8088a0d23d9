/** A line of the cart as it is now, and what placing and paying an order need of the cart: its locks, and its units. */
import { asc, eq, sql } from 'drizzle-orm';
import { cartItems, carts, orderItems, orders, products } from '../db/schema/tables';
import { prepared, statement, type Connection, type Tx } from '../db/core/transact';

/**
 * What the customer's own open order holds of a product: it counts as stock for this customer.
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
  /** Lines are in this order, then by id. */
  addedAt: Date;
};

/** A line with what its order's sum needs to know of the product. */
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

/** The lines of a customer's cart as they were added, not locked; undefined when the cart is another one. */
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

/** Locks the cart, so that a customer's cart and open order change one at a time. @returns the cart's id */
export async function lockCart(tx: Tx, userId: string): Promise<string | undefined> {
  const [cart] = await lockQuery(tx, [userId]);
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
 * The lines of a locked cart as they were added, with their products locked for the rest of the transaction: in the order
 * of their ids, like every taker of stock, and read as they are once the lock was had.
 */
export async function lockLines(tx: Tx, cartId: string): Promise<PricedLine[]> {
  const rows = await linesQuery(tx).execute({ cartId });
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
