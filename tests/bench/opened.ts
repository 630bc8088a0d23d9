/** The built shop for a bench: two processes of it over one new database. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { end, findOwnDatabase, startNode } from '../chaos/processes';
import { startProvider } from '../chaos/provider';
import { createShop, type Shop } from '../chaos/shop';
import { fillShelves } from './buyers';
import { writes, type Parts, type Server } from './comparisons';

const closers: (() => Promise<unknown>)[] = [];

/** @param measure gets the shop, which ends after it */
export async function withBench(measure: (parts: Parts & { shop: Shop }) => Promise<void>): Promise<void> {
  try {
    await measure(await open());
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** One database with two shops: one with the test provider, one with a provider that responds immediately. */
async function open(): Promise<Parts & { shop: Shop }> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-bench-'));
  closers.push(() => rm(home, { recursive: true, force: true }));
  const secret = randomUUID() + randomUUID();
  const settings = { SESSION_SECRET: secret, LOG_LEVEL: 'info' };
  const shop = await createShop(home, undefined, { output: 'ignore' });
  closers.push(() => shop.close());
  const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
  closers.push(provider.close);
  await shop.start(provider, settings);

  const instant = await createShop(path.join(home, 'instant'), undefined, { output: 'ignore' });
  closers.push(() => instant.close());
  const instantProvider = await startServer(['tests/bench/instantProvider.mjs']);
  await instant.start({ ...provider, url: instantProvider.url }, { ...settings, ...databaseOf(shop.dataDir) });
  const pool = new Pool({ ...shop.database(), max: writes.poolSize });
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  const products = await fillShelves(pool);
  const databasePid = findOwnDatabase(shop.dataDir)?.pid;
  const pids = { shop: shop.process().process.pid, instant: instant.process().process.pid };
  const { url: instantUrl } = instant;
  return { shop, url: shop.url, instantUrl, pool, products, home, secret, startServer, pids, databasePid };
}

/** How another process uses the own database of the shop at `dataDir`: with the login that this one has made. */
export function databaseOf(dataDir: string): { DATABASE_URL: string; DATABASE_APP_URL: string } {
  const { host = '', port = 0 } = findOwnDatabase(dataDir)?.config ?? {};
  const urlOf = (login: string) => `postgres://${login}@${encodeURIComponent(host)}:${port}/shop`;
  const password = readFileSync(path.join(dataDir, 'postgres.password'), 'utf8');
  return { DATABASE_URL: urlOf('shop'), DATABASE_APP_URL: urlOf(`shop_app:${password}`) };
}

async function startServer(args: string[]): Promise<Server> {
  const server = startNode(args, {});
  closers.push(() => end(server, 'SIGKILL'));
  for (;;) {
    const port = /port (\d+)/.exec(server.said())?.[1];
    if (port) return { url: `http://127.0.0.1:${port}`, pid: server.process.pid };
    if (!server.isRunning()) throw new Error(`${args[0]} ended: ${server.said()}`);
    await pause(20);
  }
}
