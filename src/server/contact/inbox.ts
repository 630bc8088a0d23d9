/** The inbox: visitors' messages and the replies of staff. Rule: docs/rules/contact-and-mail.md, Inbox */
import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf, Schema } from '../../shared/contract';
import { notKept, writeAudit } from '../audit/service';
import { allOf, type Conditions, containsText } from '../db/core/listQueries';
import { contactMessages, mails, messageReplies, users } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { notFound } from '../http/core/problems';
import { replyMail } from './emailTemplates';
import { writeMail } from '../mail/outbox';
import { mailStateOf } from '../mail/service';

export type MessageRow = typeof contactMessages.$inferSelect;
export type MessageState = Schema<'MessageState'>;
export type Correspondence = { message: MessageRow; replies: Schema<'Reply'>[] };
type Filter = Omit<QueryOf<'listMessages'>, 'page' | 'size'>;
type StaffAction = { by: Actor & { userId: string }; now: Date };

/** Newest first. */
export async function listMessages(connection: Connection, filter: Filter, { page, size }: PageRequest) {
  const where = allOf(conditions, filter);
  const [content, [total]] = await Promise.all([
    connection
      .select()
      .from(contactMessages)
      .where(where)
      .orderBy(desc(contactMessages.createdAt), desc(contactMessages.id))
      .limit(size)
      .offset(page * size),
    connection.select({ messages: count() }).from(contactMessages).where(where),
  ]);
  return { content, totalElements: total?.messages ?? 0 };
}

export async function countNewMessages(connection: Connection): Promise<number> {
  const [counted] = await connection.select({ messages: count() }).from(contactMessages).where(isIn.new);
  return counted?.messages ?? 0;
}

/** @throws Problem 404 message_not_found */
export async function readMessage(connection: Connection, id: string): Promise<Correspondence> {
  const [message] = await connection.select().from(contactMessages).where(eq(contactMessages.id, id));
  if (!message) throw messageNotFound();
  return { message, replies: await findReplies(connection, id) };
}

export const stateOf = ({ readAt, answeredAt }: MessageRow): MessageState =>
  answeredAt ? 'answered' : readAt ? 'read' : 'new';

/** @throws Problem 404 message_not_found */
export async function setMessageState(
  tx: Tx,
  id: string,
  state: MessageState,
  staffAction: StaffAction,
): Promise<Correspondence> {
  const message = await lockMessage(tx, id);
  const before = stateOf(message);
  if (before !== state) await moveMessage(tx, message, state, staffAction);
  return readMessage(tx, id);
}

/**
 * Replies to a message by mail, and marks it as answered.
 * @throws Problem 404 message_not_found
 */
export async function replyToMessage(
  tx: Tx,
  id: string,
  text: string,
  staffAction: StaffAction,
): Promise<Correspondence> {
  const { by, now } = staffAction;
  const message = await lockMessage(tx, id);
  const replyId = randomUUID();
  await tx.insert(messageReplies).values({ id: replyId, messageId: id, byUserId: by.userId, text, at: now });
  await writeMail(tx, {
    kind: 'message_reply',
    about: replyMail(replyId),
    recipient: message.email,
    userId: message.userId ?? undefined,
    facts: { replyId },
    now,
  });
  const target = { kind: 'message', id } as const;
  await writeAudit(tx, { by, action: 'message.replied', target, after: { text: notKept }, now });
  if (stateOf(message) !== 'answered') await moveMessage(tx, message, 'answered', staffAction);
  return readMessage(tx, id);
}

async function moveMessage(tx: Tx, message: MessageRow, state: MessageState, { by, now }: StaffAction): Promise<void> {
  const { id } = message;
  const readAt = state === 'new' ? null : (message.readAt ?? now);
  await tx
    .update(contactMessages)
    .set({ readAt, answeredAt: state === 'answered' ? now : null })
    .where(eq(contactMessages.id, id));
  const facts = { before: { state: stateOf(message) }, after: { state } };
  await writeAudit(tx, { by, action: 'message.state_changed', target: { kind: 'message', id }, ...facts, now });
}

async function lockMessage(tx: Tx, id: string): Promise<MessageRow> {
  const [message] = await tx.select().from(contactMessages).where(eq(contactMessages.id, id)).for('update');
  if (!message) throw messageNotFound();
  return message;
}

async function findReplies(connection: Connection, messageId: string): Promise<Schema<'Reply'>[]> {
  const rows = await connection
    .select({
      id: messageReplies.id,
      text: messageReplies.text,
      by: users.fullName,
      at: messageReplies.at,
      state: mails.state,
      sentAt: mails.sentAt,
    })
    .from(messageReplies)
    .innerJoin(users, eq(users.id, messageReplies.byUserId))
    .innerJoin(mails, eq(mails.about, sql`'message_reply:' || ${messageReplies.id}`))
    .where(eq(messageReplies.messageId, messageId))
    .orderBy(asc(messageReplies.at), asc(messageReplies.id));
  return rows.map(({ state, sentAt, at, ...reply }) => ({
    ...reply,
    at: at.toISOString(),
    mailState: mailStateOf({ state, sentAt }),
  }));
}

const isIn: Record<MessageState, SQL | undefined> = {
  new: and(isNull(contactMessages.readAt), isNull(contactMessages.answeredAt)),
  read: and(isNotNull(contactMessages.readAt), isNull(contactMessages.answeredAt)),
  answered: isNotNull(contactMessages.answeredAt),
};

function holds(words: string): SQL | undefined {
  if (words === '') return undefined;
  const { fullName, email, reason } = contactMessages;
  return or(...[fullName, email, reason].map((column) => sql`${column} ilike ${containsText(words)}`));
}

/** Written while logged in to this account, or without a login from its email. */
const isFrom = (userId: string): SQL | undefined =>
  or(
    eq(contactMessages.userId, userId),
    sql`lower(${contactMessages.email}) = (select ${users.emailKey} from ${users} where ${users.id} = ${userId})`,
  );

const conditions: Conditions<Filter> = {
  q: (q) => holds(q.trim()),
  state: (state) => isIn[state],
  customer: isFrom,
};

const messageNotFound = () => notFound('message_not_found', 'Message not found');
