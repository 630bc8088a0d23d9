/**
 * Links that prove who has an email address. As with password resets, a link's token is never stored, logged or
 * returned; each link works once, for 30 minutes, and only the newest per account and purpose is valid.
 * Rule: docs/rules/accounts.md, Proven addresses
 */
import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, ne } from 'drizzle-orm';
import { authMessages } from '../../../shared/authMessages';
import { changeUser, type UserRow } from '../../users/core/service';
import { writeAudit } from '../../audit/service';
import { emailLinks, type EmailLinkPurpose } from '../../db/schema/tables';
import type { Connection, Tx } from '../../db/core/transact';
import { invalid } from '../../http/core/problems';
import { writeMail } from '../../mail/outbox';
import { emailLinkMinutes, emailLinkTokenOf, hashLinkToken } from './linkTokens';
import { countWithin, proofLinkRateLimits } from '../core/attemptLimits';
import type { Secrets } from '../core/secrets';

export type EmailLink = {
  userId: string;
  /** The recipient. */
  email: string;
  purpose: EmailLinkPurpose;
};

const mailKinds = { proof: 'email_proof', takeover: 'account_takeover' } as const;

/** Ends the older links and mails a new one. */
export async function mailEmailLink(
  tx: Tx,
  { resetKey }: Pick<Secrets, 'resetKey'>,
  { userId, email, purpose }: EmailLink,
  now: Date,
): Promise<void> {
  await endEmailLinks(tx, userId, now, purpose);
  const id = randomUUID();
  await tx.insert(emailLinks).values({
    id,
    userId,
    purpose,
    email,
    tokenHash: hashLinkToken(emailLinkTokenOf(id, resetKey)),
    createdAt: now,
    expiresAt: new Date(now.getTime() + emailLinkMinutes * 60_000),
  });
  const kind = mailKinds[purpose];
  await writeMail(tx, { kind, about: `${kind}:${id}`, recipient: email, userId, facts: { linkId: id }, now });
}

/** Mails the link to a new account, unless the address has reached its daily limit; it can be requested later. */
export async function mailFirstProofLink(
  tx: Tx,
  secrets: Pick<Secrets, 'resetKey'>,
  { address, ...account }: { userId: string; email: string; address: string },
  now: Date,
): Promise<void> {
  if (!(await countWithin(tx, proofLinkRateLimits(account.email, address), now))) return;
  await mailEmailLink(tx, secrets, { ...account, purpose: 'proof' }, now);
}

/** Both are mailed to the address itself, so either lets its owner take the account over. */
export const takeoverPurposes = ['takeover', 'proof'] as const;

/** Spends a link. @throws Problem 400 email_link_invalid */
export async function spendEmailLink(
  tx: Tx,
  purposes: readonly EmailLinkPurpose[],
  token: string,
  now: Date,
): Promise<Pick<EmailLink, 'userId' | 'email'>> {
  const [link] = await tx
    .update(emailLinks)
    .set({ endedAt: now })
    .where(isUsable(purposes, token, now))
    .returning({ userId: emailLinks.userId, email: emailLinks.email });
  if (!link) throw emailLinkInvalid();
  return link;
}

/** The link of a token, if it is still valid. */
export async function findEmailLink(
  connection: Connection,
  purposes: readonly EmailLinkPurpose[],
  token: string,
  now: Date,
): Promise<Pick<EmailLink, 'userId' | 'email'> | undefined> {
  const [link] = await connection
    .select()
    .from(emailLinks)
    .where(isUsable(purposes, token, now));
  return link;
}

const isUsable = (purposes: readonly EmailLinkPurpose[], token: string, now: Date) =>
  and(
    eq(emailLinks.tokenHash, hashLinkToken(token)),
    inArray(emailLinks.purpose, purposes),
    isNull(emailLinks.endedAt),
    gt(emailLinks.expiresAt, now),
  );

/** Marks the account's address as proven and ends its open links. */
export async function markProven(tx: Tx, userId: string, now: Date): Promise<void> {
  await changeUser(tx, userId, { emailProvenAt: now });
  await endEmailLinks(tx, userId, now);
  const by = { userId, requestId: null };
  await writeAudit(tx, { by, action: 'user.email_proven', target: { kind: 'user', id: userId }, now });
}

/** @param purpose all purposes by default */
export async function endEmailLinks(tx: Tx, userId: string, now: Date, purpose?: EmailLinkPurpose): Promise<void> {
  const isOfUser = and(eq(emailLinks.userId, userId), isNull(emailLinks.endedAt));
  await tx
    .update(emailLinks)
    .set({ endedAt: now })
    .where(and(isOfUser, purpose && eq(emailLinks.purpose, purpose)));
}

/** Cancels a requested change of the address: it may come from someone who had access to a session. */
export async function endPendingEmailChange(
  tx: Tx,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  now: Date,
): Promise<void> {
  await tx
    .update(emailLinks)
    .set({ endedAt: now })
    .where(and(eq(emailLinks.userId, id), isNull(emailLinks.endedAt), ne(emailLinks.email, email)));
}

export const emailLinkInvalid = () => invalid(authMessages.emailLinkInvalid, [], 'email_link_invalid');
