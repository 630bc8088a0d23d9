import { and, count, inArray, isNotNull, max, min, sql, sum } from 'drizzle-orm';
import { orders } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';

export interface CustomerFigures {
  orders: number;
  spentCents: number;
  firstOrderAt: Date | null;
  lastOrderAt: Date | null;
}

const none: CustomerFigures = { orders: 0, spentCents: 0, firstOrderAt: null, lastOrderAt: null };

/**
 * Counts and sums what the dashboard's Sales and Revenue count: paid orders, less what was refunded of them.
 * Rule: docs/rules/back-office.md, A customer's page
 * @returns the figures of an account, by its id
 */
export async function findCustomerFigures(
  connection: Connection,
  userIds: string[],
): Promise<(userId: string) => CustomerFigures> {
  if (userIds.length === 0) return () => none;
  const rows = await connection
    .select({
      userId: orders.userId,
      orders: count(),
      spentCents: sum(sql`${orders.totalCents} - ${orders.refundedCents}`).mapWith(Number),
      firstOrderAt: min(orders.createdAt),
      lastOrderAt: max(orders.createdAt),
    })
    .from(orders)
    .where(and(inArray(orders.userId, userIds), isNotNull(orders.paidAt)))
    .groupBy(orders.userId);
  const byUser = new Map(rows.map(({ userId, ...figures }) => [userId, figures]));
  return (userId) => byUser.get(userId) ?? none;
}
