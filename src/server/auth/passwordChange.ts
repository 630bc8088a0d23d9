import { authSays } from '../../shared/auth';
import type { Schema } from '../../shared/contract';
import { writeAudit, type Actor } from '../audit/service';
import type { Db, Tx } from '../db/transact';
import type { Session } from '../http/access';
import { invalid } from '../http/problems';
import { changeUser } from '../users/repository';
import { sendNotice } from './notices';
import { endResets, requirePassword } from './passwordReset';
import { hashPassword, inTurn } from './passwords';
import { lockProven, provePassword, type PasswordProof } from './presentPassword';
import type { Sessions } from './sessions';

/** The present password checked, the new one hashed. */
export type PreparedChange = { proof: PasswordProof; passwordHash: string | undefined };

/**
 * The slow part, before any transaction.
 * @throws Problem 400 invalid_request for a new password that is refused, 429 too_many_attempts, 503 unavailable
 */
export async function prepareChange(
  db: Db,
  { userId, role }: Session,
  { currentPassword, password }: Schema<'PasswordChange'>,
  now: Date,
): Promise<PreparedChange> {
  requirePassword(password, { role });
  const proof = await provePassword(db, userId, currentPassword, now);
  if (!proof) return { proof, passwordHash: undefined };
  return { proof, passwordHash: await inTurn(() => hashPassword(password)) };
}

/**
 * Changes one's own password and ends all other sessions.
 * @throws Problem 400 wrong_password, invalid_request when the new one is the present one
 * Source: decisions §2, ASVS 6.2.3
 */
export async function changePassword(
  tx: Tx,
  sessions: Sessions,
  { proof, passwordHash }: PreparedChange,
  { session, body, by, now }: { session: Session; body: Schema<'PasswordChange'>; by: Actor; now: Date },
): Promise<void> {
  const user = await lockProven(tx, session.userId, proof, 'currentPassword');
  const isSame = body.password.normalize('NFKC') === body.currentPassword.normalize('NFKC');
  if (isSame) throw invalid(authSays.samePassword, [{ field: 'password', message: authSays.samePassword }]);
  requirePassword(body.password, user);
  await changeUser(tx, user.id, { passwordHash: passwordHash ?? user.passwordHash, mustChangePassword: false });
  await sessions.endAllOf(tx, user.id, 'password_changed', session.familyId);
  await endResets(tx, user.id, now);
  await sendNotice(tx, user, { what: 'password_changed' }, now);
  await writeAudit(tx, { by, action: 'user.password_changed', target: { kind: 'user', id: user.id }, now });
}
