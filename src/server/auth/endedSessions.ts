/**
 * Which sessions have ended, kept in memory so that no request asks the database: only those whose access tokens could
 * still be good. Every process is told of each ending; while this one cannot be told (its listening connection is down)
 * the database is asked. Source: decisions §2
 */
import type { Clock } from '../clock';
import type { Notices } from '../db/notices';
import { afterCommit, type Db, type Tx } from '../db/transact';
import { accessTokenMinutes } from './accessTokens';
import { findEndedSince, isOngoing, tellEnded } from './repository';

export type EndedSessions = {
  has(familyId: string): Promise<boolean>;
  /** Has every process know it once `tx` is committed. */
  add(tx: Tx, familyId: string): Promise<void>;
};

export const sessionEndedChannel = 'session_ended';
// a minute longer than an access token lives: processes' clocks differ a little, transactions take a moment
const keepMs = (accessTokenMinutes + 1) * 60_000;

export async function watchEndedSessions(db: Db, notices: Notices, clock: Clock): Promise<EndedSessions> {
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

  notices.on(sessionEndedChannel, remember); // first, so that nothing falls between reading and listening
  notices.onConnected(catchUp);
  await catchUp();

  return {
    has: async (familyId) => ended.has(familyId) || (!notices.connected && !(await isOngoing(db, familyId))),
    async add(tx, familyId) {
      await tellEnded(tx, familyId);
      afterCommit(tx, () => remember(familyId));
    },
  };
}
