/**
 * The kill chaos run: a shop under mixed load is killed repeatedly (the shop, its database, or both; sometimes its database
 * stays away for a while, its connections are cut, or the shop gets SIGTERM) and restarted immediately. After every start the
 * chaos run looks for everything that was confirmed, and checks books, ledger and mails.
 * Rule: docs/rules/failures.md, Crashes and storage
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { newSeen, type Seen } from './caller';
import { startLoad } from './load';
import { openPeople, type People } from './people';
import { findOwnDatabase, findProcessesOn } from './processes';
import { startProvider } from './provider';
import { createRandom } from './random';
import { compareBooks, type Reckoning } from './compareBooks';
import { createShop, type KillKind, type Shop } from './shop';

export type KillOptions = {
  /** How many SIGKILLs; SIGTERMs and cut connections come on top. */
  kills: number;
  seed: number;
  /** The shop works on this database instead of its own, which is then not killed. */
  databaseUrl: string | undefined;
  /** The longest time under load before a kill. */
  maxLoadMs: number;
  /** How long the database stays away in an outage. */
  outageMs: number;
  /** Processes of the shop on `databaseUrl`; one of them is killed at a time. */
  processes?: number;
  /** The chaos run ends then, whatever the number of kills. */
  maxMinutes?: number;
  report: (line: string) => void;
};
export type KillTotals = {
  kills: Record<KillKind, number>;
  acknowledged: number;
  /** What staff did, as confirmed. */
  parcels: number;
  refunds: number;
  canceled: number;
  lost: string[];
  orders: number;
  paid: number;
  double: string[];
  oversold: number;
  breaches: string[];
  leftProcesses: number;
  /** Milliseconds from the kill (or the start of the process) to the first answer of /readyz. */
  readyMs: number[];
  seen: Seen;
};

/**
 * Redelivery and sweeper may need this long to settle a payment that nobody came back for.
 * Rule: docs/rules/orders-and-payment.md, The sweeper
 */
const settledWithinMs = 120_000;
/** A mail of a killed process is sent by another one after 3 minutes, when the next minute begins. */
const mailedWithinMs = 300_000;
/** The first rounds have each kind of kill; later one of these two comes once in so many kills. */
const milderKinds: KillKind[] = ['cut', 'stop'];
const milderEvery = 15;
/** The provider's ledger, which grows, is read once in so many rounds and at the end, the shop's books always. */
const rarelyEvery = 10;
const veryRarelyEvery = 50;

