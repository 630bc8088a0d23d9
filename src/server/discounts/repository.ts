import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '../../shared/contract';
import type { DiscountStatus } from '../../shared/discounts';
import type { discountsList } from '../../shared/discountsList';
import type { SortOf } from '../../shared/staffList';
import { allOf, type Conditions, inOrder } from '../db/core/listQueries';
import { categories, discounts, orders } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Period } from '../http/core/shopDays';
import type { PageRequest } from '../http/contract/paging';
import { hasUsedCode } from '../orders/orderTerms';

export type DiscountRow = typeof discounts.$inferSelect;
export type DiscountFacts = Omit<DiscountRow, 'id' | 'createdAt'>;
/** A code's figures, computed from orders. */
export type DiscountFigures = { id: string; status: DiscountStatus; uses: number; revenueCents: number };
type Query = QueryOf<'exportDiscounts'>;
/** The query's days of revenue, resolved to a period. */
export type DiscountList = Omit<Query, 'period' | 'from' | 'to'> & { period: Period; now: Date };

/** @returns a page of figures in the list's order, and the number of codes in the whole list */
export async function findFigures(
  connection: Connection,
  list: DiscountList,
  page?: PageRequest,
): Promise<{ figures: DiscountFigures[]; totalElements: number }> {
  const limitClause = page ? sql`limit ${page.size} offset ${page.page * page.size}` : sql``;
  type Row = { total: string; id: string | null; status: DiscountStatus; uses: string; revenue: string };
  const { rows } = await connection.execute<Row>(sql`
    with list as materialized (select * from (${figuresOf(list, sql`true`)}) as found where ${listFilter(list)})
    select total, shown.* from (select count(*) as total from list) as counted
    left join (select * from list order by ${orderOf(list)} ${limitClause}) as shown on true
    order by ${orderOf(list)}`);
  const figures = rows.flatMap(({ id, status, uses, revenue }) =>
    id === null ? [] : [{ id, status, uses: Number(uses), revenueCents: Number(revenue) }],
  );
  return { figures, totalElements: Number(rows[0]?.total ?? 0) };
}

/** @returns the figures of one code, for all time */
export async function findFiguresOf(connection: Connection, id: string, now: Date): Promise<DiscountFigures> {
  type Row = { id: string; status: DiscountStatus; uses: string; revenue: string };
  const { rows } = await connection.execute<Row>(figuresOf({ period: {}, now }, sql`discount_id = ${id}`, id));
  const [row] = rows;
  return {
    id,
    status: row?.status ?? 'active',
    uses: Number(row?.uses ?? 0),
    revenueCents: Number(row?.revenue ?? 0),
  };
}

/**
 * Each code with its figures. A refunded second payment is not part of an order's own money. The status must match
 * `discountStatus`.
 */
function figuresOf({ period, now }: Pick<DiscountList, 'period' | 'now'>, ofOrders: SQL, id?: string): SQL {
  const moment = sql`${now.toISOString()}::timestamptz`;
  return sql`
    with used as (
      select discount_id, count(*) as uses from orders
      where discount_id is not null and ${hasUsedCode} and ${ofOrders} group by discount_id),
    paid as (
      select discount_id, sum(total_cents::bigint) as cents from orders
      where discount_id is not null and ${ofOrders} and ${isIn(sql`paid_at`, period)} group by discount_id),
    returned as (
      select discount_id, sum(amount_cents::bigint) as cents from refunds join orders on orders.id = order_id
      where discount_id is not null and ${ofOrders} and refunds.state = 'done' and stray_payment_id is null
        and ${isIn(sql`done_at`, period)} group by discount_id)
    select discounts.id, code, note, discounts.created_at, coalesce(uses, 0) as uses,
      coalesce(paid.cents, 0) - coalesce(returned.cents, 0) as revenue,
      case when not is_active then 'off' when ends_at <= ${moment} then 'ended'
        when coalesce(uses, 0) >= max_uses then 'used_up' when starts_at > ${moment} then 'planned'
        else 'active' end as status
    from discounts left join used on used.discount_id = discounts.id left join paid on paid.discount_id = discounts.id
      left join returned on returned.discount_id = discounts.id
    where ${id === undefined ? sql`true` : sql`discounts.id = ${id}`}`;
}

const isIn = (moment: SQL, { start, end }: Period): SQL =>
  sql.join(
    [
      sql`${moment} is not null`,
      ...(start ? [sql`${moment} >= ${start.toISOString()}`] : []),
      ...(end ? [sql`${moment} < ${end.toISOString()}`] : []),
    ],
    sql` and `,
  );

const conditions: Conditions<Omit<Query, 'sort' | 'direction' | 'period' | 'from' | 'to'>> = {
  q: (q) => (q.trim() === '' ? undefined : matchesSearch(q.trim())),
  status: (status) => sql`status = ${status}`,
};

const listFilter = (list: DiscountList): SQL => allOf(conditions, list) ?? sql`true`;

/** Uses strpos because LIKE's wildcards would need escaping. */
const matchesSearch = (search: string): SQL => sql`strpos(lower(code || ' ' || note), lower(${search})) > 0`;

const sorts: Record<SortOf<typeof discountsList>, SQL> = {
  createdAt: sql`created_at`,
  code: sql`code`,
  uses: sql`uses`,
  revenue: sql`revenue`,
};

function orderOf({ sort = 'createdAt', direction = 'desc' }: DiscountList): SQL {
  return sql.join(inOrder([sorts[sort], sql`id`], direction), sql`, `);
}

export const findDiscounts = (connection: Connection, ids: readonly string[]): Promise<DiscountRow[]> =>
  connection
    .select()
    .from(discounts)
    .where(inArray(discounts.id, [...ids]));

export async function findDiscount(connection: Connection, id: string): Promise<DiscountRow | undefined> {
  const [row] = await connection.select().from(discounts).where(eq(discounts.id, id));
  return row;
}

/** Locks the code: a concurrent order that uses it either waits or is seen here. */
export async function lockDiscount(tx: Tx, id: string): Promise<(DiscountRow & { isUsed: boolean }) | undefined> {
  const [row] = await tx.select().from(discounts).where(eq(discounts.id, id)).for('update');
  if (!row) return undefined;
  const [used] = await tx
    .select({ isUsed: sql<boolean>`true` })
    .from(orders)
    .where(eq(orders.discountId, id))
    .limit(1);
  return { ...row, isUsed: used !== undefined };
}

export async function insertDiscount(tx: Tx, discount: DiscountRow): Promise<void> {
  await tx.insert(discounts).values(discount);
}

export async function changeDiscount(tx: Tx, id: string, facts: DiscountFacts): Promise<void> {
  await tx.update(discounts).set(facts).where(eq(discounts.id, id));
}

/** @returns the ids that belong to categories */
export async function findCategoryIds(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const row = await connection
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, [...ids]));
  return row.map(({ id }) => id);
}
