/**
 * A PostgreSQL of the shop's own, used when no DATABASE_URL is given: real binaries from npm on one folder, as durable as
 * any other PostgreSQL, unreachable from the network, started again when it dies, and ended with the process that
 * started it, however that ends.
 *
 * postgresUser.ts says who it runs as, postgresCluster.ts makes the folder, postgresAccess.ts says whom it lets in,
 * postgresProcess.ts runs the server, postgresLock.ts tells a folder in use from one that a crash left locked.
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
import { lendUser, withinReach } from './postgresUser';

export type EmbeddedPostgres = {
  /** The database `shop`, as its owner, who may do anything there. */
  connection: { host: string; port: number; user: string; password?: string; database: string };
  /** Lets running statements end as the fast shutdown does: rolled back, told to their clients. */
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
  log_min_messages: 'log', // what the server itself has to say; a failed statement is told to who sent it
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
};
// the database of a killed shop stops within milliseconds; one that is ready after this time has a living shop
const waitForOrphanMs = 2_000;
// a database on its way down, or one whose last statement still runs after a kill
const waitForEndMs = 30_000;
const retryAfterMs = 1_000;

/**
 * @param at the cluster's folder; made when missing
 * @param report told in one sentence when the database died, and why it does not come back
 * @param begun called when another process works at it and there is nothing to do here but to wait; maybe several times
 * @throws when the platform has no binaries, another shop uses the folder, another major version made it, or PostgreSQL
 * does not start: a sentence for the person who started the shop
 */
export async function startEmbeddedPostgres(
  at: string,
  report: (sentence: string) => void = () => undefined,
  begun: () => void = () => undefined,
): Promise<EmbeddedPostgres> {
  const folder = path.resolve(at);
  const found = await requireBinaries();
  const user = await lendUser(folder);
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
      report('The database ended and is started again');
      const again = await launchAgain(launch, report, ending.signal);
      if (!again) return;
      server = again;
      if (ending.signal.aborted) await server.stop();
    }
  }
}

/**
 * The database that a running shop has on the folder, for a program beside it.
 * @returns undefined when no shop runs on it
 */
export async function findEmbeddedPostgres(at: string): Promise<EmbeddedPostgres['connection'] | undefined> {
  const folder = path.resolve(at);
  for (const began = Date.now(); Date.now() - began < waitForEndMs; await pause(100)) {
    const living = await findLiving(folder);
    if (!living) return undefined;
    const { port, socketFolder, address, status } = living;
    if (status !== 'ready') continue; // it starts or ends
    const login = { user: 'shop', database, port };
    if (!isWindows) return { ...login, host: socketFolder };
    return { ...login, host: address, password: await readPassword(folder) };
  }
  throw new StartError(`The database in ${folder} does not become ready`);
}

/** Tries for as long as the shop runs: a full disk, for one, may have room again. */
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

/** The lock of a living database is never touched: PostgreSQL shuts down when it misses its lock. */
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
        throw new StartError(`Another shop is using ${folder}`, { cause: error });
    }
  }
}

/** A database of the shop's own, because `postgres` cannot be copied as a template while somebody is connected to it. */
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
