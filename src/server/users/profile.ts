import type { Schema } from '../../shared/contract';
import { userSays } from '../../shared/users';
import {
  changeUser,
  emailKey,
  emailTaken,
  findUser,
  lockUser,
  readUser,
  type UserChange,
  type UserWithAddresses,
} from '../account/service';
import { changed, writeAudit } from '../audit/service';
import { sendNotice } from '../auth/notices';
import { endResets } from '../auth/passwordReset';
import { lockProven, provePassword, wrongPassword, type PasswordProof } from '../auth/passwordChange';
import { refuseViolation } from '../db/errors';
import type { Db, Tx } from '../db/transact';
import type { Actor, Session } from '../http/access';
import { invalid, notFound } from '../http/problems';

type ProfileUpdate = Schema<'ProfileUpdate'>;

/**
 * Checks the password where another email address asks for it, before any transaction.
 * @returns undefined when it is not asked for or does not fit
 * @throws Problem 400 wrong_password without one, 429 too_many_attempts
 */
export async function proveForEmail(
  db: Db,
  { userId }: Session,
  { email, password }: ProfileUpdate,
  now: Date,
): Promise<PasswordProof> {
  const user = await findUser(db, userId);
  if (!user) throw notFound();
  if (email === user.email) return undefined;
  return password ? provePassword(db, userId, password, now) : undefined;
}

/**
 * Changes one's own profile. Another email address needs the password; the former one is told.
 * @param proof from `proveForEmail`
 * @throws Problem 400 wrong_password, 409 email_taken
 * Rule: docs/rules/accounts.md, Profile; ASVS 6.2.3, 7.5.1
 */
export async function updateProfile(
  tx: Tx,
  body: ProfileUpdate,
  proof: PasswordProof,
  { session: { userId }, by, now }: { session: Session; by: Actor; now: Date },
): Promise<UserWithAddresses> {
  if (typeof body.dob === 'string' && body.dob > now.toISOString().slice(0, 10))
    throw invalid(userSays.dobInFuture, [{ field: 'dob', message: userSays.dobInFuture }]);
  const user = await lockUser(tx, userId);
  if (!user) throw notFound();
  const isNewEmail = body.email !== user.email;
  if (isNewEmail && !body.password) throw wrongPassword('password', userSays.passwordForEmail);
  if (isNewEmail) await lockProven(tx, userId, proof);

  const change: UserChange = {
    fullName: body.fullName,
    email: body.email,
    emailKey: emailKey(body.email),
    description: body.description,
    ...(body.phoneNumber !== undefined && { phoneNumber: body.phoneNumber }),
    ...(body.dob !== undefined && { dob: body.dob }),
  };
  await refuseViolation(changeUser(tx, userId, change), 'users_email_key', emailTaken);
  if (isNewEmail) {
    await endResets(tx, userId, now); // their mails went to the former address
    await sendNotice(tx, user, { what: 'email_changed' }, now);
  }
  const { emailKey: _, ...shown } = change;
  const facts = changed(user, shown, Object.keys(shown));
  if (facts)
    await writeAudit(tx, { by, action: 'user.profile_changed', target: { kind: 'user', id: userId }, now, ...facts });
  return readUser(tx, userId);
}
