/** What the owner may see of the mails, and do: look, and send again. */
import { count, desc, eq } from 'drizzle-orm';
import { writeAudit } from '../audit/service';
import { mails, orders, type MailKind, type MailState } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import type { Actor } from '../http/access';
import type { PageRequest } from '../http/paging';
import { conflict, notFound } from '../http/problems';
import { addMailJob, type MailRow } from './outbox';
import { renderText } from './render';
import type { MailParts } from './send';

/** Kinds with a secret in them: they are shown to nobody but the recipient. */
const secretKinds: ReadonlySet<MailKind> = new Set(['password_reset', 'email_proof', 'account_takeover']);

export type MailView = MailRow & { orderNumber: string | null };

/** Newest first. */
export async function listMails(connection: Connection, state: MailState | undefined, { page, size }: PageRequest) {
  const where = state && eq(mails.state, state);
  const rows = await readMails(connection)
    .where(where)
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(size)
    .offset(page * size);
  const [total] = await connection.select({ mails: count() }).from(mails).where(where);
  return { content: rows.map(toView), totalElements: total?.mails ?? 0 };
}

/**
 * One mail with its words, written anew from what it tells of, and, without a mail server, the file it became. One with
 * a secret has no words here; its file has them, as it would lie in the recipient's mailbox.
 * @throws Problem 404 mail_not_found
 */
export async function readMail(parts: MailParts, mailId: string) {
  const view = await requireMail(parts.db, mailId);
  const write = secretKinds.has(view.kind) ? undefined : parts.letters[view.kind];
  const letter = await write?.(view, parts);
  return {
    view,
    letter: letter && { subject: letter.subject, text: renderText(letter, await parts.findSender()) },
    file: await parts.mailer.read(view.id),
  };
}

/**
 * Sends a mail again, whether it was sent, was given up, or still waits for its next try. One that was not tried yet
 * goes out when it was to: until then it may be taken back.
 * @throws Problem 404 mail_not_found, 409 mail_cancelled
 */
export async function resendMail(tx: Tx, mailId: string, by: Actor, now: Date): Promise<MailView> {
  await tx.select({ id: mails.id }).from(mails).where(eq(mails.id, mailId)).for('update');
  const mail = await requireMail(tx, mailId);
  if (mail.state === 'cancelled') throw conflict('mail_cancelled', 'This mail was taken back and is not sent');
  if (mail.state === 'waiting' && mail.attempts === 0) return mail;
  await tx.update(mails).set({ state: 'waiting', attempts: 0, lastError: null }).where(eq(mails.id, mail.id));
  await addMailJob(tx, mail);
  await writeAudit(tx, { by, action: 'mail.resent', target: { kind: 'mail', id: mail.id }, now });
  return requireMail(tx, mailId);
}

async function requireMail(connection: Connection, mailId: string): Promise<MailView> {
  const [found] = await readMails(connection).where(eq(mails.id, mailId));
  if (!found) throw notFound('mail_not_found', 'Mail not found');
  return toView(found);
}

const readMails = (connection: Connection) =>
  connection
    .select({ mail: mails, orderNumber: orders.orderNumber })
    .from(mails)
    .leftJoin(orders, eq(orders.id, mails.orderId));

const toView = ({ mail, orderNumber }: Awaited<ReturnType<typeof readMails>>[number]): MailView => ({
  ...mail,
  orderNumber,
});
