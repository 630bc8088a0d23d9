/** When a backup is due, and which ones are kept. Rule: docs/rules/running.md, Backups by the shop */
import { dayAt, startOfDay } from '../../shared/shopDays';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * @param hour of the day in `timeZone`; where clocks skip it, the next one that exists
 * @returns the last time, up to `now`, when a nightly backup was due
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

type Kept = { id: string; startedAt: Date };

/**
 * The newest backup of each of the last `days` days that have one, and of each of the last `weeks` weeks. Days without a
 * backup don't count, so a shop whose backups fail keeps its old ones.
 * @param good newest first
 * @returns the ids to keep
 */
export function chooseKept(
  good: readonly Kept[],
  { days, weeks, timeZone }: { days: number; weeks: number; timeZone: string },
): ReadonlySet<string> {
  const dayOf = ({ startedAt }: Kept) => dayAt(startedAt, timeZone);
  const weekOf = (backup: Kept) => String(Math.floor((Date.parse(dayOf(backup)) / dayMs + 3) / 7)); // from Monday
  return new Set([...newestOfEach(good, dayOf, days), ...newestOfEach(good, weekOf, weeks)]);
}

function newestOfEach(good: readonly Kept[], periodOf: (backup: Kept) => string, most: number): string[] {
  const newest = new Map<string, string>();
  for (const backup of good) if (!newest.has(periodOf(backup))) newest.set(periodOf(backup), backup.id);
  return [...newest.values()].slice(0, most);
}
