/** When what happens once a day was last due. */
import { dayAt, startOfDay } from '../../shared/shopDays';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * @param hour of the day in `timeZone`; where clocks skip it, the next one that exists
 * @returns the last time, up to `now`, when it was due
 */
export function lastDue(now: Date, hour: number, timeZone: string): Date {
  const today = atHour(dayAt(now, timeZone), hour, timeZone);
  return today <= now ? today : atHour(dayAt(new Date(now.getTime() - dayMs), timeZone), hour, timeZone);
}

function atHour(day: string, hour: number, timeZone: string): Date {
  const start = startOfDay(day, timeZone).getTime();
  const hourAt = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  // clocks change by an hour at most days, so the right moment is within an hour of this one
  const moments = [hour - 1, hour, hour + 1].map((hours) => new Date(start + hours * hourMs));
  const exact = moments.find((moment) => dayAt(moment, timeZone) === day && Number(hourAt.format(moment)) === hour);
  return exact ?? new Date(start + hour * hourMs);
}
