/**
 * The list of everybody's orders: what staff search, filter and sort. The ids come from an index alone where there is
 * one, and only the page's own rows are read whole.
 */
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueryOf } from '../../shared/contract';
import { statusLabels } from '../../shared/orders';
import { fromRatePpm, goodsOf } from '../../shared/total';
import { moneyByLine, orders, refunds, users, type OrderStatus } from '../db/schema';
import { containsText, readCount } from '../db/lists';
import type { Connection } from '../db/transact';
import type { Column } from '../http/csv';
import type { PageRequest } from '../http/paging';
import type { Period } from '../http/days';
import { areOrdered, isMoved, isOfLines, isOneOf, isRefunded, partsOf, type OrderPart } from './orderParts';
import { findOrders } from './repository';

type Query = QueryOf<'exportOrders'>;
type Filters = 'q' | 'status' | 'by' | 'discount' | 'product' | 'category' | 'state' | 'taxState';
export type OrderList = Pick<Query, Filters | 'sort' | 'direction'> & { period: Period };

export async function listOrders(connection: Connection, list: OrderList, { page, size }: PageRequest) {
  const [ids, totalElements] = await Promise.all([
    sorted(connection, list)
      .limit(size)
      .offset(page * size),
    countOrders(connection, list),
  ]);
  const content = await findOrders(
    connection,
    ids.map(({ id }) => id),
  );
  return { content, totalElements };
}

async function countOrders(connection: Connection, list: OrderList): Promise<number> {
  const { q = '', status, by = 'created', period, discount, state, taxState } = list;
  const isNarrowed =
    q.trim() !== '' ||
    discount !== undefined ||
    state !== undefined ||
    taxState !== undefined ||
    partsOf(list).length > 0;
  if (!isNarrowed && by === 'created' && !period.start && !period.end)
    return readCount(connection, 'orders', { part: status });
  const [total] = await connection.select({ orders: count() }).from(orders).where(passes(list));
  return total?.orders ?? 0;
}

/** @returns the ids of all orders of the list, in its order */
export const listOrderIds = async (connection: Connection, list: OrderList): Promise<string[]> =>
  (await sorted(connection, list)).map(({ id }) => id);

const sorted = (connection: Connection, list: OrderList) =>
  connection
    .select({ id: orders.id })
    .from(orders)
    .where(passes(list))
    .orderBy(...orderOf(list))
    .$dynamic();

function passes(list: OrderList): SQL | undefined {
  const { q = '', status, by = 'created', discount, state, taxState, period } = list;
  const hasHappened = by === 'refunded' && taxState ? taxRefunded : happened[by];
  return and(
    holds(q.trim()),
    status && eq(orders.status, status),
    discount ? eq(orders.discountId, discount) : undefined,
    state ? eq(orders.state, state) : undefined,
    taxState ? eq(orders.taxState, taxState) : undefined,
    hasHappened(period, partsOf(list)),
  );
}

/** `#1042` is the number 1042 alone. */
function holds(words: string): SQL | undefined {
  if (words === '') return undefined;
  if (words.startsWith('#')) return like(orders.orderNumber, containsText(words.slice(1)));
  return or(like(orders.orderNumber, containsText(words)), sql`${orders.customer} ilike ${containsText(words)}`);
}

const within = (moment: PgColumn, { start, end }: Period) =>
  and(start && gte(moment, start), end && lt(moment, end)) ?? isNotNull(moment);

/** A second payment that was given back is no part of the order's own money. */
const refundedIn = (period: Period, parts: readonly OrderPart[], isSuch?: SQL) =>
  sql`${orders.id} in (select ${refunds.orderId} from ${refunds} where ${and(
    eq(refunds.state, 'done'),
    isNull(refunds.strayPaymentId),
    within(refunds.doneAt, period),
    ...parts.map(isRefunded),
    isSuch,
  )})`;

type Happened = (period: Period, parts: readonly OrderPart[]) => SQL | undefined;

const placed: Happened = ({ start, end }, parts) =>
  and(start && gte(orders.createdAt, start), end && lt(orders.createdAt, end), areOrdered(parts));
const paid: Happened = (period, parts) => and(within(orders.paidAt, period), areOrdered(parts));

/** Of a state's tax, as Collected counts it. */
const taxRefunded: Happened = (period, parts) => refundedIn(period, parts, gt(refunds.taxCents, 0));

