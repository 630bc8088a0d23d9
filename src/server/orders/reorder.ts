/** Previews a reorder: nothing is added to the cart before the customer has seen what changed. */
import { and, asc, eq, sql } from 'drizzle-orm';
import { compareLine } from '../../shared/comparison';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
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
  const rows = await connection
    .select({
      productId: products.id,
      productName: products.name,
      unitSize: products.unitSize,
      netGrams: products.netGrams,
      netMillilitres: products.netMillilitres,
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
  if (rows.length === 0) throw orderNotFound();
  return rows.map(
    ({
      pictureHash,
      orderedCents,
      currentCents,
      isSold,
      archivedAt,
      stock,
      unitSize,
      netGrams,
      netMillilitres,
      ...line
    }) => ({
      ...line,
      ...sizeFacts({ unitSize, netGrams, netMillilitres }),
      imageUrl: pictureUrl(pictureHash),
      orderedPrice: fromCents(orderedCents),
      currentPrice: fromCents(currentCents),
      stock: Math.max(0, stock),
      ...compareLine(
        { quantity: line.orderedQuantity, priceCents: orderedCents },
        { priceCents: currentCents, isArchived: archivedAt !== null, isSold, stock, inCart: line.inCart },
      ),
    }),
  );
}
