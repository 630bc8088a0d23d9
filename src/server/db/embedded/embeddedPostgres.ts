/**
 * The embedded PostgreSQL, used when DATABASE_URL is not set: real binaries from npm, as durable as any PostgreSQL,
 * unreachable from the network, restarted when it dies, and stopped with the process that started it, however that ends.
 *
 * postgresUser.ts chooses its user, postgresCluster.ts creates the folder, postgresAccess.ts controls access,
 * postgresProcess.ts runs the server, and postgresLock.ts tells a folder in use from one with stale locks.
 */
import { StartError } from '../../core/startError';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { writeAccessRules } from './postgresAccess';
import { prepareCluster, readPassword } from './postgresCluster';
import { clearDeadLocks, findLiving, FolderInUse } from './postgresLock';
import { preparePlace, type PostgresProcess } from './postgresProcess';
import { isWindows, requireBinaries } from './postgresPrograms';
import { chooseSystemUser, withinReach } from './postgresUser';

export type EmbeddedPostgres = {
  /** The database `shop`, as its owner with all rights. */
  connection: { host: string; port: number; user: string; password?: string; database: string };
  /** A fast shutdown: running statements are rolled back and their clients get an error. */
  stop: () => Promise<void>;
};

const database = 'shop';
const settings = {
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  io_method: 'sync', // no worker processes on a laptop
  jit: 'off',
  lc_messages: 'C', // postgresProcess.ts reads them
  log_min_messages: 'log', // only the server's own messages; a failed statement's client gets its error
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};
// the database of a killed shop stops within milliseconds; if it is still ready after this time, its shop is alive
const waitForOrphanMs = 2_000;
// for a database that is shutting down, or whose last statement still runs after a kill
const waitForEndMs = 30_000;
const retryAfterMs = 1_000;

/**
 * @param at the cluster's folder; created when missing
 * @param report receives one sentence when the database dies, and the reason if it cannot be restarted
 * @param begun called, maybe several times, when a child process is working and this one only waits
 * @throws StartError when the platform has no binaries, another shop uses the folder, another major version created it, or
 *   PostgreSQL does not start
 */
export async function startEmbeddedPostgres(
  at: string,
  report: (sentence: string) => void = () => undefined,
  begun: () => void = () => undefined,
): Promise<EmbeddedPostgres> {
  const folder = path.resolve(at);
  const found = await requireBinaries();
  const user = await chooseSystemUser(folder);
  const binaries = await withinReach(found, user);
  await prepareCluster(folder, binaries, user, begun);
  await writeAccessRules(folder, user);
  const place = await preparePlace(folder, binaries, user);
  const launch = () => launchUnlocked(folder, place.locks, () => place.launch(settings, begun));

  let server = await launch();
  const ending = new AbortController();
  const keptRunning = keepRunning();
  const connection = { ...place.connection, user: 'shop', database };
  const stop = async () => {
    ending.abort();
    await server.stop();
    await keptRunning;
  };
  try {
    await requireDatabase(connection);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection, stop };

  async function keepRunning(): Promise<void> {
    for (;;) {
      await server.ended;
      if (ending.signal.aborted) return;
      report('The database stopped; restarting it');
      const again = await launchAgain(launch, report, ending.signal);
      if (!again) return;
      server = again;
      if (ending.signal.aborted) await server.stop();
    }
  }
}

/**
 * Finds the database of a running shop, for a separate program such as the backup.
 * @returns undefined when no shop is running on the folder
 */
export async function findEmbeddedPostgres(at: string): Promise<EmbeddedPostgres['connection'] | undefined> {
  const folder = path.resolve(at);
  for (const began = Date.now(); Date.now() - began < waitForEndMs; await pause(100)) {
    const living = await findLiving(folder);
    if (!living) return undefined;
    const { port, socketFolder, address, status } = living;
    if (status !== 'ready') continue; // it is starting or stopping
    const login = { user: 'shop', database, port };
    if (!isWindows) return { ...login, host: socketFolder };
    return { ...login, host: address, password: await readPassword(folder) };
  }
  throw new StartError(`The database in ${folder} didn't become ready in time`);
}

/** Retries for as long as the shop runs, since the cause may go away: a full disk, for example. */
async function launchAgain(
  launch: () => Promise<PostgresProcess>,
  report: (sentence: string) => void,
  ending: AbortSignal,
): Promise<PostgresProcess | undefined> {
  let reported = '';
  while (!ending.aborted) {
    try {
      return await launch();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== reported) report(why);
      reported = why;
      await pause(retryAfterMs);
    }
  }
  return undefined;
}

/** Never removes the lock of a running database: PostgreSQL shuts down when its lock is missing. */
async function launchUnlocked(
  folder: string,
  locks: string[],
  launch: () => Promise<PostgresProcess>,
): Promise<PostgresProcess> {
  for (const began = Date.now(); ; await pause(100)) {
    try {
      return await launch();
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const holder = await clearDeadLocks(folder, locks);
      if (Date.now() - began > (holder === 'ready' ? waitForOrphanMs : waitForEndMs))
        throw new StartError(`Another shop is already using ${folder}`, { cause: error });
    }
  }
}

/** A separate database, because `postgres` cannot be copied as a template while a client is connected to it. */
async function requireDatabase(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres', ssl: false });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (!rowCount) await client.query(`create database ${escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