const paidOrRefunded: Happened = (period, parts) => {
  if (!parts.some(isOfLines)) return or(paid(period, parts), refundedIn(period, parts));
  return isOneOf(sql`
    select ${orders.id} from ${orders} where ${paid(period, parts)}
    union all select ${orders.id} from ${orders} where ${refundedIn(period, parts)}`);
};

/** A product or a category alone, as the reports lead to them, is looked up in the table that they are summed up from. */
const byMoney =
  (ofOthers: Happened, isSuch?: SQL): Happened =>
  (period, parts) => {
    const [part, ...others] = parts;
    if (!part || others.length > 0 || !isOfLines(part)) return ofOthers(period, parts);
    return isMoved(part, and(within(moneyByLine.at, period), isSuch));
  };

const happened: Record<NonNullable<Query['by']>, Happened> = {
  created: placed,
  paid: byMoney(paid, gt(moneyByLine.units, 0)),
  refunded: byMoney(refundedIn, eq(moneyByLine.units, 0)),
  money: byMoney(paidOrRefunded),
};

const columns: Record<NonNullable<Query['sort']>, (PgColumn | SQL)[]> = {
  orderNumber: [sql`length(${orders.orderNumber})`, orders.orderNumber],
  createdAt: [orders.createdAt, orders.id],
  customer: [sql`lower(${orders.customer})`, orders.id],
  totalAmount: [orders.totalCents, orders.id],
  status: [orders.status, orders.createdAt, orders.id],
};

const orderOf = ({ sort = 'createdAt', direction = 'desc' }: OrderList): SQL[] =>
  columns[sort].map((column) => (direction === 'asc' ? asc(column) : desc(column)));

export type OrderLine = Awaited<ReturnType<typeof findOrderLines>>[number];

/** What the file says of the orders with these ids. */
export const findOrderLines = (connection: Connection, ids: string[]) =>
  connection
    .select({
      id: orders.id,
      orderNumber: orders.orderNumber,
      createdAt: orders.createdAt,
      customer: orders.customer,
      email: users.email,
      street: orders.street,
      city: orders.city,
      state: orders.state,
      postalCode: orders.postalCode,
      totalCents: orders.totalCents,
      refundedCents: orders.refundedCents,
      status: orders.status,
      paidAt: orders.paidAt,
      discountCents: orders.discountCents,
      discountCode: orders.discountCode,
      deliveryCents: orders.deliveryCents,
      deliveryName: orders.deliveryName,
      taxCents: orders.taxCents,
      taxState: orders.taxState,
      taxRatePpm: orders.taxRatePpm,
      deliveryNote: orders.deliveryNote,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(inArray(orders.id, ids));

export const orderColumns: Column<OrderLine>[] = [
  { header: 'Order ID', cell: ({ orderNumber }) => `#${orderNumber}` },
  { header: 'Order Date', cell: ({ createdAt }) => createdAt },
  { header: 'Customer Name', cell: ({ customer }) => customer },
  { header: 'Email', cell: ({ email }) => email },
  { header: 'Street', cell: ({ street }) => street },
  { header: 'City', cell: ({ city }) => city },
  { header: 'State', cell: ({ state }) => state },
  { header: 'Postal Code', cell: ({ postalCode }) => postalCode },
  { header: 'Amount', cell: ({ totalCents: cents }) => ({ cents }) },
  { header: 'Refunded', cell: ({ refundedCents }) => ({ cents: -refundedCents }) },
  { header: 'Status', cell: ({ status }: { status: OrderStatus }) => statusLabels[status] },
  { header: 'Paid', cell: ({ paidAt }) => paidAt },
  { header: 'Goods', cell: (order) => ({ cents: goodsOf(order) }) },
  { header: 'Discount', cell: ({ discountCents }) => ({ cents: -discountCents }) },
  { header: 'Discount code', cell: ({ discountCode }) => discountCode },
  { header: 'Delivery', cell: ({ deliveryCents: cents }) => ({ cents }) },
  { header: 'Delivery method', cell: ({ deliveryName }) => deliveryName },
  { header: 'Tax', cell: ({ taxCents: cents }) => ({ cents }) },
  { header: 'Tax state', cell: ({ taxState }) => taxState },
  { header: 'Tax rate', cell: ({ taxRatePpm }) => (taxRatePpm === null ? null : String(fromRatePpm(taxRatePpm))) },
  { header: 'Delivery note', cell: ({ deliveryNote }) => deliveryNote },
];
