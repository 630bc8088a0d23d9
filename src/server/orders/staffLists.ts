/**
 * The list of everybody's orders: what staff search, filter and sort. The ids come from an index alone where there is
 * one, and only the page's own rows are read whole.
 */
import { and, count, eq, gt, gte, inArray, isNotNull, isNull, like, lt, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueryOf } from '../../shared/contract';
import { statusLabels } from '../../shared/orders';
import { ordersList } from '../../shared/ordersList';
import type { SortOf } from '../../shared/staffList';
import { fromRatePpm, goodsOf } from '../../shared/total';
import { moneyByLine, orders, refunds, users } from '../db/schema/tables';
import { allOf, type Conditions, containsText, inOrder, isNarrowed, readCount } from '../db/core/lists';
import type { Connection } from '../db/core/transact';
import { fileColumns } from '../http/csv/csvDownload';
import type { PageRequest } from '../http/contract/paging';
import type { Period } from '../http/core/shopDays';
import { areOrdered, isMoved, isOfLines, isOneOf, isRefunded, partsOf, type OrderPart } from './orderParts';
import { findOrders } from './repository';

type Query = QueryOf<'exportOrders'>;
export type OrderList = Query & { period: Period };

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
  const { status, sort: _sort, direction: _direction, period: _period, by = 'created', ...others } = list;
  if (by === 'created' && !isNarrowed(others)) return readCount(connection, 'orders', { part: status });
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

/** What `by` says has happened, to which products or categories and when, is asked as one. */
const conditions: Conditions<Omit<Query, 'sort' | 'direction' | 'by' | 'from' | 'to' | 'product' | 'category'>> = {
  q: (q) => holds(q.trim()),
  status: (status) => eq(orders.status, status),
  discount: (discountId) => eq(orders.discountId, discountId),
  state: (state) => eq(orders.state, state),
  taxState: (state) => eq(orders.taxState, state),
};

function passes(list: OrderList): SQL | undefined {
  const { by = 'created', taxState, period } = list;
  const hasHappened = by === 'refunded' && taxState ? taxRefunded : happened[by];
  return and(allOf(conditions, list), hasHappened(period, partsOf(list)));
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

const sorts: Record<SortOf<typeof ordersList>, (PgColumn | SQL)[]> = {
  orderNumber: [sql`length(${orders.orderNumber})`, orders.orderNumber],
  createdAt: [orders.createdAt, orders.id],
  customer: [sql`lower(${orders.customer})`, orders.id],
  totalAmount: [orders.totalCents, orders.id],
  status: [orders.status, orders.createdAt, orders.id],
};

const orderOf = ({ sort = 'createdAt', direction = 'desc' }: OrderList): SQL[] => inOrder(sorts[sort], direction);

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

export const orderColumns = fileColumns<typeof ordersList, OrderLine>(ordersList, {
  orderNumber: ({ orderNumber }) => `#${orderNumber}`,
  createdAt: ({ createdAt }) => createdAt,
  customer: ({ customer }) => customer,
  email: ({ email }) => email,
  street: ({ street }) => street,
  city: ({ city }) => city,
  state: ({ state }) => state,
  postalCode: ({ postalCode }) => postalCode,
  totalAmount: ({ totalCents: cents }) => ({ cents }),
  refunded: ({ refundedCents }) => ({ cents: -refundedCents }),
  status: ({ status }) => statusLabels[status],
  paidAt: ({ paidAt }) => paidAt,
  goods: (order) => ({ cents: goodsOf(order) }),
  discount: ({ discountCents }) => ({ cents: -discountCents }),
  discountCode: ({ discountCode }) => discountCode,
  delivery: ({ deliveryCents: cents }) => ({ cents }),
  deliveryName: ({ deliveryName }) => deliveryName,
  tax: ({ taxCents: cents }) => ({ cents }),
  taxState: ({ taxState }) => taxState,
  taxRate: ({ taxRatePpm }) => (taxRatePpm === null ? null : String(fromRatePpm(taxRatePpm))),
  deliveryNote: ({ deliveryNote }) => deliveryNote,
});
