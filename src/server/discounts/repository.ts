import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '../../shared/contract';
import type { DiscountStatus } from '../../shared/discounts';
import type { discountsList } from '../../shared/discountsList';
import type { SortOf } from '../../shared/staffList';
import { allOf, type Conditions, inOrder } from '../db/core/lists';
import { categories, discounts, orders } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Period } from '../http/core/shopDays';
import type { PageRequest } from '../http/contract/paging';
import { hasUsedCode } from '../orders/terms';

export type DiscountRow = typeof discounts.$inferSelect;
export type DiscountFacts = Omit<DiscountRow, 'id' | 'createdAt'>;
/** What orders say of a code. Cents. */
export type DiscountFigures = { id: string; status: DiscountStatus; uses: number; revenueCents: number };
type Query = QueryOf<'exportDiscounts'>;
/** The days of the revenue are a period here. */
export type DiscountList = Omit<Query, 'period' | 'from' | 'to'> & { period: Period; now: Date };

/** @returns the figures of a page of codes, in the list's order, and how many codes the list has */
export async function findFigures(
  connection: Connection,
  list: DiscountList,
  page?: PageRequest,
): Promise<{ figures: DiscountFigures[]; totalElements: number }> {
  const cut = page ? sql`limit ${page.size} offset ${page.page * page.size}` : sql``;
  type Row = { total: string; id: string | null; status: DiscountStatus; uses: string; revenue: string };
  const { rows } = await connection.execute<Row>(sql`
    with list as materialized (select * from (${figuresOf(list, sql`true`)}) as found where ${passes(list)})
    select total, shown.* from (select count(*) as total from list) as counted
    left join (select * from list order by ${orderOf(list)} ${cut}) as shown on true
    order by ${orderOf(list)}`);
  const figures = rows.flatMap(({ id, status, uses, revenue }) =>
    id === null ? [] : [{ id, status, uses: Number(uses), revenueCents: Number(revenue) }],
  );
  return { figures, totalElements: Number(rows[0]?.total ?? 0) };
}

/** @returns the figures of one code, of all that was ever paid with it */
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
 * Each code with its figures. A second payment that was given back is no part of an order's own money. The status is what
 * `discountStatus` says.
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
  q: (q) => (q.trim() === '' ? undefined : textsHold(q.trim())),
  status: (status) => sql`status = ${status}`,
};

const passes = (list: DiscountList): SQL => allOf(conditions, list) ?? sql`true`;

/** Without LIKE, whose wildcards would need escaping. */
const textsHold = (words: string): SQL => sql`strpos(lower(code || ' ' || note), lower(${words})) > 0`;

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
  const [found] = await connection.select().from(discounts).where(eq(discounts.id, id));
  return found;
}

/** Locks it: an order that uses the code waits, or is seen here. */
export async function lockDiscount(tx: Tx, id: string): Promise<(DiscountRow & { isUsed: boolean }) | undefined> {
  const [found] = await tx.select().from(discounts).where(eq(discounts.id, id)).for('update');
  if (!found) return undefined;
  const [used] = await tx
    .select({ isUsed: sql<boolean>`true` })
    .from(orders)
    .where(eq(orders.discountId, id))
    .limit(1);
  return { ...found, isUsed: used !== undefined };
}

export async function insertDiscount(tx: Tx, discount: DiscountRow): Promise<void> {
  await tx.insert(discounts).values(discount);
}

export async function changeDiscount(tx: Tx, id: string, facts: DiscountFacts): Promise<void> {
  await tx.update(discounts).set(facts).where(eq(discounts.id, id));
}

/** @returns those of the ids that are categories */
export async function findCategoryIds(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const found = await connection
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, [...ids]));
  return found.map(({ id }) => id);
}
