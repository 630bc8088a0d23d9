/**
 * The sessions that go on, in memory: an access token counts only with one of them. The database is asked about a session
 * at its first request, and not again: every process is notified of each end. While this process cannot be notified (its
 * listening connection is down), it asks each time, and afterwards about each session once more.
 * Rule: docs/rules/accounts.md, Sessions
 */
import { LRUCache } from 'lru-cache';
import type { ChangeBus } from '../../db/core/changeBus';
import { afterCommit, notifyAfterCommit, type Db, type Tx } from '../../db/core/transact';
import { findHolder, notifyEnded } from './repository';

export type Holding = { familyId: string; userId: string };
export type LiveSessions = {
  /** Whether the session goes on, and is this user's. */
  has(session: Holding): Promise<boolean>;
  /** Remembers a session that `tx` begins or continues, once it is committed. */
  add(tx: Tx, session: Holding): void;
  /** Notifies every process once `tx` is committed. */
  end(tx: Tx, familyId: string): Promise<void>;
};

/** About 12 MB. A session that is dropped costs one query more when it comes again. */
const maxKnown = 50_000;
/** In the place of the user's id. */
const ended = '';

export function watchSessions(db: Db, bus: ChangeBus): LiveSessions {
  /** session → whose it is, or `ended`, which is final */
  const known = new LRUCache<string, string>({ max: maxKnown });
  const asked = new Map<string, Promise<string>>();
  let connections = 0;

  const remember = (familyId: string, holder: string) => {
    if (known.get(familyId) !== ended) known.set(familyId, holder);
  };
  /** An answer is kept if every end that came after it was heard. */
  const ask = async (familyId: string): Promise<string> => {
    const connection = connections;
    const isHeard = bus.connected;
    const holder = (await findHolder(db, familyId)) ?? ended;
    if (!isHeard || connection !== connections) return holder;
    remember(familyId, holder);
    return known.get(familyId) ?? holder;
  };
  /** Of several requests at once only the first asks. */
  const askOnce = (familyId: string): Promise<string> => {
    const asking = asked.get(familyId) ?? ask(familyId).finally(() => asked.delete(familyId));
    asked.set(familyId, asking);
    return asking;
  };

  bus.on('session_ended', (familyId) => known.set(familyId, ended));
  bus.onConnected(() => {
    connections++;
    known.clear();
    asked.clear();
  });

  return {
    async has({ familyId, userId }) {
      const kept = known.get(familyId);
      if (kept === ended) return false;
      if (!bus.connected) return (await ask(familyId)) === userId;
      return (kept ?? (await askOnce(familyId))) === userId;
    },
    add(tx, { familyId, userId }) {
      const connection = connections;
      afterCommit(tx, () => {
        if (connection === connections) remember(familyId, userId);
      });
    },
    async end(tx, familyId) {
      await notifyEnded(tx, familyId);
      notifyAfterCommit(tx, 'session_ended', familyId);
    },
  };
}
