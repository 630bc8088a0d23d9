/**
 * The list of all orders: staff's search, filters and sorting. Ids come from an index-only scan where possible, and only
 * the page's rows are read whole.
 */
import { and, count, eq, gt, gte, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueryOf } from '../../shared/contract';
import { statusLabels } from '../../shared/orders';
import { ordersList } from '../../shared/ordersList';
import type { SortOf } from '../../shared/staffList';
import { fromRatePpm, goodsOf } from '../../shared/total';
import { moneyByLine, orders, orderWords, refunds, users } from '../db/schema/tables';
import { allOf, type Conditions, inOrder, isNarrowed, readCount } from '../db/core/listQueries';
import type { Connection } from '../db/core/transact';
import { fileColumns } from '../http/csv/csvDownload';
import type { PageRequest } from '../http/contract/paging';
import type { Period } from '../http/core/shopDays';
import { wereOrdered, hasMoneyMoved, isOfLines, idIsIn, isRefunded, partsOf, type OrderPart } from './orderParts';
import { findsWords, matchesSearch, type OrderSearch } from './orderSearch';
import { findOrders } from './repository';
import { isToShip } from './toShip';

type Query = Omit<QueryOf<'exportOrders'>, 'form'>;
export type OrderList = Query & OrderSearch & { period: Period };

export async function listOrders(connection: Connection, list: OrderList, { page, size }: PageRequest) {
  const [ids, totalElements] = await Promise.all([
    findIds(connection, list, { limit: size, offset: page * size }),
    countOrders(connection, list),
  ]);
  return { content: await findOrders(connection, ids), totalElements };
}

async function countOrders(connection: Connection, list: OrderList): Promise<number> {
  const { status, q } = list;
  if (isOfAll(list) && !isNarrowed({ q })) return readCount(connection, 'orders', { part: status });
  const words = onlyWords(list);
  const [total] = words
    ? await connection.select({ orders: count() }).from(orderWords).where(words)
    : await connection.select({ orders: count() }).from(orders).where(listFilter(list));
  return total?.orders ?? 0;
}

/** @returns the ids of all orders of the list, in its order */
export const listOrderIds = (connection: Connection, list: OrderList): Promise<string[]> => findIds(connection, list);

async function findIds(connection: Connection, list: OrderList, page?: { limit: number; offset: number }) {
  const { sort = 'createdAt', direction = 'desc' } = list;
  const words = sort === 'createdAt' ? onlyWords(list) : undefined;
  const ids = words
    ? connection.select({ id: orderWords.orderId }).from(orderWords).where(words).$dynamic()
    : connection.select({ id: orders.id }).from(orders).where(listFilter(list)).$dynamic();
  const sorted = ids.orderBy(...inOrder(words ? [orderWords.createdAt, orderWords.orderId] : sorts[sort], direction));
  const rows = await (page ? sorted.limit(page.limit).offset(page.offset) : sorted);
  return rows.map(({ id }) => id);
}

/** Whether nothing but a search or a status narrows the list. */
function isOfAll(list: OrderList): boolean {
  const { by = 'created', q: _q, status: _status, ...others } = list;
  const { sort: _sort, direction: _direction, period: _period, productsOfSku: _products, ...filters } = others;
  return by === 'created' && !isNarrowed(filters);
}

/** The search, if nothing else narrows the list: then its own narrow table has all that the list needs. */
const onlyWords = (list: OrderList): SQL | undefined => (isOfAll(list) && !list.status ? findsWords(list) : undefined);

/** `by`, the period and the product or category are one combined condition, built in `listFilter`, like the search. */
const conditions: Conditions<Omit<Query, 'sort' | 'direction' | 'q' | 'by' | 'from' | 'to' | 'product' | 'category'>> =
  {
    status: (status) => eq(orders.status, status),
    customer: (userId) => eq(orders.userId, userId),
    discount: (discountId) => eq(orders.discountId, discountId),
    state: (state) => eq(orders.state, state),
    taxState: (state) => eq(orders.taxState, state),
    toShip: (isOn) => (isOn ? isToShip : undefined),
    ids: (ids) => inArray(orders.id, ids),
  };

function listFilter(list: OrderList): SQL | undefined {
  const { by = 'created', taxState, period } = list;
  const eventFilter = by === 'refunded' && taxState ? taxRefunded : eventFilters[by];
  return and(matchesSearch(list), allOf(conditions, list), eventFilter(period, partsOf(list)));
}

const within = (moment: PgColumn, { start, end }: Period) =>
  and(start && gte(moment, start), end && lt(moment, end)) ?? isNotNull(moment);

/** A refunded second payment is not part of the order's own money. */
const refundedIn = (period: Period, parts: readonly OrderPart[], condition?: SQL) =>
  sql`${orders.id} in (select ${refunds.orderId} from ${refunds} where ${and(
    eq(refunds.state, 'done'),
    isNull(refunds.strayPaymentId),
    within(refunds.doneAt, period),
    ...parts.map(isRefunded),
    condition,
  )})`;

type EventFilter = (period: Period, parts: readonly OrderPart[]) => SQL | undefined;

const placed: EventFilter = ({ start, end }, parts) =>
  and(start && gte(orders.createdAt, start), end && lt(orders.createdAt, end), wereOrdered(parts));
const paid: EventFilter = (period, parts) => and(within(orders.paidAt, period), wereOrdered(parts));

/** Refunds with tax, for one state, as the report's Collected column counts them. */
const taxRefunded: EventFilter = (period, parts) => refundedIn(period, parts, gt(refunds.taxCents, 0));

const paidOrRefunded: EventFilter = (period, parts) => {
  if (!parts.some(isOfLines)) return or(paid(period, parts), refundedIn(period, parts));
  return idIsIn(sql`
    select ${orders.id} from ${orders} where ${paid(period, parts)}
    union all select ${orders.id} from ${orders} where ${refundedIn(period, parts)}`);
};

/** A single product or category, as linked from the reports, is looked up in the same table that the reports sum. */
const byMoney =
  (fallback: EventFilter, condition?: SQL): EventFilter =>
  (period, parts) => {
    const [part, ...others] = parts;
    if (!part || others.length > 0 || !isOfLines(part)) return fallback(period, parts);
    return hasMoneyMoved(part, and(within(moneyByLine.at, period), condition));
  };

const eventFilters: Record<NonNullable<Query['by']>, EventFilter> = {
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

export type ExportedOrder = Awaited<ReturnType<typeof findExportedOrders>>[number];

/** The export's columns for the orders with these ids. */
export const findExportedOrders = (connection: Connection, ids: string[]) =>
  connection
    .select({
      id: orders.id,
      orderNumber: orders.orderNumber,
      createdAt: orders.createdAt,
      customer: orders.customer,
      email: users.email,
      company: orders.company,
      street: orders.street,
      street2: orders.street2,
      city: orders.city,
      state: orders.state,
      postalCode: orders.postalCode,
      phone: orders.phone,
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

export const orderColumns = fileColumns<typeof ordersList, ExportedOrder>(ordersList, {
  orderNumber: ({ orderNumber }) => `#${orderNumber}`,
  createdAt: ({ createdAt }) => createdAt,
  customer: ({ customer }) => customer,
  email: ({ email }) => email,
  street: ({ street }) => street,
  street2: ({ street2 }) => street2,
  company: ({ company }) => company,
  phone: ({ phone }) => phone,
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
