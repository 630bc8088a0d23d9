import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { contactRateLimits, countAttempt } from '../auth/core/attemptLimits';
import { contactMessages, users } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import { writeMail } from '../mail/outbox';

/** The sender: user if signed in, network address, time. */
export type Writer = { userId: string | undefined; address: string; now: Date };

/**
 * Stores a message and mails the writer and the owners. A bot, which fills in the hidden field, gets the same response,
 * but its message is dropped.
 * @param message as validated by the form
 * @throws Problem 429 too_many_attempts
 * Rule: docs/rules/contact-and-mail.md, Contact form
 */
export async function takeMessage(
  tx: Tx,
  { fullName = '', email, phone = '', reason, website = '' }: Schema<'ContactMessage'>,
  { userId, address, now }: Writer,
): Promise<void> {
  await countAttempt(tx, contactRateLimits(address), now);
  if (website !== '') return;
  const id = randomUUID();
  await tx
    .insert(contactMessages)
    .values({ id, fullName, email, phone, reason, userId: userId ?? null, createdAt: now });
  await notifyWriter(tx, { id, email, userId }, now);
  await notifyOwners(tx, id, now);
}

async function notifyWriter(
  tx: Tx,
  { id, email, userId }: { id: string; email: string; userId: string | undefined },
  now: Date,
): Promise<void> {
  const about = `contact_received:${id}:writer`;
  await writeMail(tx, {
    kind: 'contact_received',
    about,
    recipient: email,
    userId,
    facts: { messageId: id, to: 'writer' },
    now,
  });
}

async function notifyOwners(tx: Tx, id: string, now: Date): Promise<void> {
  const owners = await tx
    .select({ userId: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.role, 'ROLE_OWNER'), eq(users.isEnabled, true)));
  for (const { userId, email } of owners) {
    const about = `contact_received:${id}:owner:${userId}`;
    const facts = { messageId: id, to: 'owner' };
    await writeMail(tx, { kind: 'contact_received', about, recipient: email, facts, now });
  }
}
