/**
 * The figures of a period. Rule: docs/rules/back-office.md, Dashboard
 * Revenue is payments by payment time, less refunds by refund time; Sales is orders by payment time, refunded ones
 * included; Expenses is unit cost x quantity of what was paid, less that of restocked refunds. All in whole cents. Every
 * total is the sum of the series, so the two cannot disagree; the lists that the figures link to (orders/staffLists.ts) use
 * the same start and end.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { Bucket } from '../../shared/dashboard';
import type { Connection } from '../db/core/transact';
import { epochMs, startOfDay } from '../http/core/shopDays';
import { moneyOf } from '../reports/dailyMoney';

export type Span = { from: string; to: string; bucket: Bucket; timeZone: string };
type Begun = { moment: Date; label: string };
export type Point = Begun & Sums;
type Sums = { paidCents: number; refundedCents: number; costCents: number; sales: number };

/** @returns the period in buckets, without gaps */
export async function findSeries(connection: Connection, span: Span): Promise<Point[]> {
  const buckets = await findBuckets(connection, span);
  const sums = await (span.bucket === 'hour' ? sumUpHours : sumUpDays)(connection, buckets, span);
  return buckets.map((each, place) => ({ ...each, ...(sums.get(place + 1) ?? zeroSums) }));
}

const zeroSums: Sums = { paidCents: 0, refundedCents: 0, costCents: 0, sales: 0 };

/** The start of each bucket. A week or month that began before the first day is cut off there. */
async function findBuckets(connection: Connection, { from, to, bucket, timeZone }: Span) {
  const [start, end] = [startOfDay(sql`${from}::date`, timeZone), startOfDay(sql`(${to}::date + 1)`, timeZone)];
  const buckets =
    bucket === 'hour'
      ? sql`select moment, to_char(moment at time zone ${timeZone}, 'YYYY-MM-DD"T"HH24:MI') as label
            from generate_series(${start}, ${end} - interval '1 microsecond', interval '1 hour') as hours (moment)`
      : sql`select ${startOfDay(sql`day`, timeZone)} as moment, to_char(day, 'YYYY-MM-DD') as label
            from generate_series(date_trunc(${bucket}, ${from}::timestamp), ${to}::timestamp, ${`1 ${bucket}`}::interval) as begun,
              lateral (select greatest(begun::date, ${from}::date) as day) as days`;
  const { rows } = await connection.execute<{ ms: string; label: string }>(
    sql`select ${epochMs(sql`moment`)} as ms, label from (${buckets}) as pieces order by moment`,
  );
  return rows.map(({ ms, label }) => ({ moment: new Date(Number(ms)), label }));
}

async function findEnd(connection: Connection, { to, timeZone }: Span): Promise<Date> {
  const { rows } = await connection.execute<{ ms: string }>(
    sql`select ${epochMs(startOfDay(sql`(${to}::date + 1)`, timeZone))} as ms`,
  );
  return new Date(Number(rows[0]?.ms));
}

type Row = { place: number; paid: string; refunded: string; cost: string; sales: string };

/** The longer buckets are whole days, so the daily money has their sums. @returns sums as `sumUpHours` */
async function sumUpDays(connection: Connection, buckets: readonly Begun[], span: Span): Promise<Map<number, Sums>> {
  const starts = sql`${sql.param(buckets.map(({ label }) => label))}::date[]`;
  const { rows } = await connection.execute<Row>(sql`
    select width_bucket(day, ${starts}) as place, sum(orders) as sales,
      sum(goods_cents) - sum(discount_cents) + sum(delivery_cents) + sum(tax_cents) as paid,
      sum(returned_cents) + sum(returned_delivery_cents) + sum(returned_tax_cents) as refunded,
      sum(cost_cents) - sum(restocked_cost_cents) as cost
    from ${moneyOf(span)} where part = 'state' group by place`);
  return toSums(rows);
}

/** @returns sums by the position of their bucket, from 1 */
async function sumUpHours(connection: Connection, buckets: readonly Begun[], span: Span): Promise<Map<number, Sums>> {
  const starts = buckets.map(({ moment }) => moment.toISOString());
  const [start, end] = [starts[0], await findEnd(connection, span)];
  const isIn = (moment: SQL) => sql`${moment} >= ${start} and ${moment} < ${end.toISOString()}`;
  const { rows } = await connection.execute<Row>(sql`
    select place, sum(paid) as paid, sum(refunded) as refunded, sum(cost) as cost, sum(sales) as sales from (
      select width_bucket(moment, ${sql.param(starts)}::timestamptz[]) as place, paid, refunded, cost, sales from (
        select paid_at as moment, total_cents::bigint as paid, 0 as refunded, 0::bigint as cost, 1 as sales
          from orders where ${isIn(sql`paid_at`)}
        union all
        select done_at, 0, amount_cents, 0, 0
          from refunds where state = 'done' and stray_payment_id is null and ${isIn(sql`done_at`)}
        union all
        select paid_at, 0, 0, unit_cost_cents::bigint * quantity, 0
          from orders join order_items on order_id = orders.id
          where unit_cost_cents is not null and ${isIn(sql`paid_at`)}
        union all
        select done_at, 0, 0, unit_cost_cents::bigint * -refund_lines.quantity, 0
          from refunds join refund_lines on refund_id = refunds.id join order_items on order_items.id = order_item_id
          where unit_cost_cents is not null and refund_lines.restock and ${isIn(sql`done_at`)}
        union all
        select done_at, 0, 0, unit_cost_cents::bigint * -quantity, 0
          from refunds join order_items using (order_id)
          where unit_cost_cents is not null and restock and ${isIn(sql`done_at`)}
      ) as moves
    ) as placed group by place`);
  return toSums(rows);
}

const toSums = (rows: readonly Row[]): Map<number, Sums> =>
  new Map(
    rows.map(({ place, paid, refunded, cost, sales }) => [
      place,
      { paidCents: Number(paid), refundedCents: Number(refunded), costCents: Number(cost), sales: Number(sales) },
    ]),
  );

/** Whether any product or sold line has a cost; without one there are no expenses to show. */
export async function hasCosts(connection: Connection): Promise<boolean> {
  const { rows } = await connection.execute<{ known: boolean }>(sql`
    select exists (select from products where unit_cost_cents is not null)
      or exists (select from order_items where unit_cost_cents is not null) as known`);
  return rows[0]?.known ?? false;
}
