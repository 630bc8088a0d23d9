/** The emails of the contact form and the inbox. */
import { eq } from 'drizzle-orm';
import { contactMessages, messageReplies } from '../db/schema/tables';
import type { MailRow } from '../mail/outbox';
import { isStaff } from '../staffMails/service';
import { beginningOf, type EmailContent, type EmailParts } from '../mail/render';

/** The `about` key of the mail that carries a reply. */
export const replyMail = (replyId: string) => `message_reply:${replyId}`;

/**
 * `facts.messageId` is the message; `facts.to` is its recipient: the writer, an owner, or an admin who chose it. Only
 * staff get the message text: any visitor can enter any address, so quoting the text to the writer would let the shop
 * send spam.
 */
export async function contactEmail(mail: MailRow, { db, publicUrl }: EmailParts): Promise<EmailContent | undefined> {
  const { messageId, to } = mail.facts as { messageId: string; to: 'writer' | 'owner' | 'staff' };
  if (to === 'writer') {
    return {
      subject: 'We got your message',
      preheader: "We'll reply to this address as soon as we can.",
      paragraphs: ['Thanks for getting in touch! We got your message and will reply as soon as we can.'],
      why: 'wrote',
    };
  }
  if (mail.userId !== null && !(await isStaff(db, mail.userId))) return undefined;
  const [message] = await db.select().from(contactMessages).where(eq(contactMessages.id, messageId));
  if (!message) return undefined;
  const { fullName, email, phone, reason } = message;
  return {
    subject: `New message from ${fullName}`,
    preheader: beginningOf(reason),
    paragraphs: [reason],
    block: { title: 'From', lines: [fullName, email, phone].filter(Boolean) },
    action: { label: 'View messages', url: `${publicUrl.origin}/admin/messages` },
    why: to === 'owner' ? 'owns' : 'staff',
    replyTo: email,
  };
}

/** `facts.replyId` is the reply by staff. For the reason above it does not quote the message. */
export async function replyEmail(mail: MailRow, { db, sender }: EmailParts): Promise<EmailContent | undefined> {
  const { replyId } = mail.facts as { replyId: string };
  const [reply] = await db.select().from(messageReplies).where(eq(messageReplies.id, replyId));
  if (!reply) return undefined;
  return {
    subject: `Re: your message to ${sender.name}`,
    preheader: beginningOf(reply.text),
    paragraphs: reply.text.split(/\n{2,}/),
    why: 'wrote',
    isWrittenByHand: true,
  };
}
