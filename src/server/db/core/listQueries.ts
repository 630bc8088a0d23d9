/** Query helpers shared by lists. */
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Connection } from './transact';
import { keptCounts, type KeptList } from '../schema/tables';

/**
 * The number of rows in a list, from counters that triggers maintain (0000_baseline.sql).
 * @param options.part only the rows of a category, status or role
 * @param options.value only the rows with this value
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

/** Counters are stored as deltas. */
export const sumOfRows = sql<number>`coalesce(sum(${keptCounts.rows}), 0)`.mapWith(Number);

/** @returns a pattern for `like` and `ilike` that matches this literal text anywhere */
export const containsText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** All columns use the same direction, so that one index can be read forwards or backwards. */
export const inOrder = (columns: readonly (PgColumn | SQL)[], direction: 'asc' | 'desc'): SQL[] =>
  columns.map((column) => (direction === 'asc' ? asc(column) : desc(column)));

/** The SQL condition for each query parameter. */
export type Conditions<Query> = {
  readonly [Name in keyof Query]-?: (value: NonNullable<Query[Name]>) => SQL | undefined;
};

/** @returns the conditions of all parameters that were sent, combined */
export function allOf<Query extends object>(conditions: Conditions<Query>, query: Query): SQL | undefined {
  const names = Object.keys(conditions) as (keyof Query)[];
  return and(
    ...names.map((name) => {
      const value = query[name];
      return value === undefined || value === null ? undefined : conditions[name](value);
    }),
  );
}

/** @returns whether any of these parameters was sent and may filter rows */
export const isNarrowed = (query: object): boolean =>
  Object.values(query).some(
    (value: unknown) => value !== undefined && (typeof value !== 'string' || value.trim() !== ''),
  );
