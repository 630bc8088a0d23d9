/**
 * The primary of a pair of databases is killed under buying load, again and again: its replica takes over by itself, and
 * buying goes on. Everything confirmed is there, since a commit is confirmed by the replica first. Meanwhile
 * visitors read the catalog from the replica, and when everybody pauses it is what the primary says.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { newSeen, untilAnswered, type Seen } from './caller';
import { openGround } from './externalPrograms';
import { startLoad } from './load';
import { startPair, type Pair } from './patroni';
import { openPeople, type People } from './people';
import { startProvider } from './provider';
import { createRandom, type Random } from './random';
import { compareBooks } from './compareBooks';
import { createShop } from './shop';

export type FailoverTotals = {
  kills: number;
  acknowledged: number;
  orders: number;
  paid: number;
  /** Milliseconds from each kill to the first order that was confirmed after the pause. */
  backMs: number[];
  /** Transactions that the shop read from the replica while nothing was broken, in so many `visits` of visitors. */
  readFromReplica: number;
  visits: number;
  seen: Seen;
  wrong: string[];
};
type Options = { kills: number; seed: number; report: (line: string) => void };
type Product = { id: string; name: string; quantity: number };

const visitors = 4;
const calmMs = 10_000;
const steadyMs = 5_000;
const givesUpAfterMs = 80_000;
/** The goal. */
const backWithinMs = 30_000;
/** Redelivery, sweeper and mails may need this long. Rule: docs/rules/orders-and-payment.md, The sweeper */
const settledWithinMs = 300_000;

