/**
 * A forgotten password. Asking for a link does the same whether or not the address has an account: the request leaves a
 * job, and only the job looks. The link's token is in no row; it works once, for 30 minutes, and only the newest.
 * Source: decisions §2, ASVS 6.4.1, 6.4.3
 */
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { authSays, isStaff } from '../../shared/auth';
import { isTooShortForStaff, minStaffPasswordLength } from '../../shared/authForms';
import { writeAudit } from '../audit/service';
import { passwordResets } from '../db/schema';
import { transact, type Connection, type Db, type Tx } from '../db/transact';
import { invalid } from '../http/problems';
import { writeMail } from '../mail/outbox';
import { changeUser, findUser, findUserByEmail, lockUser, type UserRow } from '../users/repository';
import { countAttempt, forgetAttempts, forgotBrakes, loginBrakes } from './brakes';
import { refuseCommonPassword } from './commonPasswords';
import { sendNotice } from './notices';
import { hashPassword, inTurn } from './passwords';
import { hashResetToken, resetMinutes, resetTokenOf } from './resetTokens';
import type { Secrets } from './secrets';
import type { AuthParts, Caller } from './service';

export type ResetAsked = { email: string };

/**
 * Leaves the job that writes the link.
 * @throws Problem 429 too_many_attempts
 */
export async function askForReset(db: Db, { email }: ResetAsked, caller: Caller, now: Date): Promise<void> {
  await countAttempt(db, forgotBrakes(email, caller.address), now);
  const payload = JSON.stringify({ email });
  await db.execute(sql`select graphile_worker.add_job('writeResetLink', ${payload}::json, max_attempts := 5)`);
}

/** The job: ends older links and has the new one mailed. Nobody's address, or a disabled account's: nothing. */
export async function writeResetLink(
  { db, secrets }: { db: Db; secrets: Secrets },
  { email }: ResetAsked,
  now: Date,
): Promise<void> {
  const known = await findUserByEmail(db, email);
  if (!known) return;
  await transact(db, async (tx) => {
    const user = await lockUser(tx, known.id);
    if (!user?.isEnabled) return;
    await endResets(tx, user.id, now);
    const id = randomUUID();
    await tx.insert(passwordResets).values({
      id,
      userId: user.id,
      tokenHash: hashResetToken(resetTokenOf(id, secrets.resetKey)),
      createdAt: now,
      expiresAt: new Date(now.getTime() + resetMinutes * 60_000),
    });
    const about = `password_reset:${id}`;
    const facts = { resetId: id };
    await writeMail(tx, { kind: 'password_reset', about, recipient: user.email, userId: user.id, facts, now });
  });
}

/**
 * Sets a new password by a link's token, and ends all sessions of the account.
 * @throws Problem 400 reset_link_invalid, or invalid_request for a password that is too common or too short
 */
export async function resetPassword(
  { db, sessions }: AuthParts,
  { token, password }: { token: string; password: string },
  { log }: Pick<Caller, 'log'>,
  now: Date,
): Promise<void> {
  const tokenHash = hashResetToken(token);
  requirePassword(password, await requireHolder(db, tokenHash, now));
  const passwordHash = await inTurn(() => hashPassword(password));
  const userId = await transact(db, async (tx) => {
    const used = await tx
      .update(passwordResets)
      .set({ endedAt: now })
      .where(isUsable(tokenHash, now))
      .returning({ userId: passwordResets.userId });
    const user = used[0] && (await lockUser(tx, used[0].userId));
    if (!user?.isEnabled) throw resetLinkInvalid();
    requirePassword(password, user); // made staff meanwhile?
    await changeUser(tx, user.id, { passwordHash, mustChangePassword: false });
    await sessions.endAllOf(tx, user.id, 'password_changed');
    await sendNotice(tx, user, { what: 'password_reset' }, now);
    const [account] = loginBrakes(user.email, '');
    if (account) await forgetAttempts(tx, account); // who guessed at it has kept its owner out for long enough
    const by = { userId: user.id, requestId: null };
    await writeAudit(tx, { by, action: 'user.password_reset', target: { kind: 'user', id: user.id }, now });
    return user.id;
  });
  log.info({ event: 'password_reset', user: userId });
}

/** No link of before works any more. */
export async function endResets(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .update(passwordResets)
    .set({ endedAt: now })
    .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.endedAt)));
}

/**
 * Refuses what is too common, and of staff what is too short.
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

const resetLinkInvalid = () => invalid(authSays.resetLinkInvalid, [], 'reset_link_invalid');
