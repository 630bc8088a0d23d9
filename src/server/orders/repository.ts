import { and, asc, count, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import {
  carts,
  holds,
  orderItems,
  orders,
  orderTimeline,
  parcelLines,
  parcels,
  paymentSessions,
  products,
  refundLines,
  refunds,
  users,
  type OrderStatus,
} from '../db/schema/tables';
import { byColumns } from '../db/core/columnArrays';
import { prepared, statement, type Connection, type Tx } from '../db/core/transact';
import { liveChanged } from '../db/core/changes';
import type { PageRequest } from '../http/contract/paging';
import type { Hold, Holding } from './holding';
import type { OrderRow } from './lifecycle';

/** A line with the product's current SKU, barcode, and shelf. */
export type OrderItemRow = typeof orderItems.$inferSelect &
  Pick<typeof products.$inferSelect, 'sku' | 'barcode' | 'shelf'>;
export type TimelineRow = { status: OrderStatus; at: Date; by: string | null; note: string | null };
export type OrderRefund = typeof refunds.$inferSelect & { by: string | null; lines: RefundLine[] };
type RefundLine = Omit<typeof refundLines.$inferSelect, 'refundId'>;
export type OrderParcel = typeof parcels.$inferSelect & {
  by: string | null;
  lines: { orderItemId: string; quantity: number }[];
};
export type FullOrder = OrderRow & {
  items: OrderItemRow[];
  timeline: TimelineRow[];
  refunds: OrderRefund[];
  /** Oldest first. */
  parcels: OrderParcel[];
  paymentUrl: string | null;
  heldUntil: Date | null;
};

/** A page of a customer's orders, newest first, with all their parts: seven queries for any number of orders. */
export async function listOrdersOf(connection: Connection, userId: string, { page, size }: PageRequest) {
  const where = eq(orders.userId, userId);
  const [rows, [total]] = await Promise.all([
    connection
      .select()
      .from(orders)
      .where(where)
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(size)
      .offset(page * size),
    connection.select({ orders: count() }).from(orders).where(where),
  ]);
  return { content: await withParts(connection, rows), totalElements: total?.orders ?? 0 };
}

export async function findOrder(connection: Connection, orderId: string): Promise<FullOrder | undefined> {
  const rows = await connection.select().from(orders).where(eq(orders.id, orderId));
  const [order] = await withParts(connection, rows);
  return order;
}

/** @returns the orders in the order of `ids`, with all their parts */
export async function findOrders(connection: Connection, ids: readonly string[]): Promise<FullOrder[]> {
  if (ids.length === 0) return [];
  const rows = await connection
    .select()
    .from(orders)
    .where(inArray(orders.id, [...ids]));
  const row = new Map((await withParts(connection, rows)).map((order) => [order.id, order]));
  return ids.flatMap((id) => row.get(id) ?? []);
}

const lastPaidAt = sql<Date | null>`(
  select max(${orders.paidAt}) from ${orders} where ${orders.userId} = ${carts.userId} and ${orders.paidAt} is not null
)`.mapWith(orders.paidAt);
const holdingQuery = prepared('holding', (connection) =>
  connection
    .select({ order: orders, payment: paymentSessions, hold: holds, lastPaidAt })
    .from(carts)
    .leftJoin(orders, and(eq(orders.userId, carts.userId), eq(orders.status, 'PENDING_PAYMENT')))
    .leftJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .leftJoin(holds, eq(holds.userId, carts.userId))
    .where(eq(carts.userId, sql.placeholder('userId'))),
);

/** The customer's open order, their hold, and when they last paid an order. */
export async function findHolding(connection: Connection, userId: string): Promise<Holding> {
  const [row] = await holdingQuery(connection).execute({ userId });
  const { order, payment, hold, lastPaidAt: paidAt = null } = row ?? {};
  return { open: order && payment ? { order, payment } : undefined, hold: hold ?? undefined, lastPaidAt: paidAt };
}

export type NewOrder = Omit<typeof orders.$inferInsert, 'orderNumber' | 'status'> & {
  items: readonly (typeof orderItems.$inferInsert)[];
  /** When its payment session expires. */
  payableUntil: Date;
  hold: Hold;
  network: string;
};

/** Inserts a new order awaiting payment, with all its parts, in one statement. @returns its number */
export async function insertOrder(tx: Tx, { items, payableUntil, hold, network, ...order }: NewOrder): Promise<string> {
  const { id, userId, totalCents, createdAt } = order;
  const orderValues = byColumns(orders, [{ ...order, status: 'PENDING_PAYMENT' }]);
  const lines = byColumns(orderItems, items);
  const holding = [hold.since, hold.until, hold.isExtended, hold.unpaidEnds, network];
  const values = [id, userId, totalCents, createdAt, payableUntil, ...holding];
  const [inserted] = await insertStatement(orderValues, lines)(tx, [
    ...values,
    ...orderValues.values.flat(),
    ...lines.values,
  ]);
  liveChanged(tx, userId, 'orders');
  return inserted?.orderNumber ?? '';
}

type Columns = Pick<ReturnType<typeof byColumns>, 'columns' | 'types'>;
const insertStatements = new Map<string, ReturnType<typeof statement<{ orderNumber: string }>>>();

/** Runs for every order, so it is raw SQL: building it with the query builder took as long as executing it. */
function insertStatement(order: Columns, lines: Columns) {
  const key = `${order.columns}; ${lines.columns}`;
  const cached = insertStatements.get(key);
  if (cached) return cached;
  const firstParameter = 11; // of the order's own columns
  const placeholders = (types: string[], from: number) => types.map((type, at) => `$${from + at}::${type}`).join(', ');
  const arrayTypes = lines.types.map((type) => `${type}[]`);
  const inserted = statement<{ orderNumber: string }>(
    `insert_order_${insertStatements.size}`,
    `with made as (
      insert into orders (order_number, ${order.columns})
      values (nextval('order_numbers')::text, ${placeholders(order.types, firstParameter)}) returning order_number
    ), lines as (
      insert into order_items (${lines.columns}) select * from unnest(${placeholders(arrayTypes, firstParameter + order.types.length)})
    ), step as (
      insert into order_timeline (order_id, status, by_user_id, at) values ($1, 'PENDING_PAYMENT', $2, $4)
    ), payment as (
      insert into payment_sessions (order_id, state, amount_cents, expires_at, created_at)
      values ($1, 'creating', $3, $5, $4)
    ), held as (
      insert into holds (user_id, order_id, since, until, is_extended, unpaid_ends, network)
      values ($2, $1, $6, $7, $8, $9, $10)
      on conflict (user_id) do update set order_id = excluded.order_id, since = excluded.since, until = excluded.until,
        is_extended = excluded.is_extended, unpaid_ends = excluded.unpaid_ends, ended_by = null,
        network = excluded.network
    )
    select order_number as "orderNumber" from made`,
  );
  insertStatements.set(key, inserted);
  return inserted;
}

/** The last two status changes of an order, newest first. */
export async function findLastSteps(connection: Connection, orderId: string) {
  return connection
    .select({ status: orderTimeline.status, byUserId: orderTimeline.byUserId, at: orderTimeline.at })
    .from(orderTimeline)
    .where(eq(orderTimeline.orderId, orderId))
    .orderBy(desc(orderTimeline.id))
    .limit(2);
}

async function withParts(connection: Connection, rows: readonly OrderRow[]): Promise<FullOrder[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  // sequential: inside a transaction they share its connection
  const items = await connection
    .select({ ...getTableColumns(orderItems), sku: products.sku, barcode: products.barcode, shelf: products.shelf })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(inArray(orderItems.orderId, ids))
    .orderBy(asc(orderItems.position));
  const timeline = await connection
    .select({
      orderId: orderTimeline.orderId,
      status: orderTimeline.status,
      at: orderTimeline.at,
      by: users.fullName,
      note: orderTimeline.note,
    })
    .from(orderTimeline)
    .leftJoin(users, eq(users.id, orderTimeline.byUserId))
    .where(inArray(orderTimeline.orderId, ids))
    .orderBy(asc(orderTimeline.id));
  const payments = await connection
    .select({ orderId: paymentSessions.orderId, url: paymentSessions.url, heldUntil: holds.until })
    .from(paymentSessions)
    .leftJoin(holds, eq(holds.orderId, paymentSessions.orderId))
    .where(inArray(paymentSessions.orderId, ids));
  const refundsOf = await findRefundsOf(connection, ids);
  const parcelRows = await connection
    .select({ parcel: parcels, by: users.fullName, lines: linesOfParcel })
    .from(parcels)
    .leftJoin(users, eq(users.id, parcels.byUserId))
    .where(inArray(parcels.orderId, ids))
    .orderBy(asc(parcels.shippedAt), asc(parcels.id));
  const parcelsOf = groupByOrder(parcelRows.map(({ parcel, ...more }) => ({ ...parcel, ...more })));
  const itemsOf = groupByOrder(items);
  const timelineOf = groupByOrder(timeline);
  const paymentOf = new Map(payments.map((payment) => [payment.orderId, payment]));
  return rows.map((order) => ({
    ...order,
    items: itemsOf.get(order.id) ?? [],
    timeline: timelineOf.get(order.id) ?? [],
    refunds: refundsOf.get(order.id) ?? [],
    parcels: parcelsOf.get(order.id) ?? [],
    paymentUrl: order.status === 'PENDING_PAYMENT' ? (paymentOf.get(order.id)?.url ?? null) : null,
    heldUntil: order.status === 'PENDING_PAYMENT' ? (paymentOf.get(order.id)?.heldUntil ?? null) : null,
  }));
}

/** @returns the refunds of each order, oldest first */
export async function findRefundsOf(connection: Connection, orderIds: string[]): Promise<Map<string, OrderRefund[]>> {
  const rows = await connection
    .select({ refund: refunds, by: users.fullName, lines: linesOfRefund })
    .from(refunds)
    .leftJoin(users, eq(users.id, refunds.byUserId))
    .where(inArray(refunds.orderId, orderIds))
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
  return groupByOrder(rows.map(({ refund, ...more }) => ({ ...refund, ...more })));
}

/** Read in the same query as the refunds, sorted like the order's lines. */
const linesOfRefund = sql<RefundLine[]>`coalesce((
  select json_agg(json_build_object('orderItemId', ${refundLines.orderItemId}, 'quantity', ${refundLines.quantity},
    'restock', ${refundLines.restock}, 'goodsCents', ${refundLines.goodsCents}, 'taxCents', ${refundLines.taxCents},
    'unshippedQuantity', ${refundLines.unshippedQuantity})
    order by ${orderItems.position})
  from ${refundLines} join ${orderItems} on ${orderItems.id} = ${refundLines.orderItemId}
  where ${refundLines.refundId} = ${refunds.id}), '[]')`;

const linesOfParcel = sql<OrderParcel['lines']>`coalesce((
  select json_agg(json_build_object('orderItemId', ${parcelLines.orderItemId}, 'quantity', ${parcelLines.quantity})
    order by ${orderItems.position})
  from ${parcelLines} join ${orderItems} on ${orderItems.id} = ${parcelLines.orderItemId}
  where ${parcelLines.parcelId} = ${parcels.id}), '[]')`;

function groupByOrder<Row extends { orderId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.orderId);
    if (group) group.push(row);
    else groups.set(row.orderId, [row]);
  }
  return groups;
}
