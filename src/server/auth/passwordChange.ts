/**
 * Changes the user's own password, and checks the current one again before actions that a hijacked session must not
 * perform. Source: ASVS 7.5.1
 */
import type { FastifyRequest } from 'fastify';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { changeUser, findUser, lockUser, type UserRow } from '../users/core/service';
import { writeAudit } from '../audit/service';
import type { Db, Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import { invalid, notFound } from '../http/core/problems';
import { countAttempt, noteFailure, noteSuccess, proofRateLimits } from './core/attemptLimits';
import { endPendingEmailChange } from './links/emailLinks';
import { sendNotice } from './core/notices';
import { endResets, requirePassword } from './passwordReset';
import { hashPassword, inTurn, isPassword } from './factors/passwords';
import type { Sessions } from './sessions/sessions';

/** The result of checking the current password, and the new one hashed. */
export type PreparedChange = { proof: PasswordProof; passwordHash: string | undefined };

type PasswordChangeCall = {
  session: Session;
  body: Schema<'PasswordChange'>;
  request: Pick<FastifyRequest, 'ip'>;
  now: Date;
};

/**
 * The slow part, done before any transaction.
 * @throws Problem 400 invalid_request for an unacceptable new password, 429 too_many_attempts, 503 unavailable
 */
export async function preparePasswordChange(
  db: Db,
  { session: { userId, role }, body, request, now }: PasswordChangeCall,
): Promise<PreparedChange> {
  const { currentPassword, password } = body;
  requirePassword(password, { role });
  const proof = await provePassword(db, { userId, request }, currentPassword, now);
  if (!proof) return { proof, passwordHash: undefined };
  const asking = { account: userId, address: request.ip };
  return { proof, passwordHash: await inTurn(asking, () => hashPassword(password)) };
}

/**
 * Changes the user's own password and ends all other sessions.
 * @returns the user with the new password
 * @throws Problem 400 wrong_password, invalid_request when the new password equals the current one
 * Rule: docs/rules/accounts.md, Passwords; ASVS 6.2.3
 */
export async function changePassword(
  tx: Tx,
  sessions: Sessions,
  { proof, passwordHash }: PreparedChange,
  { session, body, by, now }: { session: Session; body: Schema<'PasswordChange'>; by: Actor; now: Date },
): Promise<UserRow> {
  const user = await lockProven(tx, session.userId, proof, 'currentPassword');
  const isSame = body.password.normalize('NFKC') === body.currentPassword.normalize('NFKC');
  if (isSame) throw invalid(authMessages.samePassword, [{ field: 'password', message: authMessages.samePassword }]);
  requirePassword(body.password, user);
  const changes = { passwordHash: passwordHash ?? user.passwordHash, mustChangePassword: false };
  await changeUser(tx, user.id, changes);
  await sessions.endAllOf(tx, user.id, 'password_changed', session.familyId);
  await endResets(tx, user.id, now);
  await endPendingEmailChange(tx, user, now);
  await sendNotice(tx, user, { what: 'password_changed' }, now);
  await writeAudit(tx, { by, action: 'user.password_changed', target: { kind: 'user', id: user.id }, now });
  return { ...user, ...changes };
}

/** The hash that the password matched; undefined if it was wrong. */
export type PasswordProof = { passwordHash: string } | undefined;

/** The user whose password is checked. */
export type PasswordOwner = { userId: string; request: Pick<FastifyRequest, 'ip'> };

/**
 * Checks the password outside any transaction: hashing is slow, and a failed attempt must count even after a rollback.
 * @throws Problem 429 too_many_attempts, 503 unavailable
 */
export async function provePassword(
  db: Db,
  { userId, request }: PasswordOwner,
  password: string,
  now: Date,
): Promise<PasswordProof> {
  const user = await findUser(db, userId);
  if (!user) throw notFound();
  const { passwordHash } = user;
  return inTurn({ account: userId, address: request.ip }, async () => {
    const counted = await countAttempt(db, proofRateLimits(userId), now);
    const isCorrect = await isPassword(password, passwordHash);
    await (isCorrect ? noteSuccess : noteFailure)(db, counted);
    return isCorrect ? { passwordHash } : undefined;
  });
}

/**
 * Locks the user for `tx`.
 * @param field the form field with the current password
 * @throws Problem 400 wrong_password, also when the password changed after the check
 */
export async function lockProven(tx: Tx, userId: string, proof: PasswordProof, field = 'password'): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user?.isEnabled) throw notFound();
  if (proof?.passwordHash !== user.passwordHash) throw wrongPassword(field);
  return user;
}

export const wrongPassword = (field = 'password', message: string = authMessages.wrongPassword) =>
  invalid(message, [{ field, message }], 'wrong_password');
