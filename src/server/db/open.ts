/** Opens the shop's database: the PostgreSQL at DATABASE_URL, or the embedded one. Engine, driver and queries are the same. */
import { StartError } from '../core/startError';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Logger as WorkerLogger, runMigrations } from 'graphile-worker';
import type { Client, ClientConfig, PoolConfig } from 'pg';
import { chooseLogin } from './roles/chooseLogin';
import { connectWithinMs, isSameAddress, toDirect, type Login } from '../core/databaseUrl';
import { isDatabaseOutOfReach, isInTheWay, markLostConnection } from './core/errors';
import { FairPool } from './core/fairPool';
import { fillCards } from './fillCards';
import { asOwner } from './roles/appRole';
import { openClient } from './core/openClient';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embeddedPostgres';
import { requireAppPassword } from './embedded/postgresAccess';
import { createAppLogin } from './roles/appLogin';
import { endOnSocketTimeout } from './core/socketTimeout';

export type OpenDatabase = {
  /** The table owner's login, for migrations, backups and restores. Supports sessions. */
  owner: ClientConfig;
  /** Whether this process starts and stops the database. */
  ownDatabase: boolean;
  /** Connects as the app login, with fewer rights, for everything else. Call it once the schema is up to date. */
  enter: () => Promise<Entered>;
  /** Waits for running queries. */
  close: () => Promise<void>;
};

export type Entered = {
  pool: FairPool;
  /** Whether connections support named prepared statements: they reach the database directly, without a PgBouncer. */
  keepsStatements: boolean;
  /** For dedicated connections without a time limit: LISTEN, jobs. */
  direct: ClientConfig;
  /** Adds the login of `pool` to a replica's URL. */
  ofReplica: (url: string) => string;
  /** One sentence about excessive rights of queries and the remedy, if any. */
  warning: string | undefined;
};

export type DatabasePlace = {
  /** DATABASE_URL */
  url?: string | undefined;
  /** DATABASE_DIRECT_URL: bypasses a PgBouncer at `url` */
  directUrl?: string | undefined;
  /** DATABASE_APP_URL: the address and login of `pool` */
  appUrl?: string | undefined;
  /** SESSION_SECRET: the app login's password is derived from it if the owner has no password */
  secret?: string | undefined;
  /** the embedded database's folder, used without `url` */
  folder: string;
  /** The embedded database, if it is already starting. */
  own?: Promise<EmbeddedPostgres> | undefined;
  /** receives one sentence when the embedded database dies or cannot be restarted */
  report?: (sentence: string) => void;
};

const oldestMajor = 15;
/**
 * Time limits of request connections: callers get an error within five seconds if the database does not respond. The
 * database's own limit is shorter, since its error says more. Long work uses `withLongTimeout` (core/transact.ts). Rule: docs/rules/running.md, Database
 */
export const requestLimits = {
  connectionTimeoutMillis: connectWithinMs,
  statement_timeout: 4_000,
  socketTimeoutMs: 4_250,
} satisfies Limits;
type Limits = PoolConfig & { socketTimeoutMs?: number };
const migrationLock = 727_001;

/** @throws StartError naming the variable at fault, or why the embedded database does not start */
export async function openDatabase({ url, folder, report, own, ...place }: DatabasePlace): Promise<OpenDatabase> {
  if (url !== undefined) return openElsewhere({ ...place, url });
  return openOwn(folder, await (own ?? startEmbeddedPostgres(folder, report)));
}

async function openOwn(folder: string, { connection, stop }: EmbeddedPostgres): Promise<OpenDatabase> {
  const owner = { ...connection, ssl: false };
  const pools: FairPool[] = [];
  const enter = async (): Promise<Entered> => {
    const password = await requireAppPassword(folder);
    const ways = (login: Login) => [{ ...owner, ...login }];
    const login = await createAppLogin({ owner, user: undefined, password, ways });
    if ('refused' in login)
      throw new StartError(`The database in ${folder} has no login for the shop: ${login.refused}`);
    const direct = { ...owner, ...login };
    const pool = openPool({ ...direct, ...requestLimits });
    pools.push(pool);
    return { pool, keepsStatements: true, direct, ofReplica: (address) => address, warning: undefined };
  };
  const endPools = () => Promise.all(pools.map((pool) => pool.end()));
  return { owner, ownDatabase: true, enter, close: () => endPools().then(stop, stop) };
}

type Elsewhere = Omit<DatabasePlace, 'folder' | 'report' | 'own'> & { url: string };

