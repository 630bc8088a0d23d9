import { randomUUID } from 'node:crypto';
import type { Schema } from '../../shared/contract';
import { contactRateLimits, countAttempt } from '../auth/core/attemptLimits';
import { contactMessages } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import { writeMail } from '../mail/outbox';
import { findMessageReaders, type StaffMailParts } from '../staffMails/service';

/** The sender: user if signed in, network address, time. */
export type Writer = { userId: string | undefined; address: string; now: Date };

/**
 * Stores a message and mails the writer and the staff who read messages. A bot, which fills in the hidden field, gets the same response,
 * but its message is dropped.
 * @param message as validated by the form
 * @throws Problem 429 too_many_attempts
 * Rule: docs/rules/contact-and-mail.md, Contact form
 */
export async function takeMessage(
  tx: Tx,
  parts: StaffMailParts,
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
  await notifyStaff(tx, parts, id, now);
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

async function notifyStaff(tx: Tx, parts: StaffMailParts, id: string, now: Date): Promise<void> {
  for (const { userId, email, isOwner } of await findMessageReaders(tx, parts)) {
    const to = isOwner ? 'owner' : 'staff';
    const about = `contact_received:${id}:${to}:${userId}`;
    const facts = { messageId: id, to };
    await writeMail(tx, { kind: 'contact_received', about, recipient: email, userId, facts, now });
  }
}
