/** What an account has ordered, where that decides what may be done with the account. */
import { sql } from 'drizzle-orm';
import { orders } from '../../db/schema/tables';
import type { Connection } from '../../db/core/transact';

export type OrderHistory = {
  /** Whether any order was ever paid, even if refunded. */
  hasPaid: boolean;
  /** The order that awaits payment. */
  openOrderId: string | undefined;
};

export async function findOrderHistory(connection: Connection, userId: string): Promise<OrderHistory> {
  const isTheirs = sql`${orders.userId} = ${userId}`;
  const { rows } = await connection.execute<{ has_paid: boolean; open_id: string | null }>(sql`
    select exists(select 1 from ${orders} where ${isTheirs} and ${orders.paidAt} is not null) as has_paid,
      (select ${orders.id} from ${orders} where ${isTheirs} and ${orders.status} = 'PENDING_PAYMENT') as open_id`);
  return { hasPaid: rows[0]?.has_paid ?? false, openOrderId: rows[0]?.open_id ?? undefined };
}
