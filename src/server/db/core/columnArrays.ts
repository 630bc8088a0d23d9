/** Rows as column arrays for hand-written SQL on hot paths, so that a new column needs no new SQL. */
import { getTableColumns } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

type Rows = { columns: string; values: unknown[]; types: string[] };

/**
 * Transposes rows with the same fields into one array of values per column.
 * @returns the database's column names, and their types and values in the same order
 */
export function byColumns(table: PgTable, rows: readonly Record<string, unknown>[]): Rows {
  const fields = Object.entries(getTableColumns(table)).filter(([name]) => rows.some((row) => row[name] !== undefined));
  return {
    columns: fields.map(([, column]) => column.name).join(', '),
    types: fields.map(([, column]) => column.getSQLType()),
    values: fields.map(([name, column]) =>
      rows.map(({ [name]: value = null }) => (value === null ? null : column.mapToDriverValue(value))),
    ),
  };
}
