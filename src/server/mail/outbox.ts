/**
 * A mail is a row, written with its job in the transaction of its event, so both exist or neither. The row's `about`
 * names the event, which is never mailed twice. The text is rendered when the mail is sent (send.ts,
 * process/emailTemplates.ts), so no row or log holds a secret.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { mails, type MailKind } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';

export type NewMail = {
  kind: MailKind;
  /** The event, such as `order_confirmation:<order>`. */
  about: string;
  recipient: string;
  userId?: string | undefined;
  orderId?: string | undefined;
  /** What the template needs besides the referenced rows; never a secret. */
  facts?: Record<string, unknown>;
  /** Delay before sending, in which the mail can still be canceled. */
  delayMs?: number;
  now: Date;
};

export type MailRow = typeof mails.$inferSelect;

/** Above the limit of attempts in send.ts, which applies first. */
const maxJobAttempts = 30;

/**
 * Writes a mail and the job that sends it.
 * @returns the mail's id; undefined when a mail about this event exists already
 */
export async function writeMail(tx: Tx, mail: NewMail): Promise<string | undefined> {
  const { kind, about, recipient, userId, orderId, facts = {}, delayMs = 0, now } = mail;
  const fields = { kind, recipient, userId: userId ?? null, orderId: orderId ?? null, facts, createdAt: now };
  const [written] = await tx
    .insert(mails)
    .values({ ...fields, id: randomUUID(), about, state: 'waiting' })
    // a canceled mail is sent after all when its step is undone and done again
    .onConflictDoUpdate({
      target: mails.about,
      set: { ...fields, state: 'waiting', attempts: 0, lastError: null },
      setWhere: eq(mails.state, 'cancelled'),
    })
    .returning({ id: mails.id });
  if (written) await addMailJob(tx, written.id, delayMs);
  return written?.id;
}

/** Cancels a mail that has not been sent yet. */
export async function cancelMail(tx: Tx, about: string): Promise<void> {
  const cancelled = await tx
    .update(mails)
    .set({ state: 'cancelled' })
    .where(and(eq(mails.about, about), inArray(mails.state, ['waiting', 'failed'])))
    .returning({ id: mails.id });
  for (const { id } of cancelled) await tx.execute(sql`select graphile_worker.remove_job(${jobKey(id)})`);
}

/** Like all jobs, it is scheduled by the database's clock. */
export async function addMailJob(tx: Tx, mailId: string, delayMs = 0): Promise<void> {
  await tx.execute(sql`select graphile_worker.add_job(
    'sendMail', json_build_object('mailId', ${mailId}::text), job_key := ${jobKey(mailId)},
    run_at := now() + ${delayMs} * interval '1 millisecond', max_attempts := ${maxJobAttempts})`);
}

/** @returns the ids of waiting mails without a live job: their process died while sending */
export async function findOrphans(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<Pick<MailRow, 'id'>>(sql`
    select mails.id from mails left join graphile_worker.jobs on key = 'mail:' || mails.id
    where mails.state = 'waiting' and (key is null or locked_at < now() - interval '3 minutes')`);
  return rows.map(({ id }) => id);
}

const jobKey = (mailId: string) => `mail:${mailId}`;
