/**
 * Anyone can register with any address; its owner proves it by opening the mailed link while logged in to the account.
 * Without that login the link proves nothing: the owner would confirm a stranger's account. It can take the account
 * over instead (takeover.ts).
 * Rule: docs/rules/accounts.md, Proven addresses
 */
import { authMessages } from '../../shared/authMessages';
import { lockUser } from '../users/core/service';
import { transact } from '../db/core/transact';
import type { Session } from '../http/contract/access';
import { conflict, forbidden, notFound, unauthenticated } from '../http/core/problems';
import { changeEmail, isSameMailbox } from './emailChange';
import { emailLinkInvalid, mailEmailLink, markProven, spendEmailLink } from './links/emailLinks';
import { countAttempt, proofLinkRateLimits } from './core/attemptLimits';
import type { AuthParts, Caller } from './service';

/**
 * Mails the link again.
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
    if (user.emailProvenAt) throw conflict('email_proven', authMessages.emailProven);
    await countAttempt(tx, proofLinkRateLimits(user.email, address), now);
    await mailEmailLink(tx, secrets, { userId, email: user.email, purpose: 'proof' }, now);
  });
}

/**
 * Proves an account's address with a link's token; needs a session of that account. A requested new address then
 * replaces the old one.
 * @throws Problem 400 email_link_invalid, 401 unauthenticated, 403 forbidden to another account, and 409 email_taken
 *   when another account has taken the new address meanwhile. After all but the first, the link still works.
 */
export async function proveEmail(
  { db }: AuthParts,
  token: string,
  session: Session | undefined,
  { log }: Pick<Caller, 'log'>,
  now: Date,
): Promise<void> {
  const userId = await transact(db, async (tx) => {
    const link = await spendEmailLink(tx, ['proof'], token, now);
    const user = await lockUser(tx, link.userId);
    if (!user?.isEnabled) throw emailLinkInvalid();
    if (!session) throw unauthenticated(authMessages.loginForLink);
    if (session.userId !== user.id) throw forbidden(authMessages.loginForLink);
    if (!isSameMailbox(link.email, user)) {
      // the password check and the end of other sessions happened when the change was requested: users/profile.ts
      await changeEmail(tx, user, link.email, { by: { userId: user.id, requestId: null }, now });
    }
    await markProven(tx, user.id, now);
    return user.id;
  });
  log.info({ event: 'email_proven', user: userId });
}
