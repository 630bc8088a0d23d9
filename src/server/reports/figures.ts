/**
 * Revenue in a period, by product, category, month or state. It counts what the dashboard's Revenue counts
 * (dashboard/figures.ts): payments by payment time, less refunds by refund time. Each order's parts add up to its total and
 * each refund's to its amount, so all reports have the same sum. All in whole cents. By product and category they come
 * from money_by_line, which triggers maintain (0000_baseline.sql), by month and state from the daily money.
 * Rule: docs/rules/selling.md, Reports
 */
import { sql, type SQL } from 'drizzle-orm';
import type { ReportBy } from '../../shared/reports';
import type { Connection } from '../db/core/transact';
import type { Period } from '../http/core/shopDays';
import { moneyOf } from './dailyMoney';
import { type StoredSize, toSize, type Unnamed } from './names';

export type Span = { from: string; to: string; timeZone: string; period: Required<Period> };

export type FigureRow = Unnamed & {
  units: number;
  goodsCents: number;
  discountCents: number;
  deliveryCents: number;
  taxCents: number;
  refundCents: number;
};

/** @returns the rows in no particular order; by month, also months without payments and refunds */
export async function findRows(connection: Connection, by: ReportBy, span: Span): Promise<FigureRow[]> {
  type Row = Record<'units' | 'goods' | 'discounts' | 'delivery' | 'tax' | 'refunds', string> & {
    key: string;
    name: string | null;
  } & StoredSize;
  const { rows } = await connection.execute<Row>(queries[by](span));
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

const queries: Record<ReportBy, (span: Span) => SQL> = {
  product: ({ period }) => sql`
    with lines as materialized (
      select product_id, ${sumsOfLines} from money_by_line where ${isIn(sql`at`, period)} group by product_id)
    select product_id::text as key, products.name, ${ofLines}, unit_size, net_grams, net_millilitres from lines left join products on products.id = product_id
    where ${isAny} ${withoutLines(period)}`,
  category: ({ period }) => sql`
    with lines as materialized (
      select category_id, ${sumsOfLines} from money_by_line where ${isIn(sql`at`, period)} group by category_id)
    select category_id::text as key, coalesce(title, categories.name) as name, ${ofLines}, null, null, null
    from lines left join categories on categories.id = category_id where ${isAny} ${withoutLines(period)}`,
  state: (span) => sql`
    select key, null as name, ${sumsOfDays} from ${moneyOf(span)} where part = 'state' group by key
    having (sum(orders), sum(returned_cents + returned_delivery_cents + returned_tax_cents)) <> (0, 0)`,
  month: (span) => sql`
    select to_char(month, 'YYYY-MM') as key, null as name, coalesce(units, 0) as units, coalesce(goods, 0) as goods,
      coalesce(discounts, 0) as discounts, coalesce(delivery, 0) as delivery, coalesce(tax, 0) as tax,
      coalesce(refunds, 0) as refunds
    from generate_series(date_trunc('month', ${span.from}::timestamp), ${span.to}::timestamp, interval '1 month') as month
    left join (
      select date_trunc('month', day::timestamp) as month, ${sumsOfDays} from ${moneyOf(span)} where part = 'state' group by 1
    ) as sums using (month)`,
};

/** Lines with their shares of discount and tax, and what was refunded of them. The units are units sold. */
const sumsOfLines = sql`sum(units) as units, sum(goods_cents) as goods, sum(discount_cents) as discounts, sum(tax_cents) as tax,
  sum(refund_cents) as refunds`;
/** The units are orders. */
const sumsOfDays = sql`sum(orders) as units, sum(goods_cents) as goods, sum(discount_cents) as discounts,
  sum(delivery_cents) as delivery, sum(tax_cents) as tax,
  sum(returned_cents) + sum(returned_delivery_cents) + sum(returned_tax_cents) as refunds`;
const ofLines = sql`units, goods, discounts, 0 as delivery, tax, refunds`;
const isAny = sql`(units, goods, discounts, tax, refunds) <> (0, 0, 0, 0, 0)`;

const isIn = (moment: SQL, { start, end }: Required<Period>): SQL =>
  sql`${moment} >= ${start.toISOString()} and ${moment} < ${end.toISOString()}`;

/** A refunded second payment is not part of an order's own money. */
const isCounted = (period: Required<Period>): SQL =>
  sql`refunds.state = 'done' and stray_payment_id is null and ${isIn(sql`done_at`, period)}`;

/**
 * The delivery row: delivery with its tax, and what refunds by lines gave back besides their lines. The `none` row: refunds
 * of other amounts.
 */
const withoutLines = (period: Required<Period>): SQL => sql`
  union all
  select key, null, 0, 0, 0, beside.delivery, beside.tax, beside.refunds, null, null, null
  from (
    select coalesce(sum(delivery_cents), 0) as delivery, coalesce(sum(delivery_tax_cents), 0) as tax
    from orders where ${isIn(sql`paid_at`, period)}
  ) as paid, (
    select coalesce(sum(amount_cents) filter (where is_by_lines), 0) as by_lines,
      coalesce(sum(amount_cents) filter (where not is_by_lines), 0) as others
    from refunds where ${isCounted(period)}
  ) as given, lateral (values
    ('delivery', delivery, tax, by_lines - (select coalesce(sum(refunds), 0) from lines)),
    ('none', 0, 0, others)
  ) as beside (key, delivery, tax, refunds)
  where (beside.delivery, beside.tax, beside.refunds) <> (0, 0, 0)`;
