/**
 * The shop behind a PgBouncer in transaction mode: the chaos runs of payments, double submits and last units, while the
 * PgBouncer itself is killed. Connections that need a session go past it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { runDoubles } from './doubles';
import { openGround, startBouncer, startPostgres, urlOf, type Bouncer } from './externalPrograms';
import { runLastUnits } from './lastUnit';
import { openMarket } from './market';
import { runPayments } from './payments';

export type BouncerTotals = {
  payments: number;
  faults: number;
  submits: number;
  rounds: number;
  /** Transactions through the PgBouncer since its last start. */
  throughIt: number;
  restarts: number;
  failures: string;
  wrong: string[];
};
type Options = {
  payments: number;
  submits: number;
  rounds: number;
  seed: number;
  report: (line: string) => void;
};

const restartEveryMs = 5_000;

export async function runBouncer({ payments, submits, rounds, seed, report }: Options): Promise<BouncerTotals> {
  const ground = await openGround(['postgres', 'initdb', 'pgbouncer']);
  try {
    const server = await startPostgres(ground);
    const bouncer = await startBouncer(ground, server);
    const through = (url: string) => Object.assign(new URL(url), { port: String(bouncer.port) }).href;
    const market = await openMarket(server.url, {
      settings: (url) => ({ DATABASE_URL: through(url), DATABASE_DIRECT_URL: url }),
    });
    const killing = killNowAndThen(bouncer);
    try {
      const paid = await runPayments(market, { payments, seed, report });
      await killing.stop();
      const doubled = await runDoubles(market, { submits, seed, report });
      const last = await runLastUnits(market, { rounds, seed, report });
      const limit = await askThrough(through(market.shop.database().connectionString ?? ''), 'show statement_timeout');
      const stats = await askThrough(urlOf(bouncer.port, 'pgbouncer'), 'show stats');
      const logins = await askThrough(urlOf(bouncer.port, 'pgbouncer'), 'show pools');
      const isAppLogin = logins.some(({ user }) => user?.endsWith('_app'));
      const wrong = [
        ...new Set([...paid.wrong, ...doubled.wrong, ...last.wrong]),
        ...(paid.double + doubled.double > 0 ? [`double: ${paid.double} and ${doubled.double}`] : []),
        ...(paid.payments === payments ? [] : [`payments ${paid.payments} of ${payments}`]),
        ...(doubled.submits === submits ? [] : [`submits ${doubled.submits} of ${submits}`]),
        ...(last.oversold > 0 ? [`oversold ${last.oversold}`] : []),
        ...(limit[0]?.['statement_timeout'] === '4s' ? [] : ['a statement through it has no time limit']),
        ...(isAppLogin ? [] : ['the shop did not come through it as its app login']),
      ];
      return {
        payments: paid.payments,
        faults: Object.values(paid.faults).reduce((sum, times) => sum + times, 0),
        submits: doubled.submits,
        rounds: last.rounds,
        throughIt: stats.reduce((sum, row) => sum + Number(row['total_xact_count'] ?? 0), 0),
        restarts: killing.times(),
        failures: paid.failures,
        wrong,
      };
    } finally {
      await killing.stop();
      await market.close();
    }
  } finally {
    await ground.close();
  }
}

function killNowAndThen(bouncer: Bouncer) {
  const over = new AbortController();
  let times = 0;
  const killed = (async () => {
    for (;;) {
      await pause(restartEveryMs, undefined, { signal: over.signal });
      await bouncer.restart();
      times++;
    }
  })().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  return {
    times: () => times,
    async stop() {
      over.abort();
      await killed;
    },
  };
}

/** PgBouncer's console knows the simple protocol only, so the query has no parameters. */
async function askThrough(url: string, query: string): Promise<Record<string, string>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(query)).rows;
  } finally {
    await client.end();
  }
}
