/**
 * The mail server in Settings. Who changes it could read every mail, so it needs the owner's password and code, and the
 * owner is notified. Rule: docs/rules/contact-and-mail.md, The mail server
 */
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { isEmailAddress } from '../../shared/emailAddress';
import { emailSettingsMessages, usualPorts } from '../../shared/emailSettings';
import { changed, notKept, writeAudit } from '../audit/service';
import { countAttempt, testEmailRateLimits } from '../auth/core/attemptLimits';
import { sendNotice } from '../auth/core/notices';
import { proveOwn, requireOwnProof } from '../auth/ownProof';
import type { Change } from '../auth/secondFactorSetup';
import type { AuthParts } from '../auth/service';
import { describeFailure } from '../db/core/loggedErrors';
import { transact, type Db, type Tx } from '../db/core/transact';
import { settings } from '../db/schema/tables';
import { conflict, invalid, notFound } from '../http/core/problems';
import {
  deleteMailServer,
  findMailServer,
  isSameLogin,
  saveMailServer,
  type FoundServer,
  type MailServer,
} from '../mail/mailServer';
import { MailRefused } from '../mail/mailer';
import { sendThrough, type MailParts } from '../mail/send';
import {
  checkServer,
  countWaiting,
  noteError,
  noteWorking,
  readServerState,
  serverStateName,
} from '../mail/serverState';
import { findUser, type UserRow } from '../users/core/service';

export type EmailParts = AuthParts & { mail: MailParts };

/** Everything that the page shows; never the password. */
export async function readEmailSettings({ db, secrets, mail }: EmailParts): Promise<Schema<'EmailSettings'>> {
  const { mailer } = mail;
  const { fixed, from } = mailer;
  const found: MailServer | undefined = fixed ?? (await findMailServer(db, secrets.mailKeys));
  const { host, port, security, user = '', sender } = found ?? { ...none, sender: isEmailAddress(from) ? from : '' };
  return {
    host,
    port,
    security,
    user,
    sender,
    hasPassword: found?.password !== undefined,
    isFixed: fixed !== undefined,
    ...(await readServerState(db, mailer)),
    waiting: await countWaiting(db),
  };
}

const none = { host: '', port: usualPorts.starttls, security: 'starttls', user: '' } as const;

/**
 * Saves the mail server and checks it. Mails that wait are tried again if it works.
 * @returns the settings, with the result of the check
 * @throws Problem 400 wrong_password or wrong_code, 400 invalid_request without the password for another login, 409
 *   email_settings_fixed, 429 too_many_attempts
 */
export async function setEmailSettings(
  parts: EmailParts,
  { currentPassword, otp, ...server }: Schema<'NewEmailSettings'>,
  change: Change,
): Promise<Schema<'EmailSettings'>> {
  const { db, mail } = parts;
  if (mail.mailer.fixed) throw conflict('email_settings_fixed', emailSettingsMessages.fixed);
  const { userId } = change.session;
  const owner = await findUser(db, userId);
  if (!owner) throw notFound();
  const proof = await proveOwn(parts, owner, { password: currentPassword, otp }, change, 'currentPassword');
  await transact(db, async (tx) => {
    const locked = await requireOwnProof(tx, userId, proof, 'currentPassword');
    if (!(await changeServer(tx, parts, server, change))) return;
    await sendNotice(tx, locked, { what: 'email_settings_changed' }, change.now);
  });
  await checkServer(mail, change.now);
  return readEmailSettings(parts);
}

/**
 * Removes the mail server. The owner is notified through it, if it works. Mails that wait become 'Not sent'.
 * @throws Problem 400 wrong_password or wrong_code, 409 email_settings_fixed, 409 no_mail_server, 429 too_many_attempts
 */
export async function removeMailServer(
  parts: EmailParts,
  given: Schema<'MailServerProof'>,
  change: Change,
): Promise<Schema<'EmailSettings'>> {
  const { db, mail, secrets } = parts;
  const { by, now, session } = change;
  if (mail.mailer.fixed) throw conflict('email_settings_fixed', emailSettingsMessages.fixed);
  const { state } = await readServerState(db, mail.mailer);
  if (state === 'none') throw conflict('no_mail_server', emailSettingsMessages.noServer);
  const owner = await findUser(db, session.userId);
  if (!owner) throw notFound();
  const proof = await proveOwn(parts, owner, given, change);
  const { proven, server } = await transact(db, async (tx) => {
    const locked = await requireOwnProof(tx, session.userId, proof);
    await tx.execute(sql`select pg_advisory_xact_lock(${settingsLock})`);
    const before = await findMailServer(tx, secrets.mailKeys);
    if (!before) throw conflict('no_mail_server', emailSettingsMessages.noServer);
    await deleteMailServer(tx);
    await tx.delete(settings).where(eq(settings.name, serverStateName));
    const facts = changed(publicParts(before), removed, personal);
    await writeAudit(tx, { by, action: 'setting.changed', target: { kind: 'setting', id: 'email' }, ...facts, now });
    return { proven: locked, server: before };
  });
  const isTold = state === 'working' && (await tellThrough(parts, server, proven, now));
  if (!isTold) await transact(db, (tx) => sendNotice(tx, proven, { what: 'mail_server_removed' }, now));
  return readEmailSettings(parts);
}