/** @throws Error when the shop does not start, or an answer cannot be right */
export async function runKills(options: KillOptions): Promise<KillTotals> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-'));
  const random = createRandom(options.seed);
  const closers: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true, maxRetries: 20 })];
  try {
    const shop = await createShop(home, options.databaseUrl, options);
    closers.push(() => shop.close());
    const provider = await startProvider(path.join(home, 'provider'), `${shop.url}/api/payments/webhook`);
    closers.push(provider.close);
    await shop.start(provider);
    const seen = newSeen();
    const people = await openPeople({ shop, provider, seen, random });
    const load = startLoad([...people.buyers, ...people.staff], random);
    const totals = newTotals(seen);
    const unsettledSince = new Map<string, number>();

    const check = async (isFull: boolean): Promise<Reckoning> => {
      const ledger = isFull ? await provider.ledger() : undefined;
      const pool = new Pool({ ...shop.database(), max: 1 });
      pool.on('connect', (client) => client.on('error', () => undefined)); // the next kill may end the connection
      pool.on('error', () => undefined);
      const mailFolder = path.join(shop.dataDir, 'mails');
      const found = await compareBooks({ pool, ledger, people, mailFolder }).finally(() => void pool.end());
      if (ledger) findOverdue(found.unsettled, unsettledSince, totals);
      note(totals, found);
      return found;
    };

    load.resume();
    const inTurn = [...shop.kills, ...milderKinds];
    const rarer = [...milderKinds, ...shop.kills.filter((kind) => kind === 'outage')];
    const often = shop.kills.filter((kind) => kind !== 'outage'); // an outage takes long
    const endsAt = Date.now() + (options.maxMinutes ?? Infinity) * 60_000;
    const goesOn = () => killed(totals) < options.kills && Date.now() < endsAt;
    for (let round = 1; goesOn() || round <= inTurn.length; round++) {
      await pause(100 + random.below(options.maxLoadMs));
      const any = round % milderEvery === 0 ? rarer : often;
      const kind = inTurn[round - 1] ?? random.oneOf(any);
      const { readyMs, wrong } = await shop.kill(kind);
      totals.readyMs.push(readyMs);
      totals.kills[kind]++;
      totals.breaches.push(...wrong);
      await load.pause();
      const isFull = round <= rarelyEvery || round % (round < 10 * rarelyEvery ? rarelyEvery : veryRarelyEvery) === 0;
      const found = await check(isFull);
      countConfirmed(totals, people);
      options.report(
        describeRound(`round ${round}: ${kind}`, totals, { ...found, breaches: [...wrong, ...found.breaches] }),
      );
      load.resume();
    }
    await load.pause();
    for (const until = Date.now() + mailedWithinMs; ; await pause(500)) {
      const { unsettled } = await check(true);
      if (unsettled.length === 0) break;
      if (Date.now() > until) {
        totals.breaches.push(`not settled in the end: ${unsettled.join(', ')}`);
        break;
      }
    }
    for (const each of shop.leaked()) add(totals.breaches, each);
    totals.leftProcesses = await killForGood(shop, home, provider.close);
    return totals;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** The number of SIGKILLs. */
export const killed = ({ kills }: KillTotals) => kills.shop + kills.database + kills.both + kills.outage;

function countConfirmed(totals: KillTotals, { buyers, staff }: People): void {
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  totals.acknowledged = sum([...buyers, ...staff].map(({ acknowledged }) => acknowledged));
  totals.parcels = sum(staff.map(({ parcels }) => parcels.length));
  totals.refunds = sum(staff.map(({ refunds }) => refunds.length));
  totals.canceled = sum(staff.map(({ canceled }) => canceled.length));
}

function findOverdue(unsettled: readonly string[], since: Map<string, number>, totals: KillTotals): void {
  for (const id of since.keys()) if (!unsettled.includes(id)) since.delete(id);
  for (const id of unsettled) {
    const began = since.get(id) ?? Date.now();
    since.set(id, began);
    const withinMs = id.startsWith('mail') ? mailedWithinMs : settledWithinMs;
    if (Date.now() - began > withinMs) add(totals.breaches, `${id} was not settled after ${withinMs / 1000} s`);
  }
}

function note(totals: KillTotals, { lost, double, breaches, orders, paid, oversold }: Reckoning): void {
  for (const each of lost) add(totals.lost, each);
  for (const each of double) add(totals.double, each);
  for (const each of breaches) add(totals.breaches, each);
  totals.orders = orders;
  totals.paid = paid;
  totals.oversold = Math.max(totals.oversold, oversold);
}

function add(list: string[], sentence: string): void {
  if (!list.includes(sentence)) list.push(sentence);
}

/** @returns how many processes on the shop's folder outlived the shop */
async function killForGood(shop: Shop, home: string, closeProvider: () => Promise<unknown>): Promise<number> {
  await closeProvider();
  const database = findOwnDatabase(shop.dataDir);
  await shop.killForGood();
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(100))
    if (findProcessesOn(home).length === 0) break;
  if (database) await rm(database.socketFolder, { recursive: true, force: true });
  return findProcessesOn(home).length;
}

const newTotals = (seen: Seen): KillTotals => ({
  kills: { shop: 0, database: 0, both: 0, outage: 0, cut: 0, stop: 0 },
  acknowledged: 0,
  parcels: 0,
  refunds: 0,
  canceled: 0,
  lost: [],
  orders: 0,
  paid: 0,
  double: [],
  oversold: 0,
  breaches: [],
  leftProcesses: 0,
  readyMs: [],
  seen,
});

function describeRound(name: string, { readyMs, acknowledged }: KillTotals, found: Reckoning): string {
  const { orders, paid, lost, double, breaches, unsettled } = found;
  const wrong = [...lost.map((each) => `lost: ${each}`), ...double.map((each) => `double: ${each}`), ...breaches];
  const numbers = `${acknowledged} confirmed, ${orders} orders, ${paid} paid, ${unsettled.length} to settle`;
  return [`${name}, ready after ${readyMs.at(-1)} ms; ${numbers}`, ...wrong].join('\n  ');
}
