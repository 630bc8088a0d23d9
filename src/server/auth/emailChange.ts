/** Changes the email address of an account. Rule: docs/rules/accounts.md, Profile */
import { changeUser, emailKey, emailTaken, type UserRow } from '../users/core/service';
import { notKept, writeAudit } from '../audit/service';
import { refuseViolation } from '../db/core/errors';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { endEmailLinks } from './links/emailLinks';
import { sendNotice } from './core/notices';
import { endResets } from './passwordReset';

export const isSameMailbox = (email: string, user: Pick<UserRow, 'emailKey'>): boolean =>
  emailKey(email) === user.emailKey;

/**
 * Replaces the account's address; the new one is unproven. Ends the mailed links and sends a notice to the old address.
 * A different spelling of the same mailbox stays proven and sends no notice.
 * @throws Problem 409 email_taken
 */
export async function changeEmail(
  tx: Tx,
  user: UserRow,
  email: string,
  { by, now }: { by: Actor; now: Date },
): Promise<void> {
  const isSame = isSameMailbox(email, user);
  const change = { email, emailKey: emailKey(email), ...(!isSame && { emailProvenAt: null }) };
  await refuseViolation(changeUser(tx, user.id, change), 'users_email_key', () => emailTaken());
  const facts = { before: { email: notKept }, after: { email: notKept } };
  await writeAudit(tx, { by, action: 'user.profile_changed', target: { kind: 'user', id: user.id }, ...facts, now });
  if (isSame) return;
  await endResets(tx, user.id, now); // their mails went to the former address
  await endEmailLinks(tx, user.id, now);
  await sendNotice(tx, user, { what: 'email_changed' }, now);
}
