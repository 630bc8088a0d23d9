/**
 * The job that sends a mail. It first checks the mail's row and skips mails that were sent, canceled or failed, so a
 * job that runs twice sends once. If the process dies after the mail server accepted the mail but before the row is
 * updated, the same Message-ID goes out twice, which is better than never.
 */
import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { mailMessages } from '../../shared/mail';
import { recordAlarm, raiseAlarm } from '../alarms/service';
import { mails, type MailKind } from '../db/schema/tables';
import { transact, type Connection } from '../db/core/transact';
import { describeFailure } from '../db/core/loggedErrors';
import { MailRefused, type Mailer } from './mailer';
import type { MailServer } from './mailServer';
import { addMailJob, findOrphans, type MailRow, type NewMail } from './outbox';
import type { EmailParts, EmailTemplate, Sender } from './render';
import { checkServer, noteError, noteWorking, readServerState } from './serverState';

export type MailParts = Omit<EmailParts, 'sender'> & {
  mailer: Mailer;
  emailTemplates: Readonly<Record<MailKind, EmailTemplate>>;
  /** The shop's settings at the time of sending. */
  findSender: () => Promise<Sender>;
};

/**
 * With the job queue's backoff (e, e², e³ … seconds, 6 hours at most) the last attempt is about a day after the first.
 */
const maxAttempts = 13;

/** @throws a plain Error, so that the queue retries later */
export async function sendMail(parts: MailParts, mailId: string): Promise<void> {
  const { db, clock } = parts;
  const [mail] = await db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1` })
    .where(and(eq(mails.id, mailId), eq(mails.state, 'waiting')))
    .returning();
  if (!mail) return;
  try {
    // a newer version wrote the mail and was rolled back since
    if (!Object.hasOwn(parts.emailTemplates, mail.kind)) throw new MailRefused(`no email template for ${mail.kind}`);
    const sender = await parts.findSender();
    const letter = await parts.emailTemplates[mail.kind](mail, { ...parts, sender });
    if (!letter) return void (await db.update(mails).set({ state: 'cancelled' }).where(eq(mails.id, mailId)));
    const date = clock.now();
    const answer = await parts.mailer.send({ mailId, recipient: mail.recipient, letter, sender, date });
    const sentAt = answer === undefined ? null : date; // see mailStateOf in service.ts
    await db.update(mails).set({ state: 'sent', sentAt, lastError: null }).where(eq(mails.id, mailId));
    if (sentAt) await noteWorking(db, sentAt);
  } catch (error) {
    await noteError(db, error, clock.now());
    await noteFailure(parts, mail, error);
  }
}

/**
 * Sends a mail right away, through a server that the shop no longer uses, and adds it to the log.
 * @returns whether the server accepted it
 */
export async function sendThrough(
  { mailer, ...parts }: MailParts,
  server: MailServer,
  { kind, about, recipient, userId, facts = {}, now }: NewMail,
): Promise<boolean> {
  const mail = {
    id: randomUUID(),
    kind,
    about,
    recipient,
    userId: userId ?? null,
    orderId: null,
    facts,
    createdAt: now,
  };
  const row: MailRow = { ...mail, state: 'sent', attempts: 1, lastError: null, sentAt: now };
  const sender = await parts.findSender();
  const letter = await parts.emailTemplates[kind](row, { ...parts, sender });
  if (!letter) return false;
  try {
    await mailer.sendThrough(server, { mailId: row.id, recipient, letter, sender, date: now });
  } catch {
    return false;
  }
  await parts.db.insert(mails).values(row);
  return true;
}

async function noteFailure({ db, clock }: MailParts, mail: MailRow, error: unknown): Promise<void> {
  const { message, code } = describeFailure(error); // without addresses
  const lastError = [code, message].filter(Boolean).join(': ').slice(0, 300);
  const isLast = error instanceof MailRefused || mail.attempts >= maxAttempts;
  const now = clock.now();
  await transact(db, async (tx) => {
    await tx
      .update(mails)
      .set({ lastError, ...(isLast && { state: 'failed' as const }) })
      .where(and(eq(mails.id, mail.id), eq(mails.state, 'waiting')));
    if (!isLast) return;
    await raiseAlarm(tx, {
      kind: 'mail_failed',
      about: `mail:${mail.id}:${now.toISOString()}`, // unique per failure: the owner may resend the mail
      orderId: mail.orderId ?? undefined,
      detail: `An email (${mail.kind}) couldn't be sent: ${lastError}`,
      now,
    });
  });
  if (!isLast) throw new Error(`an email couldn't be sent: ${lastError}`);
}

/**
 * Requeues mails whose job died with its process, since the queue itself would wait for hours. Raises or ends the alarm
 * about mails that have been waiting for long.
 */
export async function sweepMails(parts: MailParts): Promise<void> {
  const { db, clock } = parts;
  const now = clock.now();
  await transact(db, async (tx) => {
    for (const id of await findOrphans(tx)) await addMailJob(tx, id);
    await recordAlarm(tx, 'mail_waiting', await findWaiting(tx, now), now);
  });
  if (await isDueForCheck(parts, now)) await checkServer(parts, now);
}

const checkEveryMs = 5 * 60_000;

/**
 * While the server can't be reached, it is checked every five minutes, so that the mails go out soon after it is back.
 * Not after a rejected login: with repeated attempts, a server locks the account.
 */
async function isDueForCheck(parts: MailParts, now: Date): Promise<boolean> {
  const { failure } = await readServerState(parts.db, parts.mailer);
  if (!failure || !['unreachable', 'slow', 'refused'].includes(failure.reason)) return false;
  return now.getTime() - Date.parse(failure.at) >= checkEveryMs;
}

const waitingIsLongMs = 15 * 60_000;

/** Mails that were attempted and still wait, for the alarm. Rule: docs/rules/contact-and-mail.md, Mails */
async function findWaiting(connection: Connection, now: Date) {
  const isLate = lte(mails.createdAt, new Date(now.getTime() - waitingIsLongMs));
  const waiting = await connection
    .select({ id: mails.id, lastError: mails.lastError })
    .from(mails)
    .where(and(eq(mails.state, 'waiting'), gt(mails.attempts, 0), isLate))
    .orderBy(asc(mails.createdAt), asc(mails.id));
  const [oldest] = waiting;
  return (
    oldest && { about: `mail_waiting:${oldest.id}`, detail: mailMessages.waiting(waiting.length, oldest.lastError) }
  );
}
