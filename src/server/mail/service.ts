/** The email log for the owner: listing, reading and resending mails. */
import { and, count, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { QueryOf, Schema } from '../../shared/contract';
import { writeAudit } from '../audit/service';
import { allOf, type Conditions } from '../db/core/listQueries';
import { mails, orders } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { conflict, notFound } from '../http/core/problems';
import { addMailJob, type MailRow } from './outbox';
import { renderText, footerOf } from './render';
import { secretKinds } from './secretKinds';
import type { MailParts } from './send';

export type MailView = MailRow & { orderNumber: string | null };

type ShownState = Schema<'MailState'>;

/** The state as shown. A mail written to a file was not sent, so it has no `sentAt`. */
export const mailStateOf = ({ state, sentAt }: Pick<MailRow, 'state' | 'sentAt'>): ShownState =>
  state === 'sent' && !sentAt ? 'not_sent' : state;

const isInState = (state: ShownState) => {
  if (state !== 'sent' && state !== 'not_sent') return eq(mails.state, state);
  return and(eq(mails.state, 'sent'), state === 'sent' ? isNotNull(mails.sentAt) : isNull(mails.sentAt));
};

type Filter = Omit<QueryOf<'listMails'>, 'page' | 'size'>;
const conditions: Conditions<Filter> = { state: isInState };

/** Newest first. */
export async function listMails(connection: Connection, filter: Filter, { page, size }: PageRequest) {
  const where = allOf(conditions, filter);
  const rows = await readMails(connection)
    .where(where)
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(size)
    .offset(page * size);
  const [total] = await connection.select({ mails: count() }).from(mails).where(where);
  return { content: rows.map(toView), totalElements: total?.mails ?? 0 };
}

/**
 * A mail with its text, rendered again from its facts, and its file if there is no mail server. For a mail with a
 * private link, both are left out.
 * @throws Problem 404 mail_not_found
 */
export async function readMail(parts: MailParts, mailId: string) {
  const view = await requireMail(parts.db, mailId);
  if (secretKinds.includes(view.kind)) return { view };
  const sender = await parts.findSender();
  const letter = await parts.emailTemplates[view.kind](view, { ...parts, sender });
  return {
    view,
    letter: letter && { ...letter, text: renderText(letter, sender), signature: footerOf(sender, letter.why) },
    file: await parts.mailer.read(view.id),
  };
}

/**
 * Resends a mail that was sent, has failed, or waits for a retry. Admins may do so with mails about orders. A mail that was not attempted yet keeps its scheduled
 * time, since it can be canceled until then.
 * @throws Problem 404 mail_not_found, 409 mail_cancelled
 */
export async function resendMail(
  tx: Tx,
  mailId: string,
  { session, by, now }: { session: Session; by: Actor; now: Date },
): Promise<MailView> {
  await tx.select({ id: mails.id }).from(mails).where(eq(mails.id, mailId)).for('update');
  const mail = await requireMail(tx, mailId);
  if (session.role !== 'ROLE_OWNER' && !isAboutOrder(mail)) throw mailNotFound();
  if (mail.state === 'cancelled') throw conflict('mail_cancelled', "This email was canceled, so it won't be sent");
  if (mail.state === 'waiting' && mail.attempts === 0) return mail;
  await tx.update(mails).set({ state: 'waiting', attempts: 0, lastError: null }).where(eq(mails.id, mail.id));
  await addMailJob(tx, mail.id);
  await writeAudit(tx, { by, action: 'mail.resent', target: { kind: 'mail', id: mail.id }, now });
  return requireMail(tx, mailId);
}

/** What an order's page lists. The log with all other mails is the owner's. */
const isAboutOrder = ({ orderId, kind }: MailRow): boolean => orderId !== null && kind !== 'new_order';

const mailNotFound = () => notFound('mail_not_found', 'Email not found');

async function requireMail(connection: Connection, mailId: string): Promise<MailView> {
  const [found] = await readMails(connection).where(eq(mails.id, mailId));
  if (!found) throw mailNotFound();
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
