/** The shop's database: the PostgreSQL at DATABASE_URL, or one of the shop's own; the same engine, driver and queries. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Logger as WorkerLogger, runMigrations } from 'graphile-worker';
import { Client, Pool, type ClientConfig, type PoolConfig } from 'pg';
import { asOwner } from './lesserRole';
import { startOwnPostgres } from './ownPostgres';
import { endWhenSilent } from './silence';

export type OpenDatabase = {
  pool: Pool;
  /** For what needs a connection of its own with no time limit: LISTEN, jobs, migrations. */
  direct: ClientConfig;
  /** Started and ended by this process. */
  ownDatabase: boolean;
  /** Waits for the queries that run. */
  close: () => Promise<void>;
};

export type DatabasePlace = {
  /** DATABASE_URL */
  url?: string | undefined;
  /** DATABASE_DIRECT_URL: past a PgBouncer that `url` leads to */
  directUrl?: string | undefined;
  /** of the shop's own database, used without `url` */
  folder: string;
  /** told in one sentence when the shop's own database died or does not come back */
  report?: (sentence: string) => void;
};

const oldestMajor = 15;
const connectWithinMs = 4_000;
/**
 * Time limits of the connections for requests: a caller gets its refusal within five seconds when the database does not
 * answer. The database's own limit is shorter, since its error says more. Long work asks for more time, with
 * `unhurried` of transact.ts. Rule: docs/rules/running.md, Database
 */
export const requestLimits = {
  connectionTimeoutMillis: connectWithinMs,
  statement_timeout: 4_000,
  silentAfterMs: 4_250,
} satisfies Limits;
type Limits = PoolConfig & { silentAfterMs?: number };
const migrationLock = 727_001;

/** @throws a sentence for the person who started the shop: which variable, or why the own database does not start */
export async function openDatabase({ url, directUrl, folder, report }: DatabasePlace): Promise<OpenDatabase> {
  if (!url) {
    const { connection, stop } = await startOwnPostgres(folder, report);
    const direct = { ...connection, ssl: false };
    const pool = openPool({ ...direct, ...requestLimits });
    return { pool, direct, ownDatabase: true, close: () => pool.end().then(stop, stop) };
  }
  const direct = { connectionString: directUrl ?? url, connectionTimeoutMillis: connectWithinMs, keepAlive: true };
  await requireRecent(direct, directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  // A PgBouncer refuses a connection that names a setting, so behind one the login's own limit counts, if it has one:
  // alter role … set statement_timeout = '4s'
  const { statement_timeout: ofStatements, ...limits } = requestLimits;
  const named = directUrl && directUrl !== url ? {} : { statement_timeout: ofStatements };
  const pool = openPool({ connectionString: url, keepAlive: true, ...limits, ...named });
  return { pool, direct, ownDatabase: false, close: () => pool.end() };
}

/**
 * Brings the schema up to date; safe with several processes starting at once: one migrates, the rest wait.
 * @param folder of the migrations, with meta/_journal.json
 * @throws when a newer shop has been at the database
 */
export async function migrateDatabase(direct: ClientConfig, folder: string): Promise<void> {
  const client = new Client(direct);
  client.on('error', () => undefined); // the running query reports the error
  await client.connect();
  try {
    await asOwner(client);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await refuseNewerDatabase(client, folder);
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await client.end(); // and with the connection the lock
  }
}

/**
 * An idle connection that the database ends is an 'error' of the pool: without a listener it would end the process.
 * @param config.silentAfterMs how long a query may wait without a byte; undefined: without a limit
 */
export function openPool({ silentAfterMs, ...config }: Limits): Pool {
  const pool = new Pool({ max: 10, connectionTimeoutMillis: connectWithinMs, ...config });
  pool.on('error', () => undefined); // the next query opens a new connection, or fails and is logged there
  pool.on('connect', (client) => {
    client.on('error', () => undefined); // also while it is checked out
    if (silentAfterMs !== undefined) endWhenSilent(client, silentAfterMs);
  });
  return pool;
}

async function requireRecent(direct: ClientConfig, variable: string): Promise<void> {
  let version: number;
  try {
    const client = new Client(direct);
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`);
    await client.end();
    version = Math.trunc(Number(rows[0]?.version) / 10_000);
  } catch (error) {
    throw new Error(`${variable}: the database cannot be reached (${describe(error)})`, { cause: error });
  }
  if (version < oldestMajor)
    throw new Error(`${variable}: PostgreSQL ${oldestMajor} or later is needed, this is ${version}`);
}

async function refuseNewerDatabase(client: Client, folder: string): Promise<void> {
  const { rows } = await client.query<{ journal: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations') as journal`,
  );
  if (!rows[0]?.journal) return;
  const recorded = await client.query<{ created_at: string }>('select created_at from drizzle.__drizzle_migrations');
  const journal = JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[];
  };
  const known = new Set(journal.entries.map(({ when }) => when));
  if (recorded.rows.some(({ created_at: when }) => !known.has(Number(when))))
    throw new Error('The database was made by a newer version of the shop: start that version, or restore a backup');
}

/** Node reports a name with two addresses as an error without words of its own. */
function describe(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}

/** Makes the worker's own tables, or brings them up to date, as the login that owns them. */
export async function prepareJobs(direct: ClientConfig): Promise<void> {
  const pool = openPool({ ...direct, max: 1 });
  pool.on('connect', (client) => void asOwner(client).catch(() => undefined)); // a connection that broke says so itself
  try {
    await runMigrations({ pgPool: pool, logger: new WorkerLogger(() => () => undefined) });
  } finally {
    await pool.end();
  }
}
