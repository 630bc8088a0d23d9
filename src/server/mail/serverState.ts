/**
 * Whether the mail server works, as its last use showed: a mail, a test, or a check. All processes share it.
 * Rule: docs/rules/contact-and-mail.md, The mail server
 */
import { and, count, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import type { Connection, Db } from '../db/core/transact';
import { mails, settings } from '../db/schema/tables';
import type { Mailer } from './mailer';
import { mailServerName } from './mailServer';
import { serverFailureOf, type ServerFailure } from './serverFailure';

export type ServerState = Pick<Schema<'EmailSettings'>, 'state' | 'failure' | 'workedAt'>;
type Stored = { workedAt: string | null; failure: Schema<'MailServerFailure'> | null };

/** Its row in `settings`. */
export const serverStateName = 'mail_server_state';
const name = serverStateName;

export async function readServerState(connection: Connection, { fixed }: Pick<Mailer, 'fixed'>): Promise<ServerState> {
  const rows = await connection
    .select()
    .from(settings)
    .where(inArray(settings.name, [mailServerName, name]));
  if (!fixed && !rows.some((row) => row.name === mailServerName))
    return { state: 'none', failure: null, workedAt: null };
  const stored = rows.find((row) => row.name === name)?.value as Stored | undefined;
  const { failure, workedAt } = stored ?? { failure: null, workedAt: null };
  return { state: failure ? 'failing' : 'working', failure, workedAt };
}

export async function hasMailServer(connection: Connection, { fixed }: Pick<Mailer, 'fixed'>): Promise<boolean> {
  if (fixed) return true;
  const found = await connection
    .select({ name: settings.name })
    .from(settings)
    .where(eq(settings.name, mailServerName));
  return found.length > 0;
}

/** Notes that the server accepted something. If it failed before, the mails that wait are sent now. */
export async function noteWorking(db: Db, now: Date): Promise<void> {
  const value: Stored = { workedAt: now.toISOString(), failure: null };
  const hadFailed = sql`jsonb_typeof(${settings.value} -> 'failure') = 'object'`;
  const changed = await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value }, setWhere: hadFailed })
    .returning({ name: settings.name });
  if (changed.length > 0) await retryWaiting(db);
}

export async function noteFailing(db: Db, failure: ServerFailure, now: Date): Promise<void> {
  const value: Stored = { workedAt: null, failure: { ...failure, at: now.toISOString() } };
  await db.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
}

/**
 * Notes what an error of the mailer says about the server. If the server answered and only refused a recipient or a
 * message, it works.
 */
export async function noteError(db: Db, error: unknown, now: Date): Promise<void> {
  const failure = serverFailureOf(error);
  if (failure) await noteFailing(db, failure, now);
  else if (hasAnswered(error)) await noteWorking(db, now);
}

const hasAnswered = (error: unknown): boolean =>
  (error as { responseCode?: number }).responseCode !== undefined ||
  (error instanceof Error && error.cause !== undefined && hasAnswered(error.cause));

/** Connects and logs in, and notes the result. */
export async function checkServer({ db, mailer }: { db: Db; mailer: Mailer }, now: Date): Promise<void> {
  try {
    if (await mailer.check()) await noteWorking(db, now);
  } catch (error) {
    await noteError(db, error, now);
  }
}

/** Mails whose last attempt failed and that will be tried again. */
export async function countWaiting(connection: Connection): Promise<number> {
  const [waiting] = await connection
    .select({ mails: count() })
    .from(mails)
    .where(and(eq(mails.state, 'waiting'), gt(mails.attempts, 0)));
  return waiting?.mails ?? 0;
}

/** After hours without a server, the next attempt of a mail may be hours away. */
async function retryWaiting(db: Db): Promise<void> {
  await db.execute(sql`select graphile_worker.reschedule_jobs(array(
    select jobs.id from graphile_worker.jobs join mails on key = 'mail:' || mails.id
    where mails.state = 'waiting' and mails.attempts > 0), run_at := now())`);
}
