/**
 * Whoever registers may name any address; opening the link that is mailed to it proves that it is theirs.
 * Rule: docs/rules/accounts.md, Proven addresses
 */
import { authSays } from '../../shared/authSays';
import { changeUser, emailKey, emailTaken, lockUser, type UserRow } from '../account/service';
import { notKept, writeAudit } from '../audit/service';
import { refuseViolation } from '../db/errors';
import { transact, type Tx } from '../db/transact';
import type { Session } from '../http/access';
import { conflict, notFound } from '../http/problems';
import { emailLinkInvalid, mailEmailLink, noteProof, spendEmailLink } from './emailLinks';
import { sendNotice } from './notices';
import { endResets } from './passwordReset';
import { countAttempt, proofLinkRateLimits } from './rateLimits';
import type { AuthParts, Caller } from './service';

/**
 * Mails the link once more.
 * @throws Problem 409 email_proven, 429 too_many_attempts
 */
export async function sendProofLink(
  { db, secrets }: AuthParts,
  { userId }: Session,
  { address }: Pick<Caller, 'address'>,
  now: Date,
): Promise<void> {
  await transact(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.isEnabled) throw notFound();
    if (user.emailProvenAt) throw conflict('email_proven', authSays.emailProven);
    await countAttempt(tx, proofLinkRateLimits(user.email, address), now);
    await mailEmailLink(tx, secrets, { userId, email: user.email, purpose: 'proof' }, now);
  });
}

/**
 * Proves an account's address by a link's token. One that waits for its proof takes the place of the former one.
 * @throws Problem 400 email_link_invalid, 409 email_taken when somebody else has the new address by now
 */
export async function proveEmail(
  { db }: AuthParts,
  token: string,
  { log }: Pick<Caller, 'log'>,
  now: Date,
): Promise<void> {
  const userId = await transact(db, async (tx) => {
    const link = await spendEmailLink(tx, 'proof', token, now);
    const user = await lockUser(tx, link.userId);
    if (!user?.isEnabled) throw emailLinkInvalid();
    if (user.emailKey !== emailKey(link.email)) await changeEmail(tx, user, link.email, now);
    await noteProof(tx, user.id, now);
    return user.id;
  });
  log.info({ event: 'email_proven', user: userId });
}

/** The password was asked for, and other sessions ended, when the link was: see users/profile.ts. */
async function changeEmail(tx: Tx, user: UserRow, email: string, now: Date): Promise<void> {
  const change = changeUser(tx, user.id, { email, emailKey: emailKey(email) });
  await refuseViolation(change, 'users_email_key', () => emailTaken());
  await endResets(tx, user.id, now); // their mails went to the former address
  await sendNotice(tx, user, { what: 'email_changed' }, now);
  const by = { userId: user.id, requestId: null };
  const facts = { before: { email: notKept }, after: { email: notKept } };
  await writeAudit(tx, { by, action: 'user.profile_changed', target: { kind: 'user', id: user.id }, ...facts, now });
}
