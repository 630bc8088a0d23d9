/** A streaming replica of the shop's database, to read from what may be a moment old: the catalog (catalog/reader.ts). */
import { sql } from 'drizzle-orm';
import { databaseErrorCode } from './core/errors';
import { openPool } from './open';
import { connect, type Db } from './core/transact';

export type Replica = {
  db: Db;
  /** Whether it shows all that was written up to a place of `findPlace`; never, if it is no replica (any more). */
  hasReplayed: (place: string) => Promise<boolean>;
  /** Tells of each new connection: it may lead to another replica than those before. */
  onConnected: (step: () => void) => void;
};

/** Much less than requests give the database itself: that one is asked when the replica does not answer. */
const limits = { connectionTimeoutMillis: 700, socketTimeoutMs: 750, idleTimeoutMillis: 0 };
const ofStatements = { statement_timeout: 700 };

/**
 * Connects when it is first needed: a replica that is away stops no start.
 * @param settings whether its connections may name settings of their own, which a PgBouncer refuses
 */
export function openReplica(url: string, settings: 'named' | 'not named') {
  const named = settings === 'named' ? ofStatements : {};
  const pool = openPool({ connectionString: url, keepAlive: true, ...limits, ...named });
  const db = connect(pool);
  const hasReplayed = async (place: string) => {
    const { rows } = await db.execute<{ has: boolean }>(
      sql`select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${place}::pg_lsn as has`,
    );
    return rows[0]?.has === true;
  };
  return {
    replica: { db, hasReplayed, onConnected: (step) => void pool.on('connect', step) } satisfies Replica,
    close: () => pool.end(),
    /** @returns what is wrong with it at the moment, in one sentence: the shop does without it then */
    findTrouble: async (): Promise<string | undefined> => {
      try {
        const { rows } = await db.execute<{ is: boolean }>(sql`select pg_is_in_recovery() as is`);
        return rows[0]?.is ? undefined : 'DATABASE_REPLICA_URL: this is no replica at the moment';
      } catch (error) {
        return `DATABASE_REPLICA_URL: the replica cannot be reached (${databaseErrorCode(error) ?? 'no answer'})`;
      }
    },
  };
}

/** Where the database's log is: whatever was committed before lies before it. */
export async function findPlace(db: Db): Promise<string> {
  const { rows } = await db.execute<{ place: string }>(sql`select pg_current_wal_insert_lsn()::text as place`);
  return rows[0]?.place ?? '';
}
