/**
 * The money of each day, which reports sum up: daily_money has it by product, category, state and discount code. Triggers
 * note the days of payments and refunds in money_touched, and daily_money_of computes those from the orders themselves
 * (0029_daily_money.sql). So figures are never out of date, whether this job runs or not: it only makes reports fast.
 * Rule: docs/rules/selling.md, How reports are summed up
 */
import { sql, type SQL } from 'drizzle-orm';
import { type Db, transact, type Tx, withLongTimeout } from '../db/core/transact';
import { dailyMoneyZone } from '../db/schema/tables';

/** Days in the shop's time zone, both included. */
export type ZonedDays = { from: string; to: string; timeZone: string };

/** As a table: rows of daily_money. */
export const moneyOf = ({ from, to, timeZone }: ZonedDays): SQL =>
  sql`daily_money_of(${from}::date, ${to}::date, ${timeZone})`;

/** Few enough for one transaction after an upgrade or a change of the time zone. */
const daysAtOnce = 31;

/** A job: sums up the days that changed since they were summed up last, and all days for another time zone. */
export async function keepDailyMoney(db: Db, timeZone: string): Promise<void> {
  await startZone(db, timeZone);
  while (await sumUpDays(db, timeZone));
}

/** If the days are another time zone's, forgets them and marks every day with payments or refunds. */
async function startZone(db: Db, timeZone: string): Promise<void> {
  const { rows } = await db.execute(sql`select from daily_money_zone where time_zone = ${timeZone}`);
  if (rows.length > 0) return;
  await transact(db, async (tx) => {
    await tx
      .insert(dailyMoneyZone)
      .values({ timeZone })
      .onConflictDoUpdate({ target: dailyMoneyZone.only, set: { timeZone } });
    await tx.execute(sql`delete from daily_money`);
    await tx.execute(sql`delete from money_touched`);
    await tx.execute(sql`
      insert into money_touched select start_of_day(day, ${timeZone}) from (
        select (paid_at at time zone ${timeZone})::date as day from orders where paid_at is not null
        union select (done_at at time zone ${timeZone})::date from refunds where done_at is not null) as days`);
  });
}

/**
 * In one snapshot: a payment that commits meanwhile leaves its mark for the next time.
 * @returns whether days may be left
 */
async function sumUpDays(db: Db, timeZone: string): Promise<boolean> {
  return withLongTimeout(db, (tx) => sumUpSome(tx, timeZone), { isolationLevel: 'repeatable read' });
}

async function sumUpSome(tx: Tx, timeZone: string): Promise<boolean> {
  // no row: another process is at it, or has just changed the time zone
  const zone = await tx.execute(sql`select from daily_money_zone where time_zone = ${timeZone} for update skip locked`);
  if (zone.rows.length === 0) return false;
  const { rows } = await tx.execute<{ day: string }>(sql`
    select distinct to_char((at at time zone ${timeZone})::date, 'YYYY-MM-DD') as day from money_touched
    order by day limit ${daysAtOnce}`);
  const days = sql`${sql.param(rows.map(({ day }) => day))}::date[]`;
  if (rows.length === 0) return false;
  await tx.execute(sql`delete from daily_money where day = any(${days})`);
  await tx.execute(sql`insert into daily_money select * from daily_money_anew(${days}, ${timeZone})`);
  await tx.execute(sql`delete from money_touched where (at at time zone ${timeZone})::date = any(${days})`);
  return rows.length === daysAtOnce;
}
