/**
 * `npm run chaos`: everything that is broken on purpose, in full length; `npm run chaos -- kills` runs only what it
 * names. The amounts: CHAOS_KILLS, CHAOS_PROVIDER_KILLS, CHAOS_PAYMENTS, CHAOS_SUBMITS, CHAOS_UNITS, CHAOS_ORDERS,
 * CHAOS_REQUESTS, CHAOS_OVERLOAD_SECONDS, CHAOS_FULL_SECONDS and CHAOS_FAILOVERS; CHAOS_MINUTES is the longest time of
 * one chaos run. Besides: CHAOS_SEED, and CHAOS_DATABASE_URL for another PostgreSQL.
 * Only by name: `s3`, CHAOS_PICTURES pictures in the storage at CHAOS_S3_URL (with S3_ACCESS_KEY_ID,
 * S3_SECRET_ACCESS_KEY). With CHAOS_PROCESSES=2 (or more) kills, payments, doubles, lastUnit, lastUse and outbox run against so
 * many processes of the shop behind one port, on one PostgreSQL and one DATA_DIR, and every few seconds one of them is
 * killed and started again. `pgbouncer` and `failover` start their own processes, of Debian's packages (engines.ts).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/server/db/embedded/embeddedPostgres';
import { urlOf } from '../support/globalSetup';
import { runDoubles } from './doubles';
import { runFailovers } from './failover';
import { mountSmallDisk, runFullDisk } from './fullDisk';
import { killed, runKills, type KillTotals } from './kills';
import { runLastUnits } from './lastUnit';
import { runLastUses } from './lastUse';
import { openMarket, type Found, type Market, type MarketOptions } from './market';
import { killMigrations } from './migrationKills';
import { runOverload } from './overload';
import { runPayments } from './payments';
import { runBouncer } from './pgbouncer';
import { runProviderKills } from './providerKills';
import { runRestore } from './restore';
import { runS3 } from './s3';
import { createDatabase } from './shop';
import { runSoak } from './soak';
import { findFreePort } from '../support/freePort';

const env = process.env;
const seed = Number(env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const databaseUrl = env['CHAOS_DATABASE_URL'] || undefined;
const report = (line: string) => console.log(line);
const numberOf = (name: string, usual: number) => Number(env[name] ?? usual);
const maxMinutes = numberOf('CHAOS_MINUTES', Infinity);
const processes = numberOf('CHAOS_PROCESSES', 1);

/** A small heap, so that V8 collects garbage early; otherwise the heap grows by hundreds of megabytes first. */
const soaked = (port: string) => ({ METRICS_PORT: port, NODE_OPTIONS: '--max-old-space-size=96' });

/** Rule: docs/rules/failures.md, Goals */
const restoredWithinMs = 120_000;

/** Chaos runs that need programs or services that not everybody has. */
const byNameOnly = ['s3'];

