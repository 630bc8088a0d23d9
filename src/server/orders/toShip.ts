/**
 * The orders that `unitsOf` (shared/orderUnits.ts) leaves something to ship, for staff's list. Paid orders have something
 * left unless refunds took it, so only those with refunds are counted line by line.
 * Rule: docs/rules/orders-and-payment.md, Units
 */
import { sql, type SQL } from 'drizzle-orm';
import { orderItems, orders, parcelLines, parcels, refundLines, refunds } from '../db/schema/tables';
import { idIsIn } from './orderParts';

const ofRefund = sql`${refunds.id} = ${refundLines.refundId} and ${refunds.strayPaymentId} is null`;
const isCounted = sql`${refunds.state} <> 'failed'`;
/** A failed refund that was done before has put its units back into stock. */
const isRestocked = sql`(${isCounted} or ${refunds.doneAt} is not null)`;

const unitsOfLine = (units: SQL, condition: SQL) => sql`coalesce((
  select sum(${units}) from ${refundLines} join ${refunds} on ${ofRefund}
  where ${refundLines.orderItemId} = ${orderItems.id} and ${condition}), 0)`;

const refundedBefore = sql`greatest(
  ${unitsOfLine(sql`coalesce(${refundLines.unshippedQuantity}, ${refundLines.quantity})`, isCounted)},
  ${unitsOfLine(
    sql`coalesce(${refundLines.unshippedQuantity}, ${refundLines.quantity})`,
    sql`${refundLines.restock} and ${isRestocked}`,
  )})`;

const shipped = sql`coalesce((
  select sum(${parcelLines.quantity}) from ${parcelLines} where ${parcelLines.orderItemId} = ${orderItems.id}), 0)`;

/** Whether a line of the order in `orders` has units left. */
const hasLeft = sql`(
  exists (
    select from ${orderItems}
    where ${orderItems.orderId} = ${orders.id} and ${orderItems.quantity} > ${shipped} + ${refundedBefore})
  and not exists (
    select from ${refunds}
    where ${refunds.orderId} = ${orders.id} and ${refunds.restock} and ${refunds.strayPaymentId} is null
      and ${isRestocked}))`;

const withRefunds = (state: SQL) => sql`
  ${orders.id} in (select ${refunds.orderId} from ${refunds} where ${refunds.strayPaymentId} is null and ${state})`;

/**
 * A refund that failed after the rest was shipped leaves its units to ship.
 * @param among condition on the orders to look at
 */
export const isToShipAmong = (among: SQL): SQL =>
  idIsIn(sql`
    select ${orders.id} from ${orders}
    where ${among} and ${orders.status} = 'PAID' and not (${withRefunds(sql`true`)} and not ${hasLeft})
    union all
    select ${orders.id} from ${orders}
    where ${among} and ${orders.status} in ('OUT_FOR_DELIVERY', 'DELIVERED')
      and ${withRefunds(sql`${refunds.state} = 'failed'`)}
      and exists (select from ${parcels} where ${parcels.orderId} = ${orders.id}) and ${hasLeft}`);

export const isToShip = isToShipAmong(sql`true`);
