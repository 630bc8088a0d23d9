/**
 * The user's own profile. A hijacked session could take over an account by changing its email, so a new email requires
 * the password and the code, ends all other sessions, and stays unproven until the link mailed to it is opened.
 * Rule: docs/rules/accounts.md, Profile
 */
import { isStaff } from '../../shared/auth';
import type { Schema } from '../../shared/contract';
import { userMessages } from '../../shared/users';
import {
  changeUser,
  emailTaken,
  findUser,
  findUserByEmail,
  lockUser,
  readUser,
  type UserChange,
  type UserRow,
  type UserWithAddresses,
} from './core/service';
import { changed, writeAudit } from '../audit/service';
import { changeEmail, isSameMailbox } from '../auth/emailChange';
import { mailEmailLink } from '../auth/links/emailLinks';
import { sendNotice } from '../auth/core/notices';
import { proveOwn, requireOwnProof, type OwnProof } from '../auth/ownProof';
import { wrongPassword } from '../auth/passwordChange';
import {
  countAttempt,
  countWithin,
  emailChangeRateLimits,
  noteSuccess,
  proofLinkRateLimits,
} from '../auth/core/attemptLimits';
import type { AuthParts } from '../auth/service';
import { requestTakeoverLink } from '../auth/links/takeoverLinks';
import { transact, type Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import { invalid, notFound } from '../http/core/problems';

type ProfileUpdate = Schema<'ProfileUpdate'>;
export type OwnChange = {
  session: Session;
  by: Actor;
  /** The network address, for the limits. */
  address: string;
  now: Date;
};

/**
 * Changes the user's own profile.
 * @returns the user; for staff and accounts with a second factor, the old email stays until the new one is proven
 * @throws Problem 400 wrong_password or wrong_code, 409 email_taken, 429 too_many_attempts
 * Rule: docs/rules/accounts.md, Profile; ASVS 6.2.3, 7.5.1
 */
export async function updateProfile(
  parts: AuthParts,
  body: ProfileUpdate,
  change: OwnChange,
): Promise<UserWithAddresses> {
  const { now, session } = change;
  if (typeof body.dob === 'string' && body.dob > now.toISOString().slice(0, 10))
    throw invalid(userMessages.dobInFuture, [{ field: 'dob', message: userMessages.dobInFuture }]);
  const proof = await proveForEmail(parts, body, change);
  return transact(parts.db, async (tx) => {
    const before = await lockUser(tx, session.userId);
    if (!before) throw notFound();
    const isNewEmail = body.email !== before.email;
    if (isNewEmail) await requireOwnProof(tx, before.id, proof);
    await writeProfile(tx, before, body, change);
    if (isNewEmail) await startEmailChange(tx, parts, before, { ...change, email: body.email });
    return readUser(tx, before.id);
  });
}

/**
 * Checks what a new email requires, each part outside the transaction of the change, so that a failed attempt counts
 * even when the change is rejected. Whether the email is taken is revealed last.
 * @returns undefined when the email does not change
 */
async function proveForEmail(
  parts: AuthParts,
  { email, password, otp }: ProfileUpdate,
  { session, address, by, now }: OwnChange,
): Promise<OwnProof | undefined> {
  const { db } = parts;
  const user = await findUser(db, session.userId);
  if (!user) throw notFound();
  if (email === user.email) return undefined;
  if (!password) throw wrongPassword('password', userMessages.passwordForEmail);
  const proof = await proveOwn(parts, user, { password, otp }, { session, by, request: { ip: address }, now });
  const counted = await countAttempt(db, emailChangeRateLimits(user.id, address), now);
  const holder = await findUserByEmail(db, email);
  if (holder && holder.id !== user.id) {
    await requestTakeoverLink(db, { email, address }); // a stranger may have registered it: its owner can take it over
    throw emailTaken();
  }
  await noteSuccess(db, counted);
  return proof;
}

/** Staff and accounts with a second factor must have a proven email. */
const needsProvenEmail = ({ role, totpConfirmedAt }: UserRow): boolean => isStaff(role) || totpConfirmedAt !== null;

/** Everything except the email. */
async function writeProfile(tx: Tx, before: UserRow, body: ProfileUpdate, { by, now }: OwnChange): Promise<void> {
  const { fullName, description, phoneNumber, dob } = body;
  const shown: UserChange = {
    fullName,
    description,
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(dob !== undefined && { dob }),
  };
  await changeUser(tx, before.id, shown);
  const facts = changed(before, shown, Object.keys(shown));
  const target = { kind: 'user', id: before.id } as const;
  if (facts) await writeAudit(tx, { by, action: 'user.profile_changed', target, now, ...facts });
}

type NewEmail = OwnChange & { email: string };

/** Starts the email change: ends other sessions, notifies the old address and mails the proof link to the new one. */
async function startEmailChange(
  tx: Tx,
  { sessions, secrets }: AuthParts,
  before: UserRow,
  { email, session, address, by, now }: NewEmail,
): Promise<void> {
  const { id: userId } = before;
  const isSame = isSameMailbox(email, before);
  const waits = !isSame && needsProvenEmail(before);
  await sessions.endAllOf(tx, userId, 'email_changed', session.familyId);
  if (!waits) await changeEmail(tx, before, email, { by, now });
  if (isSame) return;
  const limits = proofLinkRateLimits(email, address);
  // a pending change could never be completed without its link
  if (waits) await countAttempt(tx, limits, now);
  else if (!(await countWithin(tx, limits, now))) return;
  await mailEmailLink(tx, secrets, { userId, email, purpose: 'proof' }, now);
  if (!waits) return;
  await sendNotice(tx, before, { what: 'email_asked_for' }, now);
  await writeAudit(tx, { by, action: 'user.email_asked_for', target: { kind: 'user', id: userId }, now });
}
