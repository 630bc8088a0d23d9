/**
 * Lets an owner back in who lost the password or the second factor, without an email: a person with access to the
 * machine does it with a command, while the shop runs or is stopped.
 * Rule: docs/rules/accounts.md, A locked-out owner
 */
import { passwordRule } from '../../shared/authForms';
import type { AuditAction } from '../../shared/audit';
import { nobody, writeAudit } from '../audit/service';
import { ConfigError } from '../core/config';
import { StartError } from '../core/startError';
import { transact, type Db, type Tx } from '../db/core/transact';
import { Problem } from '../http/core/problems';
import { changeUser, emailKey, findOwners, lockUser, type UserRow } from '../users/core/service';
import { deleteOldAttempts, loginRateLimits } from './core/attemptLimits';
import { sendNotice } from './core/notices';
import { hashPassword } from './factors/passwords';
import { removeSecondFactor } from './factors/secondFactor';
import { endPendingEmailChange } from './links/emailLinks';
import { readablePassword } from './owner';
import { endResets, requirePassword } from './passwordReset';
import type { EndReason } from './sessions/sessions';
import { markAllEnded, notifyEnded } from './sessions/repository';

/**
 * The owner to let in.
 * @param email chooses from several owners
 * @throws StartError when no owner has the email, or there are several and none is chosen
 */
export async function chooseOwner(db: Db, email: string | undefined): Promise<UserRow> {
  const owners = await findOwners(db);
  const emails = owners.map((owner) => owner.email).join(', ');
  const found = email === undefined ? owners : owners.filter((owner) => owner.emailKey === emailKey(email.trim()));
  const [owner, ...others] = found;
  if (owners.length === 0) throw new StartError('No owner found. Start the shop once to create the account');
  if (!owner) throw new StartError(`--email: no owner has this email. Owners: ${emails}`);
  if (others.length > 0) throw new StartError(`Choose an owner with --email. Owners: ${emails}`);
  return owner;
}

/**
 * Sets a new password, and ends all sessions, open reset links, and the rate limit of failed logins.
 * @param chosen OWNER_PASSWORD; without it the password is random
 * @returns the random password, to be printed only this once
 * @throws ConfigError when the chosen password breaks a rule for passwords
 */
export async function setOwnerPassword(
  db: Db,
  owner: UserRow,
  chosen: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (chosen !== undefined) requireGood(chosen, owner);
  const generated = chosen === undefined ? readablePassword() : undefined;
  const passwordHash = await hashPassword(chosen ?? generated ?? '');
  await transact(db, async (tx) => {
    const user = await requireLocked(tx, owner);
    await changeUser(tx, user.id, { passwordHash, mustChangePassword: false });
    await endResets(tx, user.id, now);
    await endPendingEmailChange(tx, user, now);
    const [account] = loginRateLimits(user.email, { address: '' });
    if (account) await deleteOldAttempts(tx, account);
    await endSessions(tx, user, 'password_changed', now);
    await sendNotice(tx, user, { what: 'password_changed' }, now);
    await record(tx, user, 'user.password_set_on_server', now);
  });
  return generated;
}

/**
 * Turns two-step login off, and ends all sessions.
 * @returns false when it was off already; nothing is changed then
 */
export async function turnSecondFactorOff(db: Db, owner: UserRow, now: Date): Promise<boolean> {
  return transact(db, async (tx) => {
    const user = await requireLocked(tx, owner);
    if (!user.totpConfirmedAt) return false;
    await removeSecondFactor(tx, user.id);
    await endSessions(tx, user, 'second_factor_changed', now);
    await sendNotice(tx, user, { what: 'second_factor_off' }, now);
    await record(tx, user, 'user.second_factor_off_on_server', now);
    return true;
  });
}

async function requireLocked(tx: Tx, { id }: UserRow): Promise<UserRow> {
  const user = await lockUser(tx, id);
  if (!user) throw new StartError('The account was removed meanwhile');
  return user;
}

/** Also in every process of the running shop. */
async function endSessions(tx: Tx, { id }: UserRow, reason: EndReason, now: Date): Promise<void> {
  for (const familyId of await markAllEnded(tx, id, reason, now)) await notifyEnded(tx, familyId);
}

const record = (tx: Tx, { id }: UserRow, action: AuditAction, now: Date) =>
  writeAudit(tx, { by: nobody, action, target: { kind: 'user', id }, now });

function requireGood(password: string, owner: UserRow): void {
  const { error } = passwordRule.safeParse(password);
  const [broken] = error?.issues ?? [];
  if (broken) throw new ConfigError(`OWNER_PASSWORD: ${broken.message}`);
  try {
    requirePassword(password, owner);
  } catch (problem) {
    throw problem instanceof Problem ? new ConfigError(`OWNER_PASSWORD: ${problem.message}`) : problem;
  }
}
