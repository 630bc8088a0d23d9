/** A streaming replica of the database, for reads that may be slightly stale: the catalog (catalog/reader.ts). */
import { sql } from 'drizzle-orm';
import { databaseErrorCode } from './core/errors';
import { openPool } from './open';
import { connect, type Db } from './core/transact';

export type Replica = {
  db: Db;
  /** Whether it has replayed the log up to a position from `findPlace`. Always false if it is not (or no longer) a replica. */
  hasReplayed: (place: string) => Promise<boolean>;
  /** Called for each new connection, which may lead to a different replica. */
  onConnected: (step: () => void) => void;
};

/** Much shorter than for the primary, which is queried when the replica does not respond. */
const limits = { connectionTimeoutMillis: 700, socketTimeoutMs: 750, idleTimeoutMillis: 0 };
const ofStatements = { statement_timeout: 700 };

/**
 * Connects lazily, so that an unreachable replica does not prevent a start.
 * @param settings whether connections may name settings, which PgBouncer rejects
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
    /** @returns one sentence about what is wrong with the replica, if anything; the shop works without it then */
    findTrouble: async (): Promise<string | undefined> => {
      try {
        const { rows } = await db.execute<{ is: boolean }>(sql`select pg_is_in_recovery() as is`);
        return rows[0]?.is ? undefined : "DATABASE_REPLICA_URL: this server isn't a replica right now";
      } catch (error) {
        return `DATABASE_REPLICA_URL: can't reach the replica (${databaseErrorCode(error) ?? 'no response'})`;
      }
    },
  };
}

/** The current log position (LSN) of the database. Everything committed before the call precedes it. */
export async function findPlace(db: Db): Promise<string> {
  const { rows } = await db.execute<{ place: string }>(sql`select pg_current_wal_insert_lsn()::text as place`);
  return rows[0]?.place ?? '';
}
