import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { databaseErrorCode } from './errors';

export type Db = NodePgDatabase;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** What a repository reads with: inside a transaction or outside. */
export type Connection = Db | Tx;

export const connect = (pool: pg.Pool): Db => drizzle(pool);

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
