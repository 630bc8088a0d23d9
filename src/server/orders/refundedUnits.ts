/**
 * How many refunded units were not shipped. A refund stores it per line. It is corrected when a parcel is
 * deleted or a failed refund is made after all: never more than were not shipped, and the rest never more than were.
 */
import { and, asc, desc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { unitsOf } from '../../shared/orderUnits';
import type { Tx } from '../db/core/transact';
import { orderItems, refundLines, refunds } from '../db/schema/tables';
import { findOrder } from './repository';

/**
 * The caller has locked the order.
 * @returns how many of a line's units that are refunded now were not shipped
 */
export async function findUnshipped(tx: Tx, orderId: string) {
  const order = await findOrder(tx, orderId);
  if (!order) throw new Error(`order ${orderId} is missing`);
  const unitsById = unitsOf(order);
  const counted = order.refunds.filter(({ state, strayPaymentId }) => state !== 'failed' && strayPaymentId === null);
  const refundedLines = counted.flatMap(({ lines }) => lines);
  return (orderItemId: string, units: number, cameBack: boolean): number => {
    const { shipped = 0, leftToShip = 0 } = unitsById.get(orderItemId) ?? {};
    const refundedShipped = refundedLines
      .filter((line) => line.orderItemId === orderItemId)
      .reduce((sum, { quantity, unshippedQuantity }) => sum + quantity - (unshippedQuantity ?? quantity), 0);
    const mostShipped = Math.max(0, shipped - refundedShipped);
    return units - Math.min(mostShipped, cameBack ? units : Math.max(0, units - leftToShip));
  };
}

/** The caller has locked the order. @returns whether any unit of it is on its way */
export async function hasShipped(tx: Tx, orderId: string): Promise<boolean> {
  const order = await findOrder(tx, orderId);
  return order !== undefined && [...unitsOf(order).values()].some(({ shipped }) => shipped > 0);
}

/** The caller has locked the order. Refunds made before parcels existed stay as they are. */
export async function keepUnitsTrue(tx: Tx, orderId: string): Promise<void> {
  const rows = await tx
    .select({
      refundId: refundLines.refundId,
      orderItemId: refundLines.orderItemId,
      units: refundLines.quantity,
      unshipped: sql<number>`${refundLines.unshippedQuantity}`,
      ordered: orderItems.quantity,
      shipped: sql<number>`(select coalesce(sum(parcel_lines.quantity), 0)::int from parcel_lines
        where parcel_lines.order_item_id = ${orderItems.id})`,
    })
    .from(refundLines)
    .innerJoin(refunds, eq(refunds.id, refundLines.refundId))
    .innerJoin(orderItems, eq(orderItems.id, refundLines.orderItemId))
    .where(
      and(
        eq(refunds.orderId, orderId),
        isNotNull(refundLines.unshippedQuantity),
        isNull(refunds.strayPaymentId),
        ne(refunds.state, 'failed'),
      ),
    )
    .orderBy(asc(refundLines.orderItemId), desc(refunds.createdAt), desc(refunds.id));
  for (const line of new Set(rows.map(({ orderItemId }) => orderItemId)))
    for (const { refundId, orderItemId, unshipped } of corrected(rows.filter((row) => row.orderItemId === line)))
      await tx
        .update(refundLines)
        .set({ unshippedQuantity: unshipped })
        .where(and(eq(refundLines.refundId, refundId), eq(refundLines.orderItemId, orderItemId)));
}

type Line = {
  refundId: string;
  orderItemId: string;
  units: number;
  unshipped: number;
  ordered: number;
  shipped: number;
};

/** @param lines the refunds of one order line, newest first. @returns those that change */
function corrected(lines: readonly Line[]): Line[] {
  const sumOf = (part: (line: Line) => number) => lines.reduce((sum, line) => sum + part(line), 0);
  const { ordered = 0, shipped = 0 } = lines[0] ?? {};
  const unshipped = sumOf((line) => line.unshipped);
  const refunded = sumOf((line) => line.units);
  let toMove = Math.min(ordered - shipped, Math.max(unshipped, refunded - shipped)) - unshipped;
  return lines.flatMap((line) => {
    const moved = toMove > 0 ? Math.min(toMove, line.units - line.unshipped) : Math.max(toMove, -line.unshipped);
    toMove -= moved;
    return moved === 0 ? [] : [{ ...line, unshipped: line.unshipped + moved }];
  });
}
