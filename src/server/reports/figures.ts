/**
 * Revenue in a period, by product, category, month or state. It counts what the dashboard's Revenue counts
 * (dashboard/figures.ts): payments by payment time, less refunds by refund time. Each order's parts add up to its total and
 * each refund's to its amount, so all reports have the same sum. All in whole cents. They come from the daily money.
 * Rule: docs/rules/selling.md, Reports
 */
import { sql, type SQL } from 'drizzle-orm';
import type { ReportBy } from '../../shared/reports';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { moneyOf, type ZonedDays } from './dailyMoney';
import { isRow, limitTo, type NoRow, orderOf, type StoredSize, toSize, type Unnamed } from './names';

export type Figures = {
  units: number;
  goodsCents: number;
  discountCents: number;
  deliveryCents: number;
  taxCents: number;
  refundCents: number;
};
export type FigureRow = Unnamed & Figures;

type Found = { rows: FigureRow[]; totalRows: number; namedRows: number };

/**
 * The rows in order; by month, also months without payments and refunds.
 * @param page undefined: all
 */
export async function findRows(
  connection: Connection,
  by: ReportBy,
  days: ZonedDays,
  page?: PageRequest,
): Promise<Found> {
  const order = orderOf(by, sql`goods - discounts + delivery + tax - refunds`);
  const { rows } = await connection.execute<StoredRow | NoRow>(sql`
    with all_rows as materialized (${queries[by](days)})
    select total, named, page.* from (
      select count(*)::int as total, (count(*) filter (where key not in ('delivery', 'none')))::int as named from all_rows
    ) as counted
    left join (select * from all_rows order by ${order} ${limitTo(page)}) as page on true
    order by ${order}`);
  return {
    rows: rows.filter(isRow).map((row) => ({ key: row.key, name: row.name, size: toSize(row), ...toFigures(row) })),
    totalRows: rows[0]?.total ?? 0,
    namedRows: rows[0]?.named ?? 0,
  };
}

/** The sum of all rows. */
export async function findSum(connection: Connection, by: ReportBy, days: ZonedDays): Promise<Figures> {
  const { rows } = await connection.execute<StoredSums>(
    sql`select ${sums(unitsOf(by))} from ${moneyOf(days)} as daily where part = 'state'`,
  );
  return toFigures(rows[0]);
}

type StoredSums = Record<'units' | 'goods' | 'discounts' | 'delivery' | 'tax' | 'refunds', string | null>;
type StoredRow = { total: number; named: number; key: string; name: string | null } & StoredSums & StoredSize;

const toFigures = (row: StoredSums | undefined): Figures => ({
  units: Number(row?.units),
  goodsCents: Number(row?.goods),
  discountCents: Number(row?.discounts),
  deliveryCents: Number(row?.delivery),
  taxCents: Number(row?.tax),
  refundCents: Number(row?.refunds),
});

const queries: Record<ReportBy, (days: ZonedDays) => SQL> = {
  product: (days) => sql`
    select sums.*, products.name, unit_size, net_grams, net_millilitres
    from (${sumsOf('product', days)}) as sums left join products on products.id::text = key`,
  category: (days) => sql`
    select sums.*, coalesce(title, categories.name) as name
    from (${sumsOf('category', days)}) as sums left join categories on categories.id::text = key`,
  state: (days) => sql`select sums.*, null::text as name from (${sumsOf('state', days)}) as sums`,
  month: (days) => sql`
    select to_char(month, 'YYYY-MM') as key, null::text as name, coalesce(units, 0) as units, coalesce(goods, 0) as goods,
      coalesce(discounts, 0) as discounts, coalesce(delivery, 0) as delivery, coalesce(tax, 0) as tax,
      coalesce(refunds, 0) as refunds
    from generate_series(date_trunc('month', ${days.from}::timestamp), ${days.to}::timestamp, interval '1 month') as month
    left join (
      select date_trunc('month', day::timestamp) as month, ${sums(unitsOf('month'))} from ${moneyOf(days)} as daily
      where part = 'state' group by 1
    ) as sums using (month)`,
};

/** Units sold by product and category, otherwise orders. */
const unitsOf = (by: ReportBy): SQL => (by === 'product' || by === 'category' ? sql`daily.units` : sql`orders`);

/** Keys with figures. */
const sumsOf = (part: Exclude<ReportBy, 'month'>, days: ZonedDays): SQL => sql`
  select key, ${sums(unitsOf(part))} from ${moneyOf(days)} as daily where part = ${part} group by key
  having (sum(${unitsOf(part)}), sum(delivery_cents + tax_cents), sum(returned_cents + returned_delivery_cents + returned_tax_cents))
    <> (0, 0, 0)`;

const sums = (
  units: SQL,
): SQL => sql`sum(${units}) as units, sum(goods_cents) as goods, sum(discount_cents) as discounts,
  sum(delivery_cents) as delivery, sum(tax_cents) as tax,
  sum(returned_cents) + sum(returned_delivery_cents) + sum(returned_tax_cents) as refunds`;