const removed = { mailHost: null, mailPort: null, mailSecurity: null, mailUser: null, mailSender: null };

async function tellThrough(
  { mail }: EmailParts,
  server: FoundServer,
  { id: userId, email: recipient, emailProvenAt }: UserRow,
  now: Date,
): Promise<boolean> {
  if (!emailProvenAt || server.isUnreadable) return false;
  const facts = { what: 'mail_server_removed' };
  const about = `security_notice:${randomUUID()}`;
  return sendThrough(mail, server, { kind: 'security_notice', about, recipient, userId, facts, now });
}

/** @returns whether anything changed */
async function changeServer(
  tx: Tx,
  { secrets: { mailKeys } }: EmailParts,
  asked: Omit<Schema<'NewEmailSettings'>, 'currentPassword' | 'otp'>,
  { by, now }: Change,
): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${settingsLock})`);
  const before = await findMailServer(tx, mailKeys);
  const server = withPassword(asked, before);
  await saveMailServer(tx, server, mailKeys);
  await tx.delete(settings).where(eq(settings.name, serverStateName)); // it was about the former server
  const isNewPassword = asked.password !== undefined;
  const facts = changed(
    before ? publicParts(before) : {},
    { ...publicParts(server), ...(isNewPassword && { mailPassword: notKept }) },
    personal,
  );
  if (!facts) return false;
  await writeAudit(tx, { by, action: 'setting.changed', target: { kind: 'setting', id: 'email' }, ...facts, now });
  return true;
}

const settingsLock = 727_017;
const personal = ['mailUser', 'mailSender'];

/** Without a new password the stored one stays, but it is never sent to another server. */
function withPassword(
  { user, password, ...asked }: Omit<Schema<'NewEmailSettings'>, 'currentPassword' | 'otp'>,
  before: FoundServer | undefined,
): MailServer {
  const server: MailServer = { ...asked, ...(user && { user }) };
  if (!user) return server;
  if (password) return { ...server, password };
  if (before?.password !== undefined && isSameLogin(before, server)) return { ...server, password: before.password };
  const message = emailSettingsMessages.passwordAgain;
  throw invalid(message, [{ field: 'password', message }]);
}

const publicParts = ({ host, port, security, user = '', sender }: MailServer) => ({
  mailHost: host,
  mailPort: port,
  mailSecurity: security,
  mailUser: user,
  mailSender: sender,
});

/**
 * Sends a test email right away. It is not in the email log.
 * @returns whether the server accepted it, and its answer
 * @throws Problem 409 no_mail_server, 429 too_many_attempts
 */
export async function sendTestEmail(
  { db, mail }: EmailParts,
  to: string,
  { session, now }: Pick<Change, 'session' | 'now'>,
): Promise<{ accepted: boolean; response: string }> {
  const { state } = await readServerState(db, mail.mailer);
  if (state === 'none') throw conflict('no_mail_server', emailSettingsMessages.noServer);
  await countAttempt(db, testEmailRateLimits(session.userId), now);
  const sender = await mail.findSender();
  try {
    const message = { mailId: randomUUID(), recipient: to, letter: testLetter, sender, date: now };
    const response = (await mail.mailer.send(message)) ?? '';
    await noteWorking(db, now);
    return { accepted: true, response };
  } catch (error) {
    return { accepted: false, response: await noteRefusal(db, error, now) };
  }
}

/** @returns the server's own answer, or what the connection reported */
async function noteRefusal(db: Db, error: unknown, now: Date): Promise<string> {
  await noteError(db, error, now);
  const cause = error instanceof MailRefused ? error.cause : error;
  const { response } = cause as { response?: unknown };
  return (typeof response === 'string' ? response : describeFailure(cause).message).slice(0, 500);
}

const testLetter = {
  subject: "Your shop's email works",
  preheader: 'This is the test email from Settings.',
  paragraphs: ['If you can read this, customers will get your emails.'],
  why: 'owns',
} as const;
