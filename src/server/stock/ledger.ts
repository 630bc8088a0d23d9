/** The stock ledger for staff. */
import { sql } from 'drizzle-orm';
import { catalogMessages } from '../../shared/catalog';
import type { StockMovementKind } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { notFound } from '../http/core/problems';

export type MovementRow = {
  id: number;
  kind: StockMovementKind;
  shelf: number;
  held: number;
  quantityAfter: number;
  orderId: string | null;
  orderNumber: string | null;
  by: string | null;
  reason: string | null;
  at: Date;
};
export type Ledger = { quantity: number; held: number; totalElements: number; rows: MovementRow[] };

/**
 * A page of a product's movements, newest first, each with the quantity on the shelf after it.
 * @throws Problem 404 product_not_found
 */
export async function listStockMovements(
  connection: Connection,
  productId: string,
  { page, size }: PageRequest,
): Promise<Ledger> {
  const [totals, rows] = await Promise.all([
    connection.execute<{ quantity: number; held: number; count: number }>(sql`
      select quantity, coalesce(sum(held), 0)::int as held, count(stock_movements.id)::int as count
      from products left join stock_movements on product_id = products.id
      where products.id = ${productId} group by products.id`),
    // computed backward from the current quantity, so only the rows down to this page are read
    connection.execute<Omit<MovementRow, 'id' | 'at'> & { id: string; at: string }>(sql`
      select movement.id, kind, shelf, held, "quantityAfter", movement.order_id as "orderId",
        order_number as "orderNumber", full_name as by, reason, movement.at
      from (
        select stock_movements.*, quantity - coalesce(sum(shelf) over newer, 0)::int as "quantityAfter"
        from stock_movements join products on products.id = product_id
        where product_id = ${productId}
        window newer as (order by stock_movements.id desc rows between unbounded preceding and 1 preceding)
        order by stock_movements.id desc limit ${size} offset ${page * size}
      ) as movement
      left join orders on orders.id = movement.order_id
      left join users on users.id = movement.by_user_id
      order by movement.id desc`),
  ]);
  const [total] = totals.rows;
  if (!total) throw notFound('product_not_found', catalogMessages.productNotFound);
  return {
    quantity: total.quantity,
    held: total.held,
    totalElements: total.count,
    rows: rows.rows.map(({ id, at, ...row }) => ({ ...row, id: Number(id), at: new Date(at) })),
  };
}
