/** The present password, asked for again before something that a borrowed session must not do. Source: ASVS 7.5.1 */
import { authSays } from '../../shared/auth';
import type { Db, Tx } from '../db/transact';
import { invalid, notFound } from '../http/problems';
import { findUser, lockUser, type UserRow } from '../users/repository';
import { countAttempt, giveBack, proofBrakes } from './brakes';
import { inTurn, isPassword } from './passwords';

/** What the password was checked against; undefined when it did not fit. */
export type PasswordProof = { passwordHash: string } | undefined;

/**
 * Checks the password, outside any transaction: hashing takes its time, and a guess is counted whatever becomes of it.
 * @throws Problem 429 too_many_attempts, 503 unavailable
 */
export async function provePassword(db: Db, userId: string, password: string, now: Date): Promise<PasswordProof> {
  const user = await findUser(db, userId);
  if (!user) throw notFound();
  const counted = await countAttempt(db, proofBrakes(userId), now);
  const { passwordHash } = user;
  if (!(await inTurn(() => isPassword(password, passwordHash)))) return undefined;
  await giveBack(db, counted);
  return { passwordHash };
}

/**
 * The user, to be changed by `tx` alone.
 * @param field of the form that holds the present password
 * @throws Problem 400 wrong_password, also when it was changed since it was checked
 */
export async function lockProven(tx: Tx, userId: string, proof: PasswordProof, field = 'password'): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user?.isEnabled) throw notFound();
  if (proof?.passwordHash !== user.passwordHash) throw wrongPassword(field);
  return user;
}

export const wrongPassword = (field = 'password', message: string = authSays.wrongPassword) =>
  invalid(message, [{ field, message }], 'wrong_password');
