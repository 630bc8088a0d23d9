/**
 * The lists that the names in reports open: orders with a line of a product or category, with delivery, or with a refund
 * of no line, as reports/figures.ts counts them.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '../../shared/contract';
import { orderItems, orders, refundLines, refunds } from '../db/schema';

/** `value` is an id, `delivery`, or `none` for refunds of no line. */
export type OrderPart = { of: 'product' | 'category'; value: string };

export const partsOf = ({ product, category }: Pick<QueryOf<'exportOrders'>, 'product' | 'category'>): OrderPart[] => [
  ...(product ? [{ of: 'product', value: product } as const] : []),
  ...(category ? [{ of: 'category', value: category } as const] : []),
];

/** Whether it was ordered. Nothing that was ordered is of no line. */
export function isOrdered({ of, value }: OrderPart): SQL {
  if (value === 'none') return sql`false`;
  if (value === 'delivery') return sql`${orders.deliveryCents} > 0`;
  return sql`exists (select from ${orderItems} where ${orderItems.orderId} = ${orders.id} and ${lineIs[of](value)})`;
}

/** Whether a refund gave back some of it. */
export function isRefunded({ of, value }: OrderPart): SQL {
  if (value === 'none') return sql`not ${refunds.isByLines}`;
  if (value === 'delivery') return sql`${refunds.isByLines} and ${refunds.deliveryCents} > 0`;
  return sql`exists (
    select from ${refundLines} join ${orderItems} on ${orderItems.id} = ${refundLines.orderItemId}
    where ${refundLines.refundId} = ${refunds.id} and ${lineIs[of](value)})`;
}

/** A line of a release that kept no category counts in the product's present one. */
const lineIs: Record<OrderPart['of'], (id: string) => SQL> = {
  product: (id) => sql`${orderItems.productId} = ${id}`,
  category: (id) => sql`coalesce(${orderItems.categoryId},
    (select category_id from products where products.id = ${orderItems.productId})) = ${id}`,
};
