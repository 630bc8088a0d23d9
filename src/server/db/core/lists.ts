/** What lists ask the database in the same way. */
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Connection } from './transact';
import { keptCounts, type KeptList } from '../schema/tables';

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
export const containsText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** All columns of one order go the same way, so that an index is read forwards or backwards. */
export const inOrder = (columns: readonly (PgColumn | SQL)[], direction: 'asc' | 'desc'): SQL[] =>
  columns.map((column) => (direction === 'asc' ? asc(column) : desc(column)));

/** What each parameter asks of a row, once it is sent. */
export type Conditions<Query> = {
  readonly [Name in keyof Query]-?: (value: NonNullable<Query[Name]>) => SQL | undefined;
};

/** @returns what all parameters that were sent ask of a row */
export function allOf<Query extends object>(conditions: Conditions<Query>, query: Query): SQL | undefined {
  const names = Object.keys(conditions) as (keyof Query)[];
  return and(
    ...names.map((name) => {
      const value = query[name];
      return value === undefined || value === null ? undefined : conditions[name](value);
    }),
  );
}

/** @returns whether any of these parameters was sent, so that rows may be left out */
export const isNarrowed = (query: object): boolean =>
  Object.values(query).some(
    (value: unknown) => value !== undefined && (typeof value !== 'string' || value.trim() !== ''),
  );
