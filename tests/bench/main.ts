/**
 * `npm run bench`: what the shop costs over the least that could do the same, on the built server with its own
 * PostgreSQL. Each pair is measured in turns and the middle run counts, so that only the ratios depend on the shop.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { end, findOwnDatabase, startNode } from '../drill/processes';
import { startProvider } from '../drill/provider';
import { createShop } from '../drill/shop';
import { fillShelves } from './buyers';
import { measureAll, reads, turns, writes, type Parts, type Rows } from './comparisons';
import type { Run } from './measure';

const closers: (() => Promise<unknown>)[] = [];
try {
  console.log(present(await measureAll(await open())));
} finally {
  for (const close of closers.toReversed()) await close();
}

/** One database, and two shops on it: one with the test payment provider, one with a provider that takes no time. */
async function open(): Promise<Parts> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-bench-'));
  closers.push(() => rm(home, { recursive: true, force: true }));
  const secret = randomUUID() + randomUUID();
  const settings = { SESSION_SECRET: secret, LOG_LEVEL: 'info' };
  const shop = await createShop(home, undefined, 'ignore');
  closers.push(() => shop.close());
  const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
  closers.push(provider.close);
  await shop.start(provider, settings);

  const { host = '', port = 0 } = findOwnDatabase(shop.dataDir)?.config ?? {};
  const databaseUrl = `postgres://shop@${encodeURIComponent(host)}:${port}/shop`;
  const instant = await createShop(path.join(home, 'instant'), undefined, 'ignore');
  closers.push(() => instant.close());
  const instantProvider = await startServer(['tests/bench/instantProvider.mjs']);
  await instant.start({ ...provider, url: instantProvider }, { ...settings, DATABASE_URL: databaseUrl });
  const pool = new Pool({ ...shop.database(), max: writes.poolSize });
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  return { url: shop.url, instantUrl: instant.url, pool, products: await fillShelves(pool), home, secret, startServer };
}

async function startServer(args: string[]): Promise<string> {
  const server = startNode(args, {});
  closers.push(() => end(server, 'SIGKILL'));
  for (;;) {
    const port = /port (\d+)/.exec(server.said())?.[1];
    if (port) return `http://127.0.0.1:${port}`;
    if (!server.isRunning()) throw new Error(`${args[0]} ended: ${server.said()}`);
    await pause(20);
  }
}

function present(rows: Rows): string {
  const number = (value: number) => (value < 100 ? value.toFixed(1) : value.toFixed(0));
  const cells = ({ perSecond, p50Ms, p99Ms }: Run) => [perSecond, p50Ms, p99Ms].map(number);
  const line = (list: string[]) => `| ${list.join(' | ')} |`;
  const head = ['', 'bare/s', 'p50 ms', 'p99 ms', 'shop/s', 'p50 ms', 'p99 ms', 'rate', 'p99'];
  const ratios = ({ bare, shop }: Rows[number]) => [
    (shop.perSecond / bare.perSecond).toFixed(2),
    `${(shop.p99Ms / bare.p99Ms).toFixed(1)}x`,
  ];
  return [
    `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}; ` +
      `reads with ${reads.connections}, writes with ${writes.connections} at once; middle of ${turns} turns`,
    '',
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line([row.name, ...cells(row.bare), ...cells(row.shop), ...ratios(row)])),
  ].join('\n');
}
