/**
 * Converts days in the shop's time zone to instants. A day is every instant with its date there: 23 or 25 hours when the
 * clocks change. If midnight happens twice, the day starts at the first one.
 */
import { sql, type SQL } from 'drizzle-orm';
import { dashboardMessages } from '../../../shared/dashboard';
import type { Connection } from '../../db/core/transact';
import { invalid } from './problems';

/** Days as 2026-03-01, both inclusive and optional. */
export type Days = { from?: string | undefined; to?: string | undefined };
/** A half-open interval: `start` is included, `end` is not. */
export type Period = { start?: Date; end?: Date };

/** @throws Problem 400 invalid_request when the days are in the wrong order */
export async function findPeriod(connection: Connection, { from, to }: Days, timeZone: string): Promise<Period> {
  refuseWrongOrder({ from, to });
  if (!from && !to) return {};
  const { rows } = await connection.execute<{ start: string | null; end: string | null }>(sql`
    select ${from ? epochMs(startOfDay(sql`${from}::date`, timeZone)) : sql`null`} as start,
           ${to ? epochMs(startOfDay(sql`(${to}::date + 1)`, timeZone)) : sql`null`} as end`);
  const { start, end } = rows[0] ?? {};
  return { ...(start && { start: new Date(Number(start)) }), ...(end && { end: new Date(Number(end)) }) };
}

/** The current day in a time zone, as 2026-03-02. */
export async function findToday(connection: Connection, now: Date, timeZone: string): Promise<string> {
  const { rows } = await connection.execute<{ today: string }>(
    sql`select to_char(${now.toISOString()}::timestamptz at time zone ${timeZone}, 'YYYY-MM-DD') as today`,
  );
  return rows[0]?.today ?? now.toISOString().slice(0, 10);
}

/** @throws Problem 400 invalid_request */
export function refuseWrongOrder({ from, to }: Days): void {
  if (from && to && from > to)
    throw invalid(dashboardMessages.wrongOrder, [{ field: 'from', message: dashboardMessages.wrongOrder }]);
}

/** PostgreSQL picks the later of two midnights, so this also checks up to two hours before it for the same date. */
export const startOfDay = (day: SQL, timeZone: string): SQL => sql`(
  select coalesce(min(moment) filter (where (moment at time zone ${timeZone})::date = ${day}), max(moment))
  from (select (${day})::timestamp at time zone ${timeZone} - make_interval(mins => before) as moment
        from unnest(array[0, 30, 60, 120]) as before) as moments)`;

/** @returns a function that formats an instant in the time zone with its offset: 2026-11-28T15:43:54-05:00 */
export function timeIn(timeZone: string): (moment: Date) => string {
  const numeric = '2-digit' as const;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return (moment) => {
    const parts = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
    const offset = of('timeZoneName').slice('GMT'.length) || '+00:00';
    return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}${offset}`;
  };
}

export const epochMs = (moment: SQL): SQL => sql`(extract(epoch from ${moment}) * 1000)::bigint`;
