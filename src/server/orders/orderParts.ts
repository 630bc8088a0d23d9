/**
 * The lists that the names in reports open: orders with a line of a product or category, with delivery, or with a refund
 * of no line, as reports/figures.ts counts them.
 */
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '../../shared/contract';
import { moneyByLine, orderItems, orders, refundLines, refunds } from '../db/schema/tables';

/** `value` is an id, `delivery`, or `none` for refunds of no line. */
export type OrderPart = { of: 'product' | 'category'; value: string };

export const partsOf = ({ product, category }: Pick<QueryOf<'exportOrders'>, 'product' | 'category'>): OrderPart[] => [
  ...(product ? [{ of: 'product', value: product } as const] : []),
  ...(category ? [{ of: 'category', value: category } as const] : []),
];

/** Whether it is a product or category, and so of lines. */
export const isOfLines = ({ value }: OrderPart): boolean => value !== 'none' && value !== 'delivery';

/** Whether all of them were ordered. Nothing that was ordered is of no line. It must not stand in an `or`: see `isOneOf`. */
export function areOrdered(parts: readonly OrderPart[]): SQL | undefined {
  const beside = parts.filter((part) => !isOfLines(part));
  const ofLines = parts.filter(isOfLines).map((part) => sql`(${ordersWith(part, orderItems)})`);
  return and(
    ...beside.map(({ value }) => (value === 'none' ? sql`false` : sql`${orders.deliveryCents} > 0`)),
    ofLines.length > 0 ? isOneOf(sql.join(ofLines, sql` intersect `)) : undefined,
  );
}

/**
 * Whether some of a product or category was paid or given back, as the reports count it.
 * @param isThen of the time of the payment or refund
 */
export const isMoved = (part: OrderPart, isThen: SQL | undefined): SQL =>
  isOneOf(ordersWith(part, moneyByLine, isThen));

/**
 * The ids are read first, and the orders by them. The database would otherwise go through all orders in the order of the
 * list and look for each among the ids, since it expects to have a page soon: that took up to 20 seconds. In an `or` it
 * would look through them for each order.
 */
export const isOneOf = (ids: SQL): SQL => sql`${orders.id} = any (array(${ids}))`;

/** Whether a refund gave back some of it. */
export function isRefunded({ of, value }: OrderPart): SQL {
  if (value === 'none') return sql`not ${refunds.isByLines}`;
  if (value === 'delivery') return sql`${refunds.isByLines} and ${refunds.deliveryCents} > 0`;
  return sql`exists (
    select from ${refundLines} join ${orderItems} on ${orderItems.id} = ${refundLines.orderItemId}
    where ${refundLines.refundId} = ${refunds.id} and ${lineIs[of](value)})`;
}

const lineIs: Record<OrderPart['of'], (id: string) => SQL> = {
  product: (id) => sql`${orderItems.productId} = ${id}`,
  category: (id) => sql`${orderItems.categoryId} = ${id}`,
};

/** The ids of orders with such a line, as often as they have one. */
function ordersWith({ of, value }: OrderPart, lines: typeof orderItems | typeof moneyByLine, isThen?: SQL): SQL {
  const { orderId, productId, categoryId } = lines;
  return sql`select ${orderId} from ${lines} where ${and(eq(of === 'product' ? productId : categoryId, value), isThen)}`;
}
