import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { databaseErrorCode } from './errors';
import { waitLonger } from './silence';

export type Db = NodePgDatabase;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** What a repository reads with: inside a transaction or outside. */
export type Connection = Db | Tx;

/**
 * Drizzle's own transaction never gives a connection back whose `begin` failed: each connection that the database cut
 * would be lost to the pool for good, and the pool could not be closed. So the connection is lent and taken back here.
 */
export function connect(pool: pg.Pool): Db {
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
  return db;
}

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

const waiting = new WeakMap<Tx, (() => void)[]>();
const deadlock = '40P01';
const maxTries = 3;

/**
 * Runs `work` in one transaction, then what it asked for with `afterCommit`. A deadlock's victim is tried again: it was
 * rolled back whole.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const steps: (() => void)[] = [];
    try {
      const result = await db.transaction(async (tx) => {
        waiting.set(tx, steps);
        return work(tx);
      });
      for (const step of steps) step();
      return result;
    } catch (error) {
      if (databaseErrorCode(error) !== deadlock || attempt === maxTries) throw error;
    }
  }
}

/** Has `step` (of this process's memory: it cannot fail) run when `tx` has been committed, and only then. */
export function afterCommit(tx: Tx, step: () => void): void {
  const steps = waiting.get(tx);
  if (!steps) throw new Error('afterCommit needs a transaction opened by transact');
  steps.push(step);
}
