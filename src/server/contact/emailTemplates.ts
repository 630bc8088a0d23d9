/** The letters of the contact form and of the inbox. */
import { eq } from 'drizzle-orm';
import { contactMessages, messageReplies } from '../db/schema/tables';
import type { MailRow } from '../mail/outbox';
import type { Letter, LetterParts } from '../mail/render';

/** What the mail of an answer tells. */
export const replyMail = (replyId: string) => `message_reply:${replyId}`;

/**
 * `facts.messageId` is the message, `facts.to` says whether its writer or the owner is told. The writer's own words go
 * to the owner only: sent to an address that anybody may type in, they would make the shop a sender of others' mail.
 */
export async function contactEmail(mail: MailRow, { db, publicUrl }: LetterParts): Promise<Letter | undefined> {
  const { messageId, to } = mail.facts as { messageId: string; to: 'writer' | 'owner' };
  if (to === 'writer') {
    return {
      subject: 'We have received your message',
      paragraphs: ['Thank you for writing to us. We have received your message and will answer as soon as we can.'],
    };
  }
  const [message] = await db.select().from(contactMessages).where(eq(contactMessages.id, messageId));
  if (!message) return undefined;
  const { fullName, email, phone, reason } = message;
  return {
    subject: `A message from ${fullName}`,
    paragraphs: [reason],
    block: { title: 'From', lines: [fullName, email, phone].filter(Boolean) },
    action: { label: 'Open the messages', url: `${publicUrl.origin}/admin/messages` },
    replyTo: email,
  };
}

/** `facts.replyId` is what staff wrote. For the reason above the message that it answers is not in it. */
export async function replyEmail(mail: MailRow, { db }: LetterParts): Promise<Letter | undefined> {
  const { replyId } = mail.facts as { replyId: string };
  const [reply] = await db.select().from(messageReplies).where(eq(messageReplies.id, replyId));
  if (!reply) return undefined;
  return {
    subject: 'An answer to your message',
    paragraphs: reply.text.split(/\n{2,}/),
    isWrittenByHand: true,
  };
}
