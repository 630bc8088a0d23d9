/**
 * Password resets. A request for a link takes the same time whether or not the address has an account: it queues a job,
 * and only the job looks the account up. The link's token is not stored. Only the newest link works, once, within
 * 30 minutes.
 * Rule: docs/rules/accounts.md, Resetting a password; ASVS 6.4.1, 6.4.3
 */
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { isStaff } from '../../shared/auth';
import { authMessages } from '../../shared/authMessages';
import { isTooShortForStaff, minStaffPasswordLength } from '../../shared/authForms';
import { changeUser, findUser, findUserByEmail, lockUser, type UserRow } from '../users/core/service';
import { writeAudit } from '../audit/service';
import { passwordResets } from '../db/schema/tables';
import { transact, type Connection, type Db, type Tx } from '../db/core/transact';
import { networkOf } from '../http/core/network';
import { invalid } from '../http/core/problems';
import { writeMail } from '../mail/outbox';
import {
  countAttempt,
  countWithin,
  deleteOldAttempts,
  forgotRateLimits,
  loginRateLimits,
  refuseLimited,
  unprovenResetLimits,
} from './core/attemptLimits';
import { findKnownDevice } from './sessions/knownDevices';
import { hashLinkToken, resetMinutes, resetTokenOf } from './links/linkTokens';
import { endPendingEmailChange, markProven } from './links/emailLinks';
import { sendNotice } from './core/notices';
import { hashPassword, inTurn, refuseCommonPassword } from './factors/passwords';
import { removeSecondFactor } from './factors/secondFactor';
import type { Secrets } from './core/secrets';
import type { AuthParts, Caller } from './service';

export type ResetRequest = { email: string };
/** `network` is where the request came from. */
export type ResetJob = ResetRequest & { network: string };

/**
 * Queues the job that mails the link.
 * @throws Problem 429 too_many_attempts
 */
export async function askForReset(
  { db, secrets }: Pick<AuthParts, 'db' | 'secrets'>,
  { email }: ResetRequest,
  { address, deviceCookie }: Pick<Caller, 'address' | 'deviceCookie'>,
  now: Date,
): Promise<void> {
  const knownDevice = await findKnownDevice(db, secrets, deviceCookie, email);
  const limits = forgotRateLimits(email, { address, knownDevice });
  await refuseLimited(db, limits, now); // counting alone would add a row for every address ever entered
  await countAttempt(db, limits, now);
  const payload = JSON.stringify({ email, network: networkOf(address) });
  await db.execute(sql`select graphile_worker.add_job('writeResetLink', ${payload}::json, max_attempts := 5)`);
}

/**
 * The job: ends older links and mails a new one. Does nothing for an unknown address or a disabled account, nor for an
 * unproven address beyond its daily limits.
 */
export async function writeResetLink(
  { db, secrets }: { db: Db; secrets: Pick<Secrets, 'resetKey'> },
  { email, network }: ResetJob,
  now: Date,
): Promise<void> {
  const known = await findUserByEmail(db, email);
  if (!known) return;
  await transact(db, async (tx) => {
    const user = await lockUser(tx, known.id);
    if (!user?.isEnabled) return;
    if (!user.emailProvenAt && !(await countWithin(tx, unprovenResetLimits(user.email, network), now))) return;
    await endResets(tx, user.id, now);
    const id = randomUUID();
    await tx.insert(passwordResets).values({
      id,
      userId: user.id,
      tokenHash: hashLinkToken(resetTokenOf(id, secrets.resetKey)),
      createdAt: now,
      expiresAt: new Date(now.getTime() + resetMinutes * 60_000),
    });
    const about = `password_reset:${id}`;
    const facts = { resetId: id };
    await writeMail(tx, { kind: 'password_reset', about, recipient: user.email, userId: user.id, facts, now });
  });
}

/**
 * Sets a new password with a link's token, and ends all sessions of the account. The link proves the address, so a
 * second factor set up before that is removed.
 * @returns the user with the new password
 * @throws Problem 400 reset_link_invalid, or invalid_request for a password that is too common or too short
 */
export async function resetPassword(
  { db, sessions }: AuthParts,
  { token, password }: { token: string; password: string },
  { log, address }: Pick<Caller, 'log' | 'address'>,
  now: Date,
): Promise<UserRow> {
  const tokenHash = hashLinkToken(token);
  const holder = await requireHolder(db, tokenHash, now);
  requirePassword(password, holder);
  const passwordHash = await inTurn({ account: holder.id, address }, () => hashPassword(password));
  const changed = await transact(db, async (tx) => {
    const used = await tx
      .update(passwordResets)
      .set({ endedAt: now })
      .where(isUsable(tokenHash, now))
      .returning({ userId: passwordResets.userId });
    const user = used[0] && (await lockUser(tx, used[0].userId));
    if (!user?.isEnabled) throw resetLinkInvalid();
    requirePassword(password, user); // the customer may have become staff since the first check
    await changeUser(tx, user.id, { passwordHash, mustChangePassword: false });
    if (!user.emailProvenAt) await proveByReset(tx, user, now);
    await endPendingEmailChange(tx, user, now);
    await sessions.endAllOf(tx, user.id, 'password_changed');
    await sendNotice(tx, { ...user, emailProvenAt: now }, { what: 'password_reset' }, now);
    const [account] = loginRateLimits(user.email, { address: '' });
    if (account) await deleteOldAttempts(tx, account); // a stranger's failed logins no longer block the owner
    const by = { userId: user.id, requestId: null };
    await writeAudit(tx, { by, action: 'user.password_reset', target: { kind: 'user', id: user.id }, now });
    return { ...user, passwordHash, ...(!user.emailProvenAt && { totpConfirmedAt: null }) };
  });
  log.info({ event: 'password_reset', user: changed.id });
  return changed;
}

/** An existing second factor may be that of a stranger who registered the address; it would lock the owner out. */
async function proveByReset(tx: Tx, { id }: UserRow, now: Date): Promise<void> {
  await removeSecondFactor(tx, id);
  await markProven(tx, id, now);
}

/** Ends all earlier links. */
export async function endResets(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .update(passwordResets)
    .set({ endedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.endedAt)));
}

/**
 * Rejects passwords that are too common or, for staff, too short.
 * @throws Problem 400 invalid_request
 */
export function requirePassword(password: string, { role }: Pick<UserRow, 'role'>): void {
  if (isStaff(role) && password.length < minStaffPasswordLength)
    throw invalid(isTooShortForStaff, [{ field: 'password', message: isTooShortForStaff }]);
  refuseCommonPassword(password);
}

async function requireHolder(connection: Connection, tokenHash: Buffer, now: Date): Promise<UserRow> {
  const [reset] = await connection.select().from(passwordResets).where(isUsable(tokenHash, now));
  const user = reset && (await findUser(connection, reset.userId));
  if (!user) throw resetLinkInvalid();
  return user;
}

const isUsable = (tokenHash: Buffer, now: Date) =>
  and(eq(passwordResets.tokenHash, tokenHash), isNull(passwordResets.endedAt), gt(passwordResets.expiresAt, now));

const resetLinkInvalid = () => invalid(authMessages.resetLinkInvalid, [], 'reset_link_invalid');
