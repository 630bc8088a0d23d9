/**
 * Filters for the order lists that reports link to: orders with a line of a product or category, with delivery, or with a
 * refund without lines, counted as in reports/figures.ts.
 */
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '../../shared/contract';
import { moneyByLine, orderItems, orders, refundLines, refunds } from '../db/schema/tables';

/** `value` is an id, `delivery`, or `none` for refunds without lines. */
export type OrderPart = { of: 'product' | 'category'; value: string };

export const partsOf = ({ product, category }: Pick<QueryOf<'exportOrders'>, 'product' | 'category'>): OrderPart[] => [
  ...(product ? [{ of: 'product', value: product } as const] : []),
  ...(category ? [{ of: 'category', value: category } as const] : []),
];

/** Whether the part is a product or category, and so is found in lines. */
export const isOfLines = ({ value }: OrderPart): boolean => value !== 'none' && value !== 'delivery';

/** Whether all parts were ordered; `none` never is. Must not be used inside an `or`: see `idIsIn`. */
export function wereOrdered(parts: readonly OrderPart[]): SQL | undefined {
  const withoutLines = parts.filter((part) => !isOfLines(part));
  const ofLines = parts.filter(isOfLines).map((part) => sql`(${ordersWith(part, orderItems)})`);
  return and(
    ...withoutLines.map(({ value }) => (value === 'none' ? sql`false` : sql`${orders.deliveryCents} > 0`)),
    ofLines.length > 0 ? idIsIn(sql.join(ofLines, sql` intersect `)) : undefined,
  );
}

/**
 * Whether some of a product or category was paid or refunded, as the reports count it.
 * @param timeCondition condition on the time of the payment or refund
 */
export const hasMoneyMoved = (part: OrderPart, timeCondition: SQL | undefined): SQL =>
  idIsIn(ordersWith(part, moneyByLine, timeCondition));

/**
 * Reads the ids first, then the orders by id. Otherwise the planner walks all orders in list order and probes each against
 * the ids, expecting to fill a page soon: that took up to 20 seconds. Inside an `or` it would scan the ids for each order.
 */
export const idIsIn = (ids: SQL): SQL => sql`${orders.id} = any (array(${ids}))`;

/** Whether a refund includes this part. */
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

/** The ids of orders with such a line, repeated for each line. */
function ordersWith({ of, value }: OrderPart, lines: typeof orderItems | typeof moneyByLine, timeCondition?: SQL): SQL {
  const { orderId, productId, categoryId } = lines;
  return sql`select ${orderId} from ${lines} where ${and(eq(of === 'product' ? productId : categoryId, value), timeCondition)}`;
}
