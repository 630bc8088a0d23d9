/** The built shop as a process, or several, that are killed and started again on the same data. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, type PoolConfig } from 'pg';
import { end, findOwnDatabase, isReady, type Child } from './processes';
import type { Provider } from './provider';
import { createShopProcesses } from './shopProcesses';

/**
 * `outage`: the database is killed and cannot come back for a while; `cut`: it ends the shop's connections; `stop`: the
 * shop is asked to end, by SIGTERM.
 */
export type KillKind = 'shop' | 'database' | 'both' | 'outage' | 'cut' | 'stop';
export type Shop = Awaited<ReturnType<typeof createShop>>;

export const owner = { email: 'owner@example.com', password: 'owner of the drill 1' };
const backWithinMs = 30_000;
const clearWithinMs = 6_000; // a connection is waited for 5 s

export type ShopOptions = {
  /** What becomes of the shop's log. */
  output?: 'pipe' | 'ignore';
  /** How long an outage of the database takes. */
  outageMs?: number;
  /** Several are behind one port, and share DATA_DIR and the PostgreSQL of `databaseUrl`. */
  processes?: number;
};

/** @param databaseUrl a PostgreSQL in which the shop gets a database of its own for the time of the drill */
export async function createShop(
  home: string,
  databaseUrl: string | undefined,
  { output = 'pipe', outageMs = 10_000, processes: count = 1 }: ShopOptions = {},
) {
  if (count > 1 && databaseUrl === undefined)
    throw new Error('several processes need a PostgreSQL that is none of theirs');
  const dataDir = path.join(home, 'data');
  const own = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl);
  const processes = await createShopProcesses(count, output);
  const { url, lastWords, requireRunning } = processes;
  const wrongs: string[] = [];
  let lastKill: Promise<unknown> = Promise.resolve();

  /** Each kind ends with a shop that is ready. @returns after how many milliseconds */
  const kills: Record<KillKind, () => Promise<number>> = {
    async shop() {
      await end(processes.next(), 'SIGKILL');
      return processes.restart();
    },
    async database() {
      requireRunning();
      const killed = killDatabase(dataDir);
      for (const began = Date.now(); ; await pause(20)) {
        const isNew = findOwnDatabase(dataDir)?.pid !== killed;
        requireRunning();
        if (isNew && (await isReady(url))) return Date.now() - began;
        if (Date.now() - began > backWithinMs) throw new Error(`the database did not come back: ${lastWords()}`);
      }
    },
    async both() {
      for (const each of requireRunning()) each.process.kill('SIGSTOP'); // or it would start the database again in between
      killDatabase(dataDir);
      await processes.kill();
      return processes.restart();
    },
    async outage() {
      requireRunning();
      const isOver = holdDatabaseDown(dataDir, outageMs);
      killDatabase(dataDir);
      await pause(outageMs / 2);
      await requireClearAnswer(url);
      await isOver;
      return processes.untilAllReady();
    },
    async cut() {
      requireRunning();
      await endConnections(own?.config ?? findOwnDatabase(dataDir)?.config ?? {});
      return processes.untilAllReady();
    },
    async stop() {
      const began = Date.now();
      const code = await end(processes.next(), 'SIGTERM');
      const tookMs = Date.now() - began;
      if (code !== 0) throw new Error(`asked to stop, the shop ended with ${code} after ${tookMs} ms: ${lastWords()}`);
      return processes.restart();
    },
  };

  /** What goes wrong on the way is told, and then the shop is started anyway. */
  const killNow = async (kind: KillKind): Promise<{ readyMs: number; wrong: string[] }> => {
    try {
      return { readyMs: await kills[kind](), wrong: [] };
    } catch (error) {
      const { message } = error as Error;
      wrongs.push(message);
      await processes.kill();
      return { readyMs: await processes.restart(), wrong: [message] };
    }
  };
  /** One after the other, whoever asks: of several processes all but one are always there. */
  const kill = (kind: KillKind) => {
    const killing = lastKill.then(() => killNow(kind));
    lastKill = killing.catch(() => undefined);
    return killing;
  };

  return {
    url,
    dataDir,
    /** Without the database of its own, only the shop itself can be killed. */
    kills: (own ? ['shop'] : ['shop', 'database', 'both', 'outage']) satisfies KillKind[] as KillKind[],
    kill,
    /** What went wrong at the kills so far. */
    wrongs: () => [...wrongs],
    /** The only one, or the first. */
    process: () => requireRunning()[0] as Child,
    /** All of it, with -9 and for good. */
    killForGood: () => processes.kill(),
    leaked: processes.leaked,
    database: (): PoolConfig => own?.config ?? findOwnDatabase(dataDir)?.config ?? {},
    /** @param settings besides those of a drill, or instead of them */
    async start(provider: Pick<Provider, 'url' | 'keys'>, settings: Record<string, string> = {}) {
      await processes.start({
        ...provider.keys,
        PAYMENTS: 'sandbox',
        SANDBOX_URL: provider.url,
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PUBLIC_URL: url,
        OWNER_EMAIL: owner.email,
        OWNER_PASSWORD: owner.password,
        DEMO_CATALOG: 'on',
        LOG_LEVEL: 'info',
        ...(own && { DATABASE_URL: own.url }),
        ...settings,
      });
    },
    async close() {
      const database = findOwnDatabase(dataDir);
      await lastKill;
      await processes.kill();
      await processes.close();
      await own?.drop();
      if (!database) return;
      for (const until = Date.now() + 5_000; isAlive(database.pid) && Date.now() < until;) await pause(50);
      await rm(database.socketFolder, { recursive: true, force: true });
    },
  };
}

function killDatabase(dataDir: string): number {
  const database = findOwnDatabase(dataDir);
  if (!database) throw new Error('there is no database to kill');
  process.kill(database.pid, 'SIGKILL');
  return database.pid;
}

/** Whoever has the lock of the database's folder keeps every other database out: the next in line for it are we. */
async function holdDatabaseDown(dataDir: string, forMs: number): Promise<void> {
  const lock = path.join(dataDir, 'postgres/shop.lock');
  await promisify(execFile)('flock', [lock, 'sleep', String(forMs / 1000)]);
}

/** While nothing can be written, a call is answered within the limits, and told when to come again. */
async function requireClearAnswer(url: string): Promise<void> {
  const began = Date.now();
  const body = JSON.stringify({ fullName: 'Ana', email: 'ana@example.com', phone: '', reason: 'A question' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/public/contact/create`, { method: 'POST', headers, body });
  const tookMs = Date.now() - began;
  if (answer.status !== 503 || !answer.headers.has('retry-after') || tookMs > clearWithinMs)
    throw new Error(`without its database the shop answered ${answer.status} after ${tookMs} ms`);
}

async function endConnections(config: PoolConfig): Promise<void> {
  const client = new Client(config);
  await client.connect();
  await client.query('set role none'); // the login's own rights, which the shop gave up
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A new database in that server. */
export async function createDatabase(server: string) {
  const name = `shop_drill_${randomUUID().replaceAll('-', '')}`;
  const onServer = async (statement: string) => {
    const client = new Client(server);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await onServer(`create database ${name}`);
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  return {
    url,
    config: { connectionString: url },
    async drop() {
      await onServer(`drop database if exists ${name} with (force)`);
      await onServer(`drop role if exists ${name}_app`); // made by the shop, for its connections
    },
  };
}
