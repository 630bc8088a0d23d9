/** Rows as SQL of a hot path writes them: by the columns that they have, so that a new column needs no new SQL. */
import { getTableColumns } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

type Rows = { columns: string; values: unknown[]; types: string[] };

/**
 * The rows of a table, each with the same fields: a list of the values of each column.
 * @returns the columns by their names in the database, and their types and values in the same order
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
