/** What lists ask the database in the same way. */
import { and, eq, sql } from 'drizzle-orm';
import type { Connection } from './transact';
import { keptCounts, type KeptList } from './schema';

/**
 * How many rows a list has, without counting them: triggers keep the numbers (0000_baseline.sql).
 * @param of only the rows of a part (a category, status or role), or with a value; undefined counts all
 */
export async function readCount(
  connection: Connection,
  list: KeptList,
  { part, value }: { part?: string | undefined; value?: string | undefined } = {},
): Promise<number> {
  const [counted] = await connection
    .select({ rows: sumOfRows })
    .from(keptCounts)
    .where(
      and(
        eq(keptCounts.list, list),
        part === undefined ? undefined : eq(keptCounts.part, part),
        value === undefined ? undefined : eq(keptCounts.value, value),
      ),
    );
  return counted?.rows ?? 0;
}

/** A count is the sum of its changes. */
export const sumOfRows = sql<number>`coalesce(sum(${keptCounts.rows}), 0)`.mapWith(Number);

/** @returns a pattern for `like` and `ilike` that finds these very letters anywhere in a text */
export const containsText = (letters: string): string => `%${letters.replace(/[\\%_]/g, '\\$&')}%`;