async function openElsewhere(place: Elsewhere): Promise<OpenDatabase> {
  const ownerUrl = place.directUrl ?? place.url;
  const owner = toDirect(ownerUrl);
  await requireRecent(owner, place.directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  const pools: FairPool[] = [];
  const enter = async (): Promise<Entered> => {
    const variable = place.appUrl ? 'DATABASE_APP_URL' : 'DATABASE_URL';
    const { url, directUrl, ofReplica, warning } = await chooseLogin(place, owner).catch((error: unknown) => {
      throw isDatabaseOutOfReach(error) ? outOfReach(variable, error) : error;
    });
    // PgBouncer rejects connections that name a setting, so behind one only the login's own limit applies, if it has one:
    // alter role … set statement_timeout = '4s'
    const { statement_timeout: ofStatements, ...limits } = requestLimits;
    const keepsStatements = isSameAddress(url, directUrl);
    const named = keepsStatements ? { statement_timeout: ofStatements } : {};
    const pool = openPool({ connectionString: url, keepAlive: true, ...limits, ...named });
    pools.push(pool);
    return { pool, keepsStatements, direct: toDirect(directUrl), ofReplica, warning };
  };
  const close = async () => void (await Promise.all(pools.map((pool) => pool.end())));
  return { owner, ownDatabase: false, enter, close };
}

/**
 * A migration that waits longer than this for a table lock gives way to the queries queued behind it and tries again.
 * Shorter than PostgreSQL's deadlock check (1 s), during which all of them would wait.
 */
const lockTableWithin = '400ms';
const tryAgainAfterMs = 100;
const tryForMs = 120_000;

/**
 * Brings the schema up to date. Safe when several processes start at the same time: one migrates, the rest wait. Processes
 * of the previous version may be running: on a lock conflict with their transactions, the migration rolls back and retries.
 * Rows that take long are written after it, in short transactions.
 * @param folder of the migrations, with meta/_journal.json
 * @throws when a newer version has migrated the database
 */
export async function migrateDatabase(direct: ClientConfig, folder: string): Promise<void> {
  const client = await openClient(direct);
  try {
    await asOwner(client);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await refuseNewerDatabase(client, folder);
    await client.query(`select set_config('lock_timeout', $1, false)`, [lockTableWithin]);
    // all migrations run in one transaction, so a failed attempt leaves nothing behind
    await whenFree(() => migrate(drizzle(client), { migrationsFolder: folder }));
    await fillCards(client, whenFree);
  } finally {
    await client.end(); // also releases the lock
  }
}

async function whenFree<Done>(attempt: () => Promise<Done>): Promise<Done> {
  for (const until = performance.now() + tryForMs; ; await pause(tryAgainAfterMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isInTheWay(error) || performance.now() > until) throw error;
    }
  }
}

/**
 * When the database closes an idle connection, the pool emits 'error', which would crash the process without a listener.
 * @param config.socketTimeoutMs how long a query may wait without receiving a byte; undefined: no limit
 */
export function openPool({ socketTimeoutMs, ...config }: Limits): FairPool {
  // pipeline: statements sent together (core/pipelinedQueries.ts) do not wait for the previous result
  const pool = new FairPool({ max: 10, connectionTimeoutMillis: connectWithinMs, ...config, pipeline: true });
  pool.on('error', () => undefined); // the next query opens a new connection, or fails and is logged there
  pool.on('connect', (client) => {
    client.on('error', markLostConnection); // also while it is checked out
    if (socketTimeoutMs !== undefined) endOnSocketTimeout(client, socketTimeoutMs);
  });
  return pool;
}

async function requireRecent(direct: ClientConfig, variable: string): Promise<void> {
  let version: number;
  try {
    const client = await openClient(direct);
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`);
    await client.end();
    version = Math.trunc(Number(rows[0]?.version) / 10_000);
  } catch (error) {
    throw outOfReach(variable, error);
  }
  if (version < oldestMajor)
    throw new StartError(`${variable}: PostgreSQL ${oldestMajor} or later is required (found ${version})`);
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
    throw new StartError(
      'The database was created by a newer or unreleased version of the shop. Start that version, or restore a backup',
    );
}

function outOfReach(variable: string, error: unknown): Error {
  const { message, code } = error as { message?: string; code?: string };
  // for a host name with two addresses, Node's error has no message
  return new StartError(`${variable}: can't reach the database (${message || code || String(error)})`, {
    cause: error,
  });
}

/** Creates or migrates the job tables, as the login that owns them. */
export async function prepareJobs(direct: ClientConfig): Promise<void> {
  const pool = openPool({ ...direct, max: 1 });
  pool.on('connect', (client) => void asOwner(client).catch(() => undefined)); // a broken connection reports its own error
  try {
    await runMigrations({ pgPool: pool, logger: new WorkerLogger(() => () => undefined) });
  } finally {
    await pool.end();
  }
}
