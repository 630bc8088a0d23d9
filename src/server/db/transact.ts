import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Channel, Tell } from './changeBus';
import { databaseErrorCode } from './errors';
import { waitLonger } from './silence';

export type Db = NodePgDatabase;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** What a repository reads with: inside a transaction or outside. */
export type Connection = Db | Tx;

/**
 * Drizzle's own transaction never releases a connection whose `begin` failed: each broken connection would be lost to
 * the pool for good, and the pool could not be closed. So this function checks it out and releases it.
 * @param tell who is told of what transactions changed (the change bus); without it nobody is
 */
export function connect(pool: pg.Pool, tell: Tell = nobody): Db {
  const db = drizzle(pool);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction((tx) => {
        clients.set(tx, client);
        return work(tx);
      }, config);
    } finally {
      client.release(); // the pool drops one that is broken
    }
  };
  tellOf.set(db, tell);
  return db;
}

const nobody: Tell = () => undefined;
const tellOf = new WeakMap<Db, Tell>();

const clients = new WeakMap<Tx, pg.PoolClient>();
const unhurriedMs = 30_000;

/**
 * Runs in one transaction what may take longer than a request's statements do (db/open.ts), since it looks at everything
 * that the shop ever did: a period's figures, all rows of a list.
 */
export function unhurried<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    const client = clients.get(tx);
    if (!client) throw new Error('unhurried needs a database of connect');
    await tx.execute(sql`select set_config('statement_timeout', ${String(unhurriedMs)}, true)`);
    return waitLonger(client, unhurriedMs, () => work(tx));
  });
}

const waiting = new WeakMap<Tx, { steps: (() => void)[]; tell: Tell }>();
const deadlock = '40P01';
const maxTries = 3;

/**
 * Runs `work` in one transaction, then publishes what it noted with `tellAfterCommit`. A deadlock's victim is retried,
 * since it was rolled back completely.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const steps: (() => void)[] = [];
    try {
      const result = await db.transaction(async (tx) => {
        waiting.set(tx, { steps, tell: tellOf.get(db) ?? nobody });
        return work(tx);
      });
      for (const step of steps) step();
      return result;
    } catch (error) {
      if (databaseErrorCode(error) !== deadlock || attempt === maxTries) throw error;
    }
  }
}

/** Tells this process's listeners on the change bus when `tx` has been committed, and only then. */
export function tellAfterCommit(tx: Tx, channel: Channel, message: string): void {
  const { tell } = requireWaiting(tx);
  afterCommit(tx, () => tell(channel, message));
}

/** Takes a step in this process when `tx` has been committed, and only then. */
export function afterCommit(tx: Tx, step: () => void): void {
  requireWaiting(tx).steps.push(step);
}

function requireWaiting(tx: Tx) {
  const found = waiting.get(tx);
  if (!found) throw new Error('a step after the commit needs a transaction opened by transact');
  return found;
}
