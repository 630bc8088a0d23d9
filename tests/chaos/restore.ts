/**
 * The restore chaos run: a shop with many orders is backed up while people buy, and restored into an empty folder, with the
 * commands that an operator types; then the books of the restored shop are compared.
 * Rule: docs/rules/failures.md, Crashes and storage
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { startEmbeddedPostgres } from '../../src/server/db/embedded/embeddedPostgres';
import { findBreaches } from '../support/books';
import { writeOrders } from './manyOrders';
import { readPlaced, type Market } from './market';
import { createRandom } from './random';

export type RestoreTotals = {
  orders: number;
  /** Orders placed during the backup. */
  placedMeanwhile: number;
  backupMs: number;
  /** Milliseconds from the command to the compared books of the restored shop. */
  restoreMs: number;
  checkMs: number;
  said: string[];
  wrong: string[];
};

const parallelBuyers = 6;

export async function runRestore(
  market: Market,
  { orders, seed }: { orders: number; seed: number },
): Promise<RestoreTotals> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-restore-'));
  try {
    await writeOrders(market.pool, orders, new Date());
    const folder = path.join(home, 'backup');
    const selling = startSelling(market, seed);
    const before = await countOrders(market.pool);
    const { connectionString: url } = market.shop.database();
    const backup = await run('backup', folder, market.shop.dataDir, url);
    const placedMeanwhile = await selling.stop();
    const dataDir = path.join(home, 'data');
    const restored = await run('restore', folder, dataDir);
    const began = Date.now();
    const { count, wrong } = await check(dataDir);
    const checkMs = Date.now() - began;
    if (count < before) wrong.push(`orders ${before} before the backup, ${count} after restoring`);
    return {
      orders: count,
      placedMeanwhile,
      backupMs: backup.tookMs,
      restoreMs: restored.tookMs,
      checkMs,
      said: [backup.said, restored.said],
      wrong,
    };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** @param url the URL of the shop's database, unless the shop starts its own */
async function run(command: 'backup' | 'restore', folder: string, dataDir: string, url = '') {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_DIRECT_URL: '' };
  const began = Date.now();
  const { stdout } = await promisify(execFile)(process.execPath, [`src/tools/${command}.mjs`, folder], { env });
  return { tookMs: Date.now() - began, said: stdout.trim().split('\n').at(-1) ?? '' };
}

function startSelling(market: Market, seed: number) {
  const random = createRandom(seed);
  const state = { isEnding: false, placed: 0 };
  const sell = async () => {
    while (!state.isEnding) {
      const [buyer] = await market.newBuyers([[{ productId: random.oneOf(market.products).id, quantity: 1 }]]);
      if (buyer) readPlaced(await market.placeOrder(buyer));
      state.placed++;
    }
  };
  const selling = Promise.all(Array.from({ length: parallelBuyers }, sell));
  return {
    async stop() {
      state.isEnding = true;
      await selling;
      return state.placed;
    },
  };
}

async function check(dataDir: string): Promise<{ count: number; wrong: string[] }> {
  const { connection, stop } = await startEmbeddedPostgres(path.join(dataDir, 'postgres'));
  const pool = new Pool(connection);
  pool.on('error', () => undefined); // the database may end before its connections
  try {
    const breaches = await findBreaches({ pool, ledger: undefined });
    const wrong = breaches.map(({ rule, found }) => `not true: ${rule}: ${JSON.stringify(found.slice(0, 3))}`);
    return { count: await countOrders(pool), wrong };
  } finally {
    await pool.end();
    await stop();
  }
}

async function countOrders(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from orders');
  return rows[0]?.count ?? 0;
}
