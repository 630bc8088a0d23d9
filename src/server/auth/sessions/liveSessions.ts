/**
 * The live sessions, cached in memory: an access token is valid only with one of them. A session is queried at its
 * first request and then cached, since every process is notified when a session ends. While the listening connection is
 * down, each request queries the database, and after reconnecting the cache starts empty.
 * Rule: docs/rules/accounts.md, Sessions
 */
import { LRUCache } from 'lru-cache';
import type { ChangeBus } from '../../db/core/changeBus';
import { afterCommit, notifyAfterCommit, type Db, type Tx } from '../../db/core/transact';
import { findHolder, notifyEnded } from './repository';

export type Holding = { familyId: string; userId: string };
export type LiveSessions = {
  /** Whether the session is live and belongs to this user. */
  has(session: Holding): Promise<boolean>;
  /** Caches a session that `tx` starts or continues, once it is committed. */
  add(tx: Tx, session: Holding): void;
  /** Notifies every process once `tx` is committed. */
  end(tx: Tx, familyId: string): Promise<void>;
};

/** About 12 MB. An evicted session costs one more query. */
const maxKnown = 50_000;
/** Stored instead of the user's id. */
const ended = '';

export function watchSessions(db: Db, bus: ChangeBus): LiveSessions {
  /** session id → user id, or `ended`, which is final */
  const known = new LRUCache<string, string>({ max: maxKnown });
  const pending = new Map<string, Promise<string>>();
  let connectionCount = 0;

  const remember = (familyId: string, holder: string) => {
    if (known.get(familyId) !== ended) known.set(familyId, holder);
  };
  /** Caches the result only if no notification can have been missed since the query began. */
  const readHolder = async (familyId: string): Promise<string> => {
    const connection = connectionCount;
    const isListening = bus.connected;
    const holder = (await findHolder(db, familyId)) ?? ended;
    if (!isListening || connection !== connectionCount) return holder;
    remember(familyId, holder);
    return known.get(familyId) ?? holder;
  };
  /** Concurrent requests share one query. */
  const queryOnce = (familyId: string): Promise<string> => {
    const query = pending.get(familyId) ?? readHolder(familyId).finally(() => pending.delete(familyId));
    pending.set(familyId, query);
    return query;
  };

  bus.on('session_ended', (familyId) => known.set(familyId, ended));
  bus.onConnected(() => {
    connectionCount++;
    known.clear();
    pending.clear();
  });

  return {
    async has({ familyId, userId }) {
      const cached = known.get(familyId);
      if (cached === ended) return false;
      if (!bus.connected) return (await readHolder(familyId)) === userId;
      return (cached ?? (await queryOnce(familyId))) === userId;
    },
    add(tx, { familyId, userId }) {
      const connection = connectionCount;
      afterCommit(tx, () => {
        if (connection === connectionCount) remember(familyId, userId);
      });
    },
    async end(tx, familyId) {
      await notifyEnded(tx, familyId);
      notifyAfterCommit(tx, 'session_ended', familyId);
    },
  };
}
