/** The shop's database: the PostgreSQL at DATABASE_URL, or one of the shop's own; the same engine, driver and queries. */
import { StartError } from '../core/startError';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Logger as WorkerLogger, runMigrations } from 'graphile-worker';
import type { Client, ClientConfig, PoolConfig } from 'pg';
import { chooseLogin } from './roles/chooseLogin';
import { connectWithinMs, isSameAddress, toDirect, type Login } from '../core/databaseAddress';
import { isDatabaseOutOfReach, isInTheWay, markLostConnection } from './core/errors';
import { FairPool } from './core/fairPool';
import { asOwner } from './roles/appRole';
import { openClient } from './core/openClient';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embeddedPostgres';
import { requireAppPassword } from './embedded/postgresAccess';
import { createAppLogin } from './roles/appLogin';
import { endOnSocketTimeout } from './core/socketTimeout';

export type OpenDatabase = {
  /** As the owner of the tables: for migrations, backups and restoring. It may hold a session. */
  owner: ClientConfig;
  /** Started and ended by this process. */
  ownDatabase: boolean;
  /** Comes in for everything else, as a login of fewer rights. Call it once the schema is up to date. */
  enter: () => Promise<Entered>;
  /** Waits for the queries that run. */
  close: () => Promise<void>;
};

export type Entered = {
  pool: FairPool;
  /** Whether its connections go to the database itself, which keeps statements for each: no PgBouncer is in between. */
  keepsStatements: boolean;
  /** For what needs a connection of its own with no time limit: LISTEN, jobs. */
  direct: ClientConfig;
  /** The address of a replica, with the login that `pool` has. */
  ofReplica: (url: string) => string;
  /** What a query could do that it should not, and what helps, in one sentence. */
  warning: string | undefined;
};

export type DatabasePlace = {
  /** DATABASE_URL */
  url?: string | undefined;
  /** DATABASE_DIRECT_URL: past a PgBouncer that `url` leads to */
  directUrl?: string | undefined;
  /** DATABASE_APP_URL: where `pool` comes in, and as whom */
  appUrl?: string | undefined;
  /** SESSION_SECRET: what the second login's password is made of where the owner has none */
  secret?: string | undefined;
  /** of the shop's own database, used without `url` */
  folder: string;
  /** The shop's own database, where its start was begun before. */
  own?: Promise<EmbeddedPostgres> | undefined;
  /** told in one sentence when the shop's own database died or does not come back */
  report?: (sentence: string) => void;
};

const oldestMajor = 15;
/**
 * Time limits of the connections for requests: a caller gets its refusal within five seconds when the database does not
 * answer. The database's own limit is shorter, since its error says more. Long work asks for more time, with
 * `unhurried` of transact.ts. Rule: docs/rules/running.md, Database
 */
export const requestLimits = {
  connectionTimeoutMillis: connectWithinMs,
  statement_timeout: 4_000,
  socketTimeoutMs: 4_250,
} satisfies Limits;
type Limits = PoolConfig & { socketTimeoutMs?: number };
const migrationLock = 727_001;

/** @throws a sentence for the person who started the shop: which variable, or why the own database does not start */
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
    // A PgBouncer refuses a connection that names a setting, so behind one the login's own limit counts, if it has one:
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
 * A migration that waits for a table longer than this lets those go on who queue up behind it, and tries again: sooner
 * than the database would look for transactions that wait for each other, which takes a second of everybody's time.
 */
const lockTableWithin = '400ms';
const tryAgainAfterMs = 100;
const tryForMs = 120_000;

/**
 * Brings the schema up to date; safe with several processes starting at once: one migrates, the rest wait. Processes of
 * the version before may use the database meanwhile: where their transactions and the migration wait for each other, the
 * migration gives way and begins again.
 * @param folder of the migrations, with meta/_journal.json
 * @throws when a newer shop has been at the database
 */
export async function migrateDatabase(direct: ClientConfig, folder: string): Promise<void> {
  const client = await openClient(direct);
  try {
    await asOwner(client);
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await refuseNewerDatabase(client, folder);
    await client.query(`select set_config('lock_timeout', $1, false)`, [lockTableWithin]);
    await migrateWhenFree(client, folder);
  } finally {
    await client.end(); // and with the connection the lock
  }
}

/** All of it is one transaction, so that a try which gave way left nothing. */
async function migrateWhenFree(client: Client, folder: string): Promise<void> {
  for (const until = performance.now() + tryForMs; ; await pause(tryAgainAfterMs)) {
    try {
      return await migrate(drizzle(client), { migrationsFolder: folder });
    } catch (error) {
      if (!isInTheWay(error) || performance.now() > until) throw error;
    }
  }
}

/**
 * An idle connection that the database ends is an 'error' of the pool: without a listener it would end the process.
 * @param config.silentAfterMs how long a query may wait without a byte; undefined: without a limit
 */
export function openPool({ socketTimeoutMs, ...config }: Limits): FairPool {
  // what goes out together (sendTogether.ts) does not wait for the answer before
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
    throw new StartError(`${variable}: PostgreSQL ${oldestMajor} or later is needed, this is ${version}`);
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
      'The database was made by a newer or unreleased version of the shop: start that version, or restore a backup',
    );
}

function outOfReach(variable: string, error: unknown): Error {
  const { message, code } = error as { message?: string; code?: string };
  // Node reports a name with two addresses as an error without words of its own
  return new StartError(`${variable}: the database cannot be reached (${message || code || String(error)})`, {
    cause: error,
  });
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