/** Each chaos run returns its totals as one text, and whether it passed. */
type ChaosRun = () => Promise<{ totals: string; isRight: boolean }>;
const chaosRuns: Record<string, ChaosRun> = {
  async kills() {
    const kills = numberOf('CHAOS_KILLS', 1_000);
    const options = { kills, seed, processes, maxLoadMs: 400, outageMs: 10_000, maxMinutes, report };
    return describeKills(await onDatabase(processes, (databaseUrl) => runKills({ ...options, databaseUrl })));
  },
  async provider() {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'shop-chaos-provider-'));
    const options = { program: 'dist/server/sandbox.js', dataDir, kills: numberOf('CHAOS_PROVIDER_KILLS', 100), seed };
    const { kills, confirmed, events, wrong } = await runProviderKills(options);
    await rm(dataDir, { recursive: true, force: true });
    const totals = `kills of the provider ${kills}, confirmed changes ${confirmed}, events ${events}, wrong ${wrong.length}`;
    return { totals: [...wrong, totals].join('\n'), isRight: wrong.length === 0 };
  },
  async migrations() {
    const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-migrations-'));
    const server = databaseUrl === undefined ? await startEmbeddedPostgres(path.join(home, 'postgres')) : undefined;
    const other = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl);
    const direct = server?.connection ?? other?.config ?? {};
    const found = await killMigrations({ direct, migrations: 'src/server/db/migrations', every: 1 });
    await server?.stop();
    await other?.drop();
    await rm(home, { recursive: true, force: true });
    const totals = `statements ${found.statements}, kills ${found.kills}, left something half ${found.wrong.length}`;
    return { totals: [...found.wrong, totals].join('\n'), isRight: found.wrong.length === 0 };
  },
  async payments() {
    const payments = numberOf('CHAOS_PAYMENTS', 10_000);
    const found = await inMarket((market) => runPayments(market, { payments, seed, maxMinutes, report }), {
      processes,
    });
    const faults = Object.entries(found.faults).map(([kind, times]) => `${kind} ${times}`);
    const count = Object.values(found.faults).reduce((sum, times) => sum + times, 0);
    const more = `payments ${found.payments}, faults ${count} (${faults.join(', ')}); answers that were tried again: ${found.failures}`;
    return describeMarket(found, more, found.double + Math.abs(found.payments - found.paid));
  },
  async doubles() {
    const submits = numberOf('CHAOS_SUBMITS', 10_000);
    const found = await inMarket((market) => runDoubles(market, { submits, seed, maxMinutes, report }), { processes });
    const more = `double submits ${found.submits}, of them paid twice at once ${found.paidTwice}`;
    return describeMarket(found, more, found.double + Math.abs(found.submits - found.orders));
  },
  async lastUnit() {
    const rounds = numberOf('CHAOS_UNITS', 100);
    const found = await inMarket((market) => runLastUnits(market, { rounds, seed, report }), { processes });
    const more = `rounds ${found.rounds} x 50 buyers, sold ${found.won}, told that it is gone ${found.refused}, oversold ${found.oversold}; other failures: ${found.failures}`;
    return describeMarket(found, more, found.oversold);
  },
  async lastUse() {
    const rounds = numberOf('CHAOS_UNITS', 100);
    const found = await inMarket((market) => runLastUses(market, { rounds, seed, report }), { processes });
    const more = `rounds ${found.rounds} x 50 buyers of a code's last use, had by ${found.won}, told that it is used up ${found.refused}, used too often ${found.overused}; other failures: ${found.failures}`;
    return describeMarket(found, more, found.overused);
  },
  async restore() {
    const orders = numberOf('CHAOS_ORDERS', 100_000);
    const found = await inMarket((market) => runRestore(market, { orders, seed }));
    const tookMs = found.restoreMs + found.checkMs;
    const totals = [
      ...found.said,
      ...found.wrong,
      `orders ${found.orders}, placed while the backup was taken ${found.placedMeanwhile}; backup ${seconds(found.backupMs)} s, ` +
        `restored in ${seconds(found.restoreMs)} s and checked in ${seconds(found.checkMs)} s; broken rules ${found.wrong.length}`,
    ].join('\n');
    return { totals, isRight: found.wrong.length === 0 && tookMs < restoredWithinMs };
  },
  async overload() {
    const overloadMs = numberOf('CHAOS_OVERLOAD_SECONDS', 60) * 1000;
    const found = await inMarket((market) => runOverload(market, { overloadMs }));
    const phase = (name: 'normal' | 'overload') => {
      const { offered, done, shed, other, p50Ms, p95Ms, worstMs } = found[name];
      return `${name}: ${offered} offered, ${done} done, ${shed} told to come back, ${other} else; p50 ${p50Ms} ms, p95 ${p95Ms} ms, worst ${worstMs} ms`;
    };
    const totals = [
      `${found.ratedPerSecond} cart changes/s are all it can do`,
      phase('normal'),
      phase('overload'),
      `as fast as before after ${found.recoveredMs} ms; orders begun before and paid meanwhile ${found.begunAndPaid}`,
      ...found.wrong,
    ].join('\n');
    return { totals, isRight: found.wrong.length === 0 };
  },
  async fullDisk() {
    if (process.getuid?.() !== 0 || process.platform !== 'linux')
      return { totals: 'a small disk can be made by root on Linux only', isRight: false };
    const fullMs = numberOf('CHAOS_FULL_SECONDS', 60) * 1000;
    const found = await inMarket((market) => runFullDisk(market, { fullMs }), { prepare: mountSmallDisk });
    const list = (answers: Record<string, number>) =>
      Object.entries(answers)
        .map(([status, times]) => `${status}: ${times}`)
        .join(', ');
    const totals = `answers to orders ${list(found.writes)}; to reads ${list(found.reads)}; ordered again after ${found.backMs} ms; orders ${found.orders}`;
    return { totals: [...found.wrong, totals].join('\n'), isRight: found.wrong.length === 0 };
  },
  async s3() {
    const { CHAOS_S3_URL: url, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
    if (!url || !accessKeyId || !secretAccessKey)
      return { totals: 'CHAOS_S3_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY say which storage', isRight: false };
    const options = { uploads: numberOf('CHAOS_PICTURES', 30), databaseUrl, report };
    const found = await runS3({ url, accessKeyId, secretAccessKey }, options);
    const answers = Object.entries(found.answers).map(([status, times]) => `${status}: ${times}`);
    const totals = [
      ...found.wrong,
      `uploads ${found.uploads} (answers ${answers.join(', ')}), kills ${found.kills}, pictures ${found.pictures}, files compared ${found.files}`,
      `storage silent: ${found.silent}`,
      `files restored into another folder of the bucket ${found.restoredFiles}; wrong ${found.wrong.length}`,
    ].join('\n');
    return { totals, isRight: found.wrong.length === 0 };
  },
  async soak() {
    const port = String(await findFreePort());
    const options = { requests: numberOf('CHAOS_REQUESTS', 200_000), metricsUrl: `http://127.0.0.1:${port}`, report };
    const found = await inMarket((market) => runSoak(market, options), { settings: soaked(port) });
    const growth = `memory by ${found.growthMb.toFixed(2)} MB with each 10,000 after the warm-up`;
    const totals = [...found.wrong, `requests ${found.requests}, failures ${found.failures}; ${growth}`].join('\n');
    return { totals, isRight: found.wrong.length === 0 };
  },
  async pgbouncer() {
    const [payments, submits] = [numberOf('CHAOS_PAYMENTS', 2_000), numberOf('CHAOS_SUBMITS', 1_000)];
    const found = await runBouncer({ payments, submits, rounds: numberOf('CHAOS_UNITS', 20), seed, report });
    const totals = [
      ...found.wrong,
      `payments ${found.payments}, faults ${found.faults}, PgBouncer killed ${found.restarts} times meanwhile; answers that were tried again: ${found.failures}`,
      `double submits ${found.submits}, last units ${found.rounds} x 50 buyers; transactions through it since its last start ${found.throughIt}; broken rules ${found.wrong.length}`,
    ].join('\n');
    return { totals, isRight: found.wrong.length === 0 };
  },
  async failover() {
    const found = await runFailovers({ kills: numberOf('CHAOS_FAILOVERS', 5), seed, report });
    const failures = Object.entries(found.seen.failures).map(([kind, times]) => `${kind}: ${times}`);
    const totals = [
      ...found.wrong,
      `primaries killed ${found.kills}, ordering again after ${found.backMs.join(', ')} ms; confirmed ${found.acknowledged}, orders ${found.orders}, paid ${found.paid}`,
      `visits while all was well ${found.visits}, read from the replica ${found.readFromReplica} transactions; answers that were tried again: cut: ${found.seen.cuts}, ${failures.join(', ')}; wrong ${found.wrong.length}`,
    ].join('\n');
    return { totals, isRight: found.wrong.length === 0 };
  },
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = asked.find((name) => !Object.hasOwn(chaosRuns, name));
if (unknown !== undefined)
  throw new Error(`there is no chaos run ${unknown}; there are ${Object.keys(chaosRuns).join(', ')}`);

for (const [name, chaosRun] of Object.entries(chaosRuns)) {
  if (asked.length > 0 ? !asked.includes(name) : byNameOnly.includes(name)) continue;
  const twins = processes > 1 ? `CHAOS_PROCESSES ${processes}, ` : '';
  console.log(
    `chaos run ${name}, seed ${seed}, ${twins}${databaseUrl ? 'PostgreSQL by URL' : 'the shop’s own PostgreSQL'}`,
  );
  const began = Date.now();
  const { totals, isRight } = await chaosRun();
  console.log(`${totals}\ndrill ${name} ${isRight ? 'is right' : 'FAILED'} after ${seconds(Date.now() - began)} s`);
  if (!isRight) process.exitCode = 1;
}

async function inMarket<Totals>(
  run: (market: Market) => Promise<Totals>,
  options: MarketOptions = {},
): Promise<Totals> {
  return onDatabase(options.processes ?? 1, async (url) => {
    const market = await openMarket(url, options);
    try {
      return await run(market);
    } finally {
      await market.close();
    }
  });
}

/** Several processes need a PostgreSQL that none of them starts: CHAOS_DATABASE_URL, or one of the chaos run's own. */
async function onDatabase<Totals>(
  processes: number,
  run: (url: string | undefined) => Promise<Totals>,
): Promise<Totals> {
  if (processes === 1 || databaseUrl !== undefined) return run(databaseUrl);
  const home = await mkdtemp(path.join(tmpdir(), 'shop-chaos-database-'));
  const server = await startEmbeddedPostgres(path.join(home, 'postgres'));
  try {
    return await run(urlOf(server.connection));
  } finally {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  }
}

function describeKills(found: KillTotals): { totals: string; isRight: boolean } {
  const { kills, seen, readyMs, lost, double, breaches, oversold, leftProcesses, ...totals } = found;
  const sorted = readyMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const kinds = Object.entries(kills).map(([kind, times]) => `${kind} ${times}`);
  const failures = Object.entries(seen.failures).map(([kind, times]) => `${kind}: ${times}`);
  const lines = [
    `kills ${killed(found)} (${kinds.join(', ')}); ready again: median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`,
    `calls ${seen.calls}, cut ${seen.cuts}, failures ${failures.join(', ') || 'none'}`,
    ...lost,
    ...double,
    ...breaches,
    `parcels ${totals.parcels}, refunds ${totals.refunds}, cancellations ${totals.canceled}`,
    `confirmed writes ${totals.acknowledged}, lost ${lost.length}, orders ${totals.orders}, paid ${totals.paid}, ` +
      `double ${double.length}, oversold ${oversold}, broken rules ${breaches.length}, ` +
      `lost sessions ${seen.lostSessions}, left processes ${leftProcesses}`,
  ];
  const wrong = lost.length + double.length + breaches.length + oversold + leftProcesses + seen.lostSessions;
  return { totals: lines.join('\n'), isRight: wrong === 0 };
}

function describeMarket(found: Found & { double?: number }, more: string, wrong: number) {
  const { orders, paid, settledMs, kills, wrong: broken } = found;
  const double = found.double === undefined ? '' : `, double ${found.double}`;
  const processKills = kills === 0 ? '' : `; of ${processes} processes one was killed ${kills} times`;
  const last = `orders ${orders}, paid ${paid}${double}, broken rules ${broken.length}; settled ${settledMs} ms after the last${processKills}`;
  return { totals: [...broken, more, last].join('\n'), isRight: broken.length + wrong === 0 };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}
