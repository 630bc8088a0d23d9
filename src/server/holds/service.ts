/** Staff's list of the stock held by unpaid orders, and ending a hold. Rule: docs/rules/back-office.md, Holds */
import { count, eq, sql } from 'drizzle-orm';
import { writeAudit } from '../audit/service';
import { orders, type OrderStatus } from '../db/schema/tables';
import { transact, type Connection, type Tx } from '../db/core/transact';
import type { Sized } from '../../shared/sizes';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { endHoldNow, heldLines } from '../orders/holding';
import { lockOrderAndCart } from '../orders/lifecycle';
import { orderNotFound } from '../orders/service';
import type { PaymentParts } from '../payments/provider';
import { leaveToSweeper } from '../payments/refunds';
import { cancelPayment } from '../payments/sessions';

export type HoldLine = Sized & { productId: string; productName: string; units: number; stock: number };
export type HoldRow = {
  orderId: string;
  orderNumber: string;
  userId: string;
  fullName: string;
  email: string;
  hasPaid: boolean;
  totalCents: number;
  since: Date;
  until: Date;
  lines: HoldLine[];
};

/** A page of the open orders; first those that hold more than half of the most products. */
export async function listHolds(connection: Connection, { page, size }: PageRequest) {
  const { rows } = await connection.execute<Omit<HoldRow, 'since' | 'until'> & { since: string; until: string }>(sql`
    with line as (${heldLines}),
    goods as (
      select order_id, count(*) filter (where units * 2 > stock) as large, json_agg(json_build_object(
        'productId', product_id, 'productName', product_name, 'unitSize', unit_size, 'netGrams', net_grams,
        'netMillilitres', net_millilitres, 'units', units, 'stock', stock)
        order by units::float / stock desc, position) as lines
      from line group by order_id)
    select orders.id as "orderId", order_number as "orderNumber", users.id as "userId", full_name as "fullName", email,
      exists (select 1 from orders as paid where paid.user_id = users.id and paid.paid_at is not null) as "hasPaid",
      total_cents as "totalCents", since, until, coalesce(lines, '[]') as lines
    from orders join users on users.id = orders.user_id
    join holds on holds.order_id = orders.id
    left join goods on goods.order_id = orders.id
    where status = 'PENDING_PAYMENT'
    order by coalesce(large, 0) desc, since, orders.id limit ${size} offset ${page * size}`);
  const [total] = await connection.select({ holds: count() }).from(orders).where(eq(orders.status, 'PENDING_PAYMENT'));
  const content = rows.map((row) => ({ ...row, since: new Date(row.since), until: new Date(row.until) }));
  return { content, totalElements: total?.holds ?? 0 };
}

/**
 * Ends an order's hold. The end is written first, so that the sweeper cancels the order if the provider is unreachable.
 * @returns the order's status afterwards: PENDING_PAYMENT while the provider is unreachable
 * @throws Problem 404 order_not_found
 */
export async function endHold(
  parts: PaymentParts,
  orderId: string,
  by: Actor & { userId: string },
): Promise<OrderStatus> {
  const isOpen = await transact(parts.db, (tx) => recordEnd(tx, orderId, by, parts.clock.now()));
  if (isOpen) await cancelPayment(parts, orderId).catch(leaveToSweeper);
  const [order] = await parts.db.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId));
  if (!order) throw orderNotFound();
  return order.status;
}

/** @returns whether the order still awaits payment: if not, it holds nothing */
async function recordEnd(tx: Tx, orderId: string, by: Actor & { userId: string }, now: Date): Promise<boolean> {
  const order = await lockOrderAndCart(tx, orderId);
  if (!order) throw orderNotFound();
  if (order.status !== 'PENDING_PAYMENT') return false;
  const heldUntil = await endHoldNow(tx, order, by.userId, now);
  if (!heldUntil) return true; // its time was already over
  const target = { kind: 'order' as const, id: orderId };
  const [before, after] = [{ heldUntil: heldUntil.toISOString() }, { heldUntil: now.toISOString() }];
  await writeAudit(tx, { by, action: 'order.hold_ended', target, before, after, now });
  return true;
}
