/** The built shop as a process that is killed and started again on the same data. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type PoolConfig } from 'pg';
import { end, findFreePort, findOwnDatabase, isReady, startNode, untilReady, type Child } from './processes';
import type { Provider } from './provider';

export type KillKind = 'shop' | 'database' | 'both' | 'stop';
export type Shop = Awaited<ReturnType<typeof createShop>>;

export const owner = { email: 'owner@example.com', password: 'owner of the drill 1' };
const backWithinMs = 30_000;

/**
 * @param databaseUrl a PostgreSQL in which the shop gets a database of its own for the time of the drill
 * @param output what becomes of the shop's log
 */
export async function createShop(home: string, databaseUrl: string | undefined, output: 'pipe' | 'ignore' = 'pipe') {
  const dataDir = path.join(home, 'data');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const own = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl);
  let shop: Child | undefined;
  let env: Record<string, string> = {};

  const launch = () => {
    shop = startNode(['dist/server/main.js'], env, output);
    return shop;
  };
  const restart = () => untilReady(launch(), url);
  const running = () => {
    if (!shop?.isRunning()) throw new Error(`the shop ended by itself: ${lastWords()}`);
    return shop;
  };
  const lastWords = () => shop?.said().split('\n').slice(-12).join('\n').slice(-1_500) ?? '';

  /** Each kind ends with a shop that is ready. @returns after how many milliseconds */
  const kills: Record<KillKind, () => Promise<number>> = {
    async shop() {
      await end(running(), 'SIGKILL');
      return restart();
    },
    async database() {
      running();
      const killed = killDatabase(dataDir);
      for (const began = Date.now(); ; await pause(20)) {
        const isNew = findOwnDatabase(dataDir)?.pid !== killed;
        running();
        if (isNew && (await isReady(url))) return Date.now() - began;
        if (Date.now() - began > backWithinMs) throw new Error(`the database did not come back: ${lastWords()}`);
      }
    },
    async both() {
      running().process.kill('SIGSTOP'); // or it would start the database again in between
      killDatabase(dataDir);
      await end(running(), 'SIGKILL');
      return restart();
    },
    async stop() {
      const began = Date.now();
      const code = await end(running(), 'SIGTERM');
      const tookMs = Date.now() - began;
      if (code !== 0) throw new Error(`asked to stop, the shop ended with ${code} after ${tookMs} ms: ${lastWords()}`);
      return restart();
    },
  };

  /** What goes wrong on the way is told, and then the shop is started anyway. */
  const kill = async (kind: KillKind): Promise<{ readyMs: number; wrong: string[] }> => {
    try {
      return { readyMs: await kills[kind](), wrong: [] };
    } catch (error) {
      if (shop) await end(shop, 'SIGKILL');
      return { readyMs: await restart(), wrong: [(error as Error).message] };
    }
  };

  return {
    url,
    dataDir,
    /** Without the database of its own, only the shop itself can be killed. */
    kills: (own ? ['shop', 'shop', 'stop'] : ['shop', 'database', 'both', 'stop']) satisfies KillKind[] as KillKind[],
    kill,
    process: running,
    database: (): PoolConfig => own?.config ?? findOwnDatabase(dataDir)?.config ?? {},
    /** @param settings besides those of a drill, or instead of them */
    async start(provider: Pick<Provider, 'url' | 'keys'>, settings: Record<string, string> = {}) {
      env = {
        ...provider.keys,
        PAYMENTS: 'sandbox',
        SANDBOX_URL: provider.url,
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: url,
        OWNER_EMAIL: owner.email,
        OWNER_PASSWORD: owner.password,
        DEMO_CATALOG: 'on',
        LOG_LEVEL: 'error',
        ...(own && { DATABASE_URL: own.url }),
        ...settings,
      };
      await restart();
    },
    async close() {
      const database = findOwnDatabase(dataDir);
      if (shop) await end(shop, 'SIGKILL');
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function createDatabase(server: string) {
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
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}
