/**
 * Loads a backup's rows into a freshly migrated schema, in one transaction. Triggers are disabled, since the rows
 * already contain their results. Foreign keys and indexes are dropped and recreated: that is faster than checking row
 * by row, and the order of tables does not matter. The login only needs to own the tables.
 */
import { StartError } from '../core/startError';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { escapeIdentifier, type ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addJobs, type Job } from './jobs';
import type { Manifest, TablePart } from './manifest';
import { startEpoch } from './startEpoch';
import { copyText, hasTable, inPublic, listTables } from './tables';

/** @throws when the schema differs from the backup's, or a row does not fit; nothing is changed then */
export async function loadRows(client: ClientBase, folder: string, manifest: Manifest): Promise<void> {
  await client.query('begin');
  await client.query(`set local maintenance_work_mem = '256MB'`);
  await requireSameTables(client, manifest);
  const restoreStatements = await dropGuards(client);
  await client.query(`truncate ${manifest.tables.map(({ name }) => inPublic(name)).join(', ')}`);
  for (const table of manifest.tables) await loadTable(client, folder, table);
  for (const table of manifest.tables) await requireCount(client, table);
  await startEpoch(client); // while triggers are off, and indexes not yet back
  for (const statement of restoreStatements) await client.query(statement);
  for (const [name, value] of Object.entries(manifest.sequences))
    if (value !== null) await client.query('select setval($1::regclass, $2)', [inPublic(name), value]);
  await skipOrderNumbers(client);
  await endSessions(client);
  await forgetBackups(client);
  const jobs = JSON.parse(await readFile(path.join(folder, manifest.jobs.file), 'utf8')) as Job[];
  await addJobs(client, [...jobs, fetchEventsSince(manifest.madeAt)]);
  await client.query('commit');
  await client.query('analyze');
}

async function loadTable(client: ClientBase, folder: string, table: TablePart): Promise<void> {
  const file = createReadStream(path.join(folder, table.file));
  await pipeline(file, createGunzip(), client.query(copyFrom(`${copyText(table)} from stdin`)));
}

async function requireSameTables(client: ClientBase, { tables }: Manifest): Promise<void> {
  const name = ({ name, columns }: { name: string; columns: string[] }) => `${name}(${columns.toSorted().join()})`;
  const here = (await listTables(client)).map(name).toSorted();
  const there = tables.map(name).toSorted();
  if (here.join() !== there.join())
    throw new StartError("The backup's tables don't match its migrations, so it can't be restored");
}

async function requireCount(client: ClientBase, { name, rows: expected }: TablePart): Promise<void> {
  const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${inPublic(name)}`);
  if (Number(rows[0]?.rows) !== expected)
    throw new StartError(`${name} has ${rows[0]?.rows} rows after the restore; expected ${expected}`);
}

const numbersSkipped = 1000;

/** The numbers given out since the backup stay those orders': customers and the payment provider know them. */
async function skipOrderNumbers(client: ClientBase): Promise<void> {
  await client.query(
    `select setval('public.order_numbers', last_value + $1) from public.order_numbers where is_called`,
    [numbersSkipped],
  );
}

/** Signs everyone out: the backup's sessions include some that ended since, and copies of its tokens may exist. */
async function endSessions(client: ClientBase): Promise<void> {
  await client.query(
    `update session_families set ended_at = clock_timestamp(), end_reason = 'restored' where ended_at is null`,
  );
}

/** Empties the list, which is of another folder: the restored shop finds the backups in its own. */
async function forgetBackups(client: ClientBase): Promise<void> {
  if (!(await hasTable(client, 'public.backups'))) return; // made before the shop had a list
  await client.query('delete from backups');
  await client.query('update backup_schedule set since = clock_timestamp()');
}

/** The job that fetches, at the first start, the payment events since the backup. */
const fetchEventsSince = (madeAt: string): Job => ({
  task: 'fetchEvents',
  payload: { since: madeAt },
  runAt: madeAt,
  maxAttempts: 25, // about three days with the queue's backoff
  key: 'fetchEvents',
  priority: 0,
});

type Guard = { table: string; name: string; definition: string };

/** @returns the statements that restore everything, in this order */
async function dropGuards(client: ClientBase): Promise<string[]> {
  const { rows: keys } = await client.query<Guard>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  const { rows: indexes } = await client.query<Guard>(
    `select indrelid::regclass::text as table, relname as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indexrelid
     where relnamespace = 'public'::regnamespace
       and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))`,
  );
  const { rows: triggers } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and tgenabled = 'O' and relnamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`);
  for (const { name } of indexes) await client.query(`drop index ${inPublic(name)}`);
  for (const { table, name } of triggers)
    await client.query(`alter table ${table} disable trigger ${escapeIdentifier(name)}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(
      ({ table, name, definition }) => `alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`,
    ),
    ...triggers.map(({ table, name }) => `alter table ${table} enable trigger ${escapeIdentifier(name)}`),
  ];
}