export async function runFailovers({ kills, seed, report }: Options): Promise<FailoverTotals> {
  const ground = await openGround(['postgres', 'initdb', 'etcd', 'patroni', 'haproxy']);
  const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-'));
  const closers: (() => unknown)[] = [() => rm(home, { recursive: true, force: true, maxRetries: 20 })];
  closers.push(() => ground.close());
  try {
    const pair = await startPair(ground);
    closers.push(pair.close);
    const shop = await createShop(home, pair.primaryUrl);
    closers.push(() => shop.close());
    const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
    closers.push(provider.close);
    const databaseUrl = shop.database().connectionString ?? '';
    const database = new URL(databaseUrl).pathname.slice(1);
    await shop.start(provider, { DATABASE_REPLICA_URL: pair.replicaUrl(databaseUrl), LOG_LEVEL: 'warn' });
    const pool = new Pool({ ...shop.database(), max: 2 });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());

    const seen = newSeen();
    const random = createRandom(seed);
    const people = await openPeople({ shop, provider, seen, random });
    const products = await listProducts(pool);
    const visits = { count: 0 };
    const crowd = Array.from({ length: visitors }, () => createVisitor(shop.url, products, seen, random, visits));
    const load = startLoad([...people.buyers, ...people.staff, ...crowd], random);
    const totals: FailoverTotals = {
      kills: 0,
      acknowledged: 0,
      orders: 0,
      paid: 0,
      backMs: [],
      readFromReplica: 0,
      visits: 0,
      seen,
      wrong: [],
    };
    const check = async () => {
      const found = await compareBooks({
        pool,
        ledger: await provider.ledger(),
        people,
        mailFolder: path.join(shop.dataDir, 'mails'),
      });
      totals.orders = found.orders;
      totals.paid = found.paid;
      const wrong = [
        ...found.lost.map((each) => `lost: ${each}`),
        ...found.double.map((each) => `double: ${each}`),
        ...found.breaches,
        ...(await compareShown(shop.url, pool, seen)),
      ];
      totals.wrong = [...new Set([...totals.wrong, ...wrong])];
      return found;
    };

    while (totals.kills < kills) {
      const [visitsBefore, readBefore] = [visits.count, await countReads(pair, database)];
      load.resume();
      await pause(calmMs);
      totals.visits += visits.count - visitsBefore;
      totals.readFromReplica += (await countReads(pair, database)) - readBefore;
      const killedAt = Date.now();
      const killed = await pair.killPrimary();
      const back = await untilOrdering(people, killedAt);
      totals.kills++;
      totals.backMs.push(back);
      if (back > backWithinMs) totals.wrong.push(`buying went on only after ${back} ms`);
      await load.pause();
      const found = await check();
      totals.acknowledged = [...people.buyers, ...people.staff].reduce((sum, each) => sum + each.acknowledged, 0);
      report(
        `kill ${totals.kills}: ordering again after ${back} ms; ${totals.acknowledged} confirmed, ${found.orders} orders, ` +
          `${found.paid} paid, lost ${found.lost.length}, double ${found.double.length}, wrong ${totals.wrong.length}`,
      );
      await pair.bringBack(killed);
    }
    for (const until = Date.now() + settledWithinMs; ; await pause(500)) {
      const { unsettled } = await check();
      if (unsettled.length === 0) break;
      if (Date.now() < until) continue;
      totals.wrong.push(`not settled in the end: ${unsettled.join(', ')}`);
      break;
    }
    totals.wrong.push(...shop.leaked());
    if (totals.seen.lostSessions > 0) totals.wrong.push(`lost sessions ${totals.seen.lostSessions}`);
    if (totals.readFromReplica === 0) totals.wrong.push('the replica was asked nothing');
    return totals;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** @returns milliseconds from `since` to the end of the longest time without a confirmed order */
async function untilOrdering({ buyers }: Pick<People, 'buyers'>, since: number): Promise<number> {
  const count = () => buyers.reduce((sum, { ordered }) => sum + ordered.size, 0);
  let [confirmed, last, longest, back] = [count(), since, 0, 0];
  for (;;) {
    await pause(10);
    const now = Date.now();
    if (count() > confirmed) {
      if (now - last > longest) [longest, back] = [now - last, now - since];
      [confirmed, last] = [count(), now];
    }
    if (longest > 1_000 && now - since > back + steadyMs) return back;
    if (now - since > givesUpAfterMs) return longest > 1_000 ? back : now - since;
  }
}

/** Searches for products, and reads one or a list, as visitors do. */
function createVisitor(
  url: string,
  products: readonly Product[],
  seen: Seen,
  random: Random,
  visits: { count: number },
) {
  return {
    async act() {
      const { id, name } = random.oneOf(products);
      const asked = random.oneOf([
        `/public/search?q=${encodeURIComponent(name)}`,
        `/public/products/${id}`,
        `/public/products?page=${random.below(5)}&size=${5 + random.below(20)}`,
      ]);
      const { status } = await untilAnswered(url, { method: 'GET', path: asked }, seen);
      if (status !== 200) throw new Error(`a visitor was answered ${status}`);
      visits.count++;
    },
  };
}

const listProducts = async (pool: Pool): Promise<Product[]> =>
  (await pool.query<Product>('select id, name, quantity from products where archived_at is null order by id')).rows;

/** Expects each product, also in a search, to be as in the primary, while nobody changes anything. */
async function compareShown(url: string, pool: Pool, seen: Seen): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id, name, quantity } of await listProducts(pool)) {
    const one = await untilAnswered(url, { method: 'GET', path: `/public/products/${id}` }, seen);
    const path = `/public/search?q=${encodeURIComponent(name)}`;
    const found = await untilAnswered(url, { method: 'GET', path }, seen);
    const { content } = found.data['products'] as unknown as { content: Product[] };
    const shown = [one.data['product'] as unknown as Product, content.find((each) => each.id === id)];
    if (shown.some((each) => each?.quantity !== quantity))
      wrong.push(`${name} is shown as ${shown.map((each) => each?.quantity).join(' and ')}, and there are ${quantity}`);
  }
  return wrong;
}

async function countReads(pair: Pair, database: string): Promise<number> {
  const client = new Client(await pair.findReplica(database));
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.count);
}
