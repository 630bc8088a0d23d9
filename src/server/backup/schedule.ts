/** Which backups are kept. Rule: docs/rules/running.md, Backups by the shop */
import { dayAt } from '../../shared/shopDays';

const dayMs = 86_400_000;

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
