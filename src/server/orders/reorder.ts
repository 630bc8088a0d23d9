/** Previews a reorder: nothing is added to the cart before the customer has seen what changed. */
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { compareLine } from '../../shared/comparison';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { sizeInstead } from '../../shared/sizeInstead';
import { sizeFacts } from '../../shared/sizes';
import { heldByOwnOrder } from '../cart/lines';
import { pictureUrl } from '../catalog/present';
import { cartItems, carts, orderItems, orders, products } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import { orderNotFound } from './service';

/**
 * @returns the order's lines with what is available now
 * @throws Problem 404 order_not_found, also for another customer's order
 */
export async function previewReorder(
  connection: Connection,
  orderId: string,
  userId: string,
): Promise<Schema<'ReorderLine'>[]> {
  const rows = await findRows(connection, orderId, userId);
  if (rows.length === 0) throw orderNotFound();
  const gone = rows.filter(isGone);
  const groups = gone.flatMap(({ sizeGroup }) => sizeGroup ?? []);
  const others = groups.length > 0 ? await findOtherSizes(connection, groups, orderId, userId) : [];
  return rows.map((row) => {
    const ofGroup = others.filter(({ sizeGroup }) => sizeGroup === row.sizeGroup);
    const instead = isGone(row) && sizeInstead({ id: row.productId, price: fromCents(row.orderedCents) }, ofGroup);
    return { ...presentReorderLine(row), ...(instead && { instead: presentInstead(instead) }) };
  });
}

type Row = Awaited<ReturnType<typeof findRows>>[number];

const sizeColumns = {
  unitSize: products.unitSize,
  netGrams: products.netGrams,
  netMillilitres: products.netMillilitres,
};

const findRows = (connection: Connection, orderId: string, userId: string) =>
  connection
    .select({
      productId: products.id,
      productName: products.name,
      ...sizeColumns,
      sizeGroup: products.sizeGroup,
      pictureHash: products.pictureHash,
      orderedQuantity: orderItems.quantity,
      orderedCents: orderItems.unitPriceCents,
      currentCents: products.priceCents,
      isSold: products.availability,
      archivedAt: products.archivedAt,
      stock: sql<number>`(${products.quantity} + ${heldByOwnOrder})::int`,
      inCart: sql<number>`coalesce(${cartItems.quantity}, 0)::int`,
    })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .innerJoin(products, eq(products.id, orderItems.productId))
    .innerJoin(carts, eq(carts.userId, orders.userId))
    .leftJoin(cartItems, and(eq(cartItems.cartId, carts.id), eq(cartItems.productId, products.id)))
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
    .orderBy(asc(orderItems.position));

/** Sizes in stock that are neither in the order nor in the cart. */
async function findOtherSizes(connection: Connection, groups: readonly string[], orderId: string, userId: string) {
  const known = sql`select product_id from order_items where order_id = ${orderId}
    union all select product_id from cart_items join carts on carts.id = cart_id where user_id = ${userId}`;
  const found = await connection
    .select({
      id: products.id,
      name: products.name,
      ...sizeColumns,
      sizeGroup: products.sizeGroup,
      pictureHash: products.pictureHash,
      priceCents: products.priceCents,
    })
    .from(products)
    .where(
      and(
        inArray(products.sizeGroup, [...groups]),
        isNull(products.archivedAt),
        products.availability,
        gt(products.quantity, 0),
        sql`${products.id} not in (${known})`,
      ),
    );
  return found.map((size) => ({ ...size, price: fromCents(size.priceCents), availability: true }));
}

const isGone = ({ isSold, archivedAt, stock }: Row) => archivedAt !== null || !isSold || stock <= 0;

function presentReorderLine(row: Row): Schema<'ReorderLine'> {
  const { productId, productName, orderedQuantity, orderedCents, currentCents, inCart, stock } = row;
  return {
    productId,
    productName,
    ...sizeFacts(row),
    imageUrl: pictureUrl(row.pictureHash),
    orderedQuantity,
    orderedPrice: fromCents(orderedCents),
    currentPrice: fromCents(currentCents),
    inCart,
    stock: Math.max(0, stock),
    ...compareLine(
      { quantity: orderedQuantity, priceCents: orderedCents },
      { priceCents: currentCents, isArchived: row.archivedAt !== null, isSold: row.isSold, stock, inCart },
    ),
  };
}

const presentInstead = (size: Awaited<ReturnType<typeof findOtherSizes>>[number]): Schema<'SizeInstead'> => ({
  productId: size.id,
  productName: size.name,
  imageUrl: pictureUrl(size.pictureHash),
  price: size.price,
  ...sizeFacts(size),
});
