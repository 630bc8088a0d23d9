/** The user's own sessions, and ending them from another device. Source: ASVS 7.4.3, 7.5.2 */
import { authMessages } from '../../../shared/authMessages';
import type { Schema } from '../../../shared/contract';
import { writeAudit } from '../../audit/service';
import type { Connection, Tx } from '../../db/core/transact';
import type { Actor, Session } from '../../http/contract/access';
import { notFound } from '../../http/core/problems';
import { liveSince } from './refreshTokens';
import { findFamilies, type FamilyRow } from './repository';
import type { Sessions } from './sessions';

/** The user's live sessions, most recently used first. */
export const findLiveSessions = (connection: Connection, userId: string, now: Date): Promise<FamilyRow[]> =>
  findFamilies(connection, userId, liveSince(now));

/** @returns the live sessions, most recently used first */
export async function listSessions(
  connection: Connection,
  session: Session,
  now: Date,
): Promise<Schema<'OwnSession'>[]> {
  const families = await findLiveSessions(connection, session.userId, now);
  return families.map(({ id, device, createdAt, refreshedAt, keyThumbprint }) => ({
    id,
    device,
    createdAt: createdAt.toISOString(),
    lastUsedAt: refreshedAt.toISOString(),
    isCurrent: id === session.familyId,
    isBound: keyThumbprint !== null,
  }));
}

type EndRequest = { session: Session; by: Actor; now: Date };

/** @throws Problem 404 session_not_found, the same for an ended session and another user's */
export async function endSession(
  tx: Tx,
  sessions: Sessions,
  id: string,
  { session, by, now }: EndRequest,
): Promise<void> {
  const families = await findLiveSessions(tx, session.userId, now);
  if (!families.some((family) => family.id === id)) throw notFound('session_not_found', authMessages.sessionNotFound);
  await sessions.endFamily(tx, id, 'ended_by_user');
  await writeAudit(tx, { by, action: 'session.ended', target: { kind: 'session', id }, now });
}

export async function endOtherSessions(tx: Tx, sessions: Sessions, { session, by, now }: EndRequest): Promise<void> {
  await sessions.endAllOf(tx, session.userId, 'ended_by_user', session.familyId);
  await writeAudit(tx, { by, action: 'session.others_ended', target: { kind: 'user', id: session.userId }, now });
}
