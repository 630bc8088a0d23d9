/**
 * A mail is a row, written with its job in the transaction of its event, so there are both or neither. The row's
 * `about` names the event, and an event is never mailed twice. The text is made when the mail is sent (send.ts,
 * server/letters.ts), so no row or log holds a secret.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { mails, type MailKind } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';

export type NewMail = {
  kind: MailKind;
  /** What it tells, as `order_confirmation:<order>`. */
  about: string;
  recipient: string;
  userId?: string | undefined;
  orderId?: string | undefined;
  /** What the letter needs besides the rows that it points at; never a secret. */
  facts?: Record<string, unknown>;
  /** Sent no sooner than this from now: it may be cancelled until then. */
  delayMs?: number;
  now: Date;
};

export type MailRow = typeof mails.$inferSelect;

/** More than the limit of tries in send.ts, which decides. */
const maxJobAttempts = 30;

/**
 * Writes a mail and the job that sends it.
 * @returns the mail's id; undefined when this event has been told, or is about to be
 */
export async function writeMail(tx: Tx, mail: NewMail): Promise<string | undefined> {
  const { kind, about, recipient, userId, orderId, facts = {}, delayMs = 0, now } = mail;
  const told = { kind, recipient, userId: userId ?? null, orderId: orderId ?? null, facts, createdAt: now };
  const [written] = await tx
    .insert(mails)
    .values({ ...told, id: randomUUID(), about, state: 'waiting' })
    // a step that was taken back and is taken again tells after all
    .onConflictDoUpdate({
      target: mails.about,
      set: { ...told, state: 'waiting', attempts: 0, lastError: null },
      setWhere: eq(mails.state, 'cancelled'),
    })
    .returning({ id: mails.id });
  if (written) await addMailJob(tx, written.id, delayMs);
  return written?.id;
}

/** Takes back a mail that has not been sent yet. */
export async function cancelMail(tx: Tx, about: string): Promise<void> {
  const cancelled = await tx
    .update(mails)
    .set({ state: 'cancelled' })
    .where(and(eq(mails.about, about), inArray(mails.state, ['waiting', 'failed'])))
    .returning({ id: mails.id });
  for (const { id } of cancelled) await tx.execute(sql`select graphile_worker.remove_job(${jobKey(id)})`);
}

/** The job goes by the database's own time, as all jobs do. */
export async function addMailJob(tx: Tx, mailId: string, delayMs = 0): Promise<void> {
  await tx.execute(sql`select graphile_worker.add_job(
    'sendMail', json_build_object('mailId', ${mailId}::text), job_key := ${jobKey(mailId)},
    run_at := now() + ${delayMs} * interval '1 millisecond', max_attempts := ${maxJobAttempts})`);
}

/** @returns the ids of mails that wait and have no living job: their process died while it sent them */
export async function findOrphans(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<Pick<MailRow, 'id'>>(sql`
    select mails.id from mails left join graphile_worker.jobs on key = 'mail:' || mails.id
    where mails.state = 'waiting' and (key is null or locked_at < now() - interval '3 minutes')`);
  return rows.map(({ id }) => id);
}

const jobKey = (mailId: string) => `mail:${mailId}`;
