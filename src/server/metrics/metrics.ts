/**
 * Prometheus metrics: of this process as events happen, of the shop when scraped. Labels are names of operations,
 * routes and states, which are a fixed set; none contains personal data.
 */
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FairPool } from '../db/core/fairPool';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../core/clock';
import type { Db } from '../db/core/transact';

export type Metrics = {
  /** For each response. */
  observe: (request: FastifyRequest, reply: FastifyReply) => void;
  /** For each response sent by the cache, bypassing the framework. */
  observeCached: (operation: string, status: number, ms: number) => void;
  /** @returns all metrics in Prometheus' text format */
  present: () => Promise<string>;
  contentType: string;
};
type Parts = { pool: FairPool; db: Db; clock: Clock };

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
/** A stream lasts as long as its page stays open. */
const streamOperation = 'streamEvents';

export function openMetrics(parts: Parts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry }); // processor, memory, handles, event loop lag
  const durations = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Time from request to response, by operation (pages and files: by route) and status',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  });
  const countConnections = measurePool(parts.pool, registers);
  const countShop = measureShop(parts, registers);
  return {
    observe(request, reply) {
      const { config, url = 'unknown' } = request.routeOptions;
      const operation = config.operationId ?? url;
      if (operation !== streamOperation)
        durations.labels(operation, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    },
    observeCached: (operation, status, ms) => durations.labels(operation, String(status)).observe(ms / 1000),
    async present() {
      countConnections(); // before we take one ourselves
      await countShop();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function measurePool(pool: FairPool, registers: Registry[]): () => void {
  const connections = new Gauge({
    name: 'shop_database_connections',
    help: "Database connections used by this process's requests, and requests waiting for one",
    labelNames: ['state'],
    registers,
  });
  return () => {
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.turns.waiting);
  };
}

/** Counts from the database; the same in every process. Without the database, only `shop_database_up` is reported. */
function measureShop({ db, clock }: Parts, registers: Registry[]): () => Promise<void> {
  const isUp = new Gauge({ name: 'shop_database_up', help: 'Whether the database is responding', registers });
  const gauges = Object.entries(counted).map(([name, { help, label }]) => {
    const labelNames = label === undefined ? [] : [label];
    return { name, label, gauge: new Gauge({ name, help, labelNames, registers }) };
  });
  return async () => {
    const counts = await count(db, clock.now()).catch(() => undefined);
    isUp.set(counts ? 1 : 0);
    for (const { name, label, gauge } of gauges) {
      if (label === undefined) gauge.remove();
      else gauge.reset();
      for (const { state, value } of counts?.filter((each) => each.name === name) ?? [])
        gauge.set(label === undefined ? {} : { [label]: state }, Number(value));
    }
  };
}

const counted: Record<string, { help: string; label?: string }> = {
  shop_jobs: { help: 'Jobs waiting or running, and jobs that failed for good', label: 'state' },
  shop_open_orders: { help: 'Orders awaiting payment' },
  shop_held_units: { help: 'Units reserved by open orders' },
  shop_payments_waiting: {
    help: "What the payment provider hasn't confirmed yet: sessions, expired sessions, and requested refunds",
    label: 'kind',
  },
  shop_mails: { help: 'Emails waiting to be sent, and emails that failed', label: 'state' },
  shop_alarms_open: { help: 'Open alarms' },
};

type Count = { name: string; state: string; value: string };

/** Each count uses an index or a small table, so its cost does not grow with the number of orders. */
async function count(db: Db, now: Date): Promise<Count[]> {
  const { rows } = await db.execute<Count>(sql`
    select 'shop_jobs' as name, 'waiting' as state, count(*) filter (where attempts < max_attempts) as value
      from graphile_worker._private_jobs
    union all select 'shop_jobs', 'failed', count(*) from graphile_worker._private_jobs where attempts >= max_attempts
    union all select 'shop_open_orders', '', count(*) from orders where status = 'PENDING_PAYMENT'
    union all select 'shop_held_units', '', coalesce(sum(quantity), 0) from order_items
      where order_id in (select id from orders where status = 'PENDING_PAYMENT')
    union all select 'shop_payments_waiting', 'session', count(*) from payment_sessions where state in ('creating', 'open')
    union all select 'shop_payments_waiting', 'overdue_session', count(*) from payment_sessions
      where state in ('creating', 'open') and expires_at < ${now.toISOString()}::timestamptz
    union all select 'shop_payments_waiting', 'refund', count(*) from refunds where state = 'asked'
    union all select 'shop_mails', 'waiting', count(*) from mails where state = 'waiting'
    union all select 'shop_mails', 'failed', count(*) from mails where state = 'failed'
    union all select 'shop_alarms_open', '', count(*) from alarms where settled_at is null`);
  return rows;
}
