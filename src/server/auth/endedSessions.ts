/**
 * The ended sessions whose access tokens could still be valid, in memory, so that no request asks the database. Every
 * process is notified of each end; while this process cannot be notified (its listening connection is down), it asks
 * the database. Rule: docs/rules/accounts.md, Sessions
 */
import type { Clock } from '../clock';
import type { ChangeBus } from '../db/changeBus';
import { tellAfterCommit, type Db, type Tx } from '../db/transact';
import { accessTokenMinutes } from './accessTokens';
import { findEndedSince, isOngoing, tellEnded } from './repository';

export type EndedSessions = {
  has(familyId: string): Promise<boolean>;
  /** Notifies every process once `tx` is committed. */
  add(tx: Tx, familyId: string): Promise<void>;
};

// a minute longer than an access token lives: processes' clocks differ a little, transactions take a moment
const keepMs = (accessTokenMinutes + 1) * 60_000;

export async function watchEndedSessions(db: Db, bus: ChangeBus, clock: Clock): Promise<EndedSessions> {
  /** family → when it may be forgotten, the oldest first */
  const ended = new Map<string, number>();

  const remember = (familyId: string) => {
    const nowMs = clock.now().getTime();
    for (const [id, untilMs] of ended) {
      if (untilMs > nowMs) break;
      ended.delete(id);
    }
    ended.set(familyId, nowMs + keepMs);
  };
  const catchUp = async () => {
    const since = new Date(clock.now().getTime() - keepMs);
    for (const familyId of await findEndedSince(db, since)) remember(familyId);
  };

  bus.on('session_ended', remember); // listens before it reads, so that no end is missed
  bus.onConnected(catchUp);
  await catchUp();

  return {
    has: async (familyId) => ended.has(familyId) || (!bus.connected && !(await isOngoing(db, familyId))),
    async add(tx, familyId) {
      await tellEnded(tx, familyId);
      tellAfterCommit(tx, 'session_ended', familyId);
    },
  };
}
