/** The tables and sequences to back up: the shop's own. The schema itself comes from the migrations. */
import { escapeIdentifier, type ClientBase } from 'pg';

export type Table = { name: string; columns: string[] };

/** Excludes tables that belong to an extension. */
const isOurs = `relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`;

/** Without generated columns. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relkind = 'r' and ${isOurs} and attnum > 0 and not attisdropped and attgenerated = ''
     group by relname order by relname`,
  );
  return rows;
}

export async function readSequences(client: ClientBase): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `select relname as name, pg_sequence_last_value(oid::regclass)::text as value
     from pg_class where relkind = 'S' and ${isOurs} order by relname`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** From the migrations' own table; empty before the first start. */
export async function readMigrations(client: ClientBase): Promise<number[]> {
  if (!(await hasTable(client, 'drizzle.__drizzle_migrations'))) return [];
  const { rows } = await client.query<{ madeAt: string }>(
    'select created_at as "madeAt" from drizzle.__drizzle_migrations order by created_at',
  );
  return rows.map(({ madeAt }) => Number(madeAt));
}

export async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

export const inPublic = (name: string) => `public.${escapeIdentifier(name)}`;

export const copyText = ({ name, columns }: Table) =>
  `copy ${inPublic(name)} (${columns.map((column) => escapeIdentifier(column)).join(', ')})`;
