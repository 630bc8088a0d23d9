/** The built shop as one or several processes that are killed and started again on the same data. */
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
 * `outage`: the database is killed and cannot start for a while; `cut`: the database closes the shop's connections;
 * `stop`: the shop gets SIGTERM.
 */
export type KillKind = 'shop' | 'database' | 'both' | 'outage' | 'cut' | 'stop';
export type Shop = Awaited<ReturnType<typeof createShop>>;

export const owner = { email: 'owner@example.com', password: 'owner of the chaos run 1' };
const backWithinMs = 30_000;
const clearWithinMs = 6_000; // the shop waits 5 s for a connection

export type ShopOptions = {
  /** 'ignore' drops the shop's log. */
  output?: 'pipe' | 'ignore';
  /** How long an outage of the database takes. */
  outageMs?: number;
  /** Replaces the built shop. */
  program?: string;
  /** Several processes are behind one port, and share DATA_DIR and the PostgreSQL at `databaseUrl`. */
  processes?: number;
};

/** @param databaseUrl a PostgreSQL in which the shop gets a database of its own during the chaos run */
export async function createShop(
  home: string,
  databaseUrl: string | undefined,
  { output = 'pipe', outageMs = 10_000, program, processes: count = 1 }: ShopOptions = {},
) {
  if (count > 1 && databaseUrl === undefined)
    throw new Error('several processes need a PostgreSQL that is none of theirs');
  const dataDir = path.join(home, 'data');
  const own = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl);
  const processes = await createShopProcesses(count, output, program);
  const { url, lastWords, requireRunning } = processes;
  const wrongs: string[] = [];
  let lastKill: Promise<unknown> = Promise.resolve();

  /** Each kind ends with a shop that is ready again. @returns after how many milliseconds */
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
      for (const each of requireRunning()) each.process.kill('SIGSTOP'); // or it would restart the database in between
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

  /** Notes an error of the kill, and then starts the shop anyway. */
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
  /** Does one kill after the other, so that of several processes only one is missing at a time. */
  const kill = (kind: KillKind) => {
    const killing = lastKill.then(() => killNow(kind));
    lastKill = killing.catch(() => undefined);
    return killing;
  };

  return {
    url,
    dataDir,
    /** With a database of another server, only the shop itself can be killed. */
    kills: (own ? ['shop'] : ['shop', 'database', 'both', 'outage']) satisfies KillKind[] as KillKind[],
    kill,
    /** Errors of the kills so far. */
    wrongs: () => [...wrongs],
    /** The only process, or the first one. */
    process: () => requireRunning()[0] as Child,
    /** Kills all processes for good. */
    killForGood: () => processes.kill(),
    leaked: processes.leaked,
    database: (): PoolConfig => own?.config ?? findOwnDatabase(dataDir)?.config ?? {},
    /** @param settings environment besides a chaos run's own, which it overrides */
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
        DEMO_SIZES: 'off',
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

/** Holds the lock of the database's folder, so that no database can start there. */
async function holdDatabaseDown(dataDir: string, forMs: number): Promise<void> {
  const lock = path.join(dataDir, 'postgres/shop.lock');
  await promisify(execFile)('flock', [lock, 'sleep', String(forMs / 1000)]);
}

/** Without a database, a call must get 503 with Retry-After within the time limit. */
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
  await client.query('set role none'); // the rights of the login, which the shop does not use
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

/** Creates a database on that server. */
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
      await onServer(`drop role if exists ${name}_app`); // the role that the shop made for its connections
    },
  };
}
