/**
 * Revenue in a period, by product, category, month or state. It counts what the dashboard's Revenue counts
 * (dashboard/figures.ts): payments by payment time, less refunds by refund time. Each order's parts add up to its total and
 * each refund's to its amount, so all reports have the same sum. All in whole cents. They come from the daily money.
 * Rule: docs/rules/selling.md, Reports
 */
import { sql, type SQL } from 'drizzle-orm';
import type { ReportBy } from '../../shared/reports';
import type { Connection } from '../db/core/transact';
import { moneyOf, type ZonedDays } from './dailyMoney';
import { orderOf, type StoredSize, toSize, type Unnamed } from './names';

export type FigureRow = Unnamed & {
  units: number;
  goodsCents: number;
  discountCents: number;
  deliveryCents: number;
  taxCents: number;
  refundCents: number;
};

/** @returns the rows in order; by month, also months without payments and refunds */
export async function findRows(connection: Connection, by: ReportBy, days: ZonedDays): Promise<FigureRow[]> {
  type Row = Record<'units' | 'goods' | 'discounts' | 'delivery' | 'tax' | 'refunds', string> & {
    key: string;
    name: string | null;
  } & StoredSize;
  const { rows } = await connection.execute<Row>(sql`
    select * from (${queries[by](days)}) as rows
    order by ${orderOf(by, sql`goods - discounts + delivery + tax - refunds`)}`);
  return rows.map((row) => ({
    key: row.key,
    name: row.name,
    size: toSize(row),
    units: Number(row.units),
    goodsCents: Number(row.goods),
    discountCents: Number(row.discounts),
    deliveryCents: Number(row.delivery),
    taxCents: Number(row.tax),
    refundCents: Number(row.refunds),
  }));
}

const queries: Record<ReportBy, (days: ZonedDays) => SQL> = {
  product: (days) => sql`
    select sums.*, products.name, unit_size, net_grams, net_millilitres
    from (${sumsOf('product', days)}) as sums left join products on products.id::text = key`,
  category: (days) => sql`
    select sums.*, coalesce(title, categories.name) as name
    from (${sumsOf('category', days)}) as sums left join categories on categories.id::text = key`,
  state: (days) => sql`select sums.*, null::text as name from (${sumsOf('state', days)}) as sums`,
  month: (days) => sql`
    select to_char(month, 'YYYY-MM') as key, null as name, coalesce(units, 0) as units, coalesce(goods, 0) as goods,
      coalesce(discounts, 0) as discounts, coalesce(delivery, 0) as delivery, coalesce(tax, 0) as tax,
      coalesce(refunds, 0) as refunds
    from generate_series(date_trunc('month', ${days.from}::timestamp), ${days.to}::timestamp, interval '1 month') as month
    left join (
      select date_trunc('month', day::timestamp) as month, ${sums(sql`orders`)} from ${moneyOf(days)}
      where part = 'state' group by 1
    ) as sums using (month)`,
};

/** Keys with figures. The units are units sold by product and category, orders by state. */
function sumsOf(part: 'product' | 'category' | 'state', days: ZonedDays): SQL {
  const units = part === 'state' ? sql`orders` : sql`daily.units`;
  return sql`
    select key, ${sums(units)} from ${moneyOf(days)} as daily where part = ${part} group by key
    having (sum(${units}), sum(delivery_cents + tax_cents), sum(returned_cents + returned_delivery_cents + returned_tax_cents))
      <> (0, 0, 0)`;
}

const sums = (
  units: SQL,
): SQL => sql`sum(${units}) as units, sum(goods_cents) as goods, sum(discount_cents) as discounts,
  sum(delivery_cents) as delivery, sum(tax_cents) as tax,
  sum(returned_cents) + sum(returned_delivery_cents) + sum(returned_tax_cents) as refunds`;
