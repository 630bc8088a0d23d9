/**
 * Password and code again, before an action that a hijacked session must not perform. Source: ASVS 7.5.1
 */
import { userMessages } from '../../shared/users';
import type { UserRow } from '../users/core/service';
import type { Tx } from '../db/core/transact';
import { lockProven, provePassword, wrongPassword, type PasswordProof } from './passwordChange';
import { codeInvalid, proveCode, type Change } from './secondFactorSetup';
import type { AuthParts } from './service';

/** Proof that the account's owner is at the screen. */
export type OwnProof = { password: PasswordProof; hasCode: boolean };
type Given = { password: string; otp?: string | undefined };

/**
 * Checks both outside the transaction of the change, so that a failed attempt counts even when the change is rejected.
 * @param field the form field with the password
 * @throws Problem 400 wrong_password or wrong_code, 429 too_many_attempts
 */
export async function proveOwn(
  parts: AuthParts,
  user: UserRow,
  { password, otp }: Given,
  change: Change,
  field = 'password',
): Promise<OwnProof> {
  const { request, now } = change;
  const proof = await provePassword(parts.db, { userId: user.id, request }, password, now);
  if (!proof) throw wrongPassword(field);
  if (!user.totpConfirmedAt) return { password: proof, hasCode: false };
  if (!otp?.trim()) throw codeInvalid(userMessages.codeForEmail);
  await proveCode(parts, otp, change);
  return { password: proof, hasCode: true };
}

/**
 * Repeats the check under the lock: password or second factor may have changed since.
 * @throws Problem 400 wrong_password or wrong_code
 */
export async function requireOwnProof(
  tx: Tx,
  userId: string,
  proof: OwnProof | undefined,
  field = 'password',
): Promise<UserRow> {
  const user = await lockProven(tx, userId, proof?.password, field);
  if (user.totpConfirmedAt && !proof?.hasCode) throw codeInvalid(userMessages.codeForEmail);
  return user;
}
