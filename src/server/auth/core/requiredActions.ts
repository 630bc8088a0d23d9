/**
 * What a user must do before anything else, and the setting that requires a second factor of staff.
 * Rule: docs/rules/accounts.md, Duties
 */
import { and, eq, isNull, ne } from 'drizzle-orm';
import { isStaff } from '../../../shared/auth';
import { authMessages } from '../../../shared/authMessages';
import { findUser, type UserRow } from '../../users/core/service';
import { writeAudit } from '../../audit/service';
import { settings, users } from '../../db/schema/tables';
import type { Connection, Tx } from '../../db/core/transact';
import type { Actor, RequiredAction } from '../../http/contract/access';
import { conflict } from '../../http/core/problems';

const settingName = 'second_factor_of_staff';

export async function findDuty(connection: Connection, user: UserRow): Promise<RequiredAction | undefined> {
  if (!isStaff(user.role)) return undefined; // a former admin, now a customer, has no staff duties
  if (user.mustChangePassword) return 'change_password';
  if (user.totpConfirmedAt) return undefined;
  return (await isSecondFactorOfStaff(connection)) ? 'set_up_second_factor' : undefined;
}

/** Whether all staff need a second factor. */
export async function isSecondFactorOfStaff(connection: Connection): Promise<boolean> {
  const [setting] = await connection.select().from(settings).where(eq(settings.name, settingName));
  return setting?.value === true;
}

/**
 * Turns the requirement of a second factor for all staff on or off. Staff without one are signed out immediately and
 * set it up at their next login.
 * @throws Problem 409 second_factor_is_off when the caller has none
 */
export async function requireSecondFactorOfStaff(
  tx: Tx,
  sessions: { endAllOf: (tx: Tx, userId: string, reason: 'second_factor_required') => Promise<void> },
  { isRequired, by, now }: { isRequired: boolean; by: Actor; now: Date },
): Promise<void> {
  const requester = by.userId === null ? undefined : await findUser(tx, by.userId);
  if (isRequired && !requester?.totpConfirmedAt) throw conflict('second_factor_is_off', authMessages.secondFactorIsOff);
  const before = { isRequired: await isSecondFactorOfStaff(tx) };
  const value = isRequired;
  await tx
    .insert(settings)
    .values({ name: settingName, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
  if (isRequired) {
    const without = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(ne(users.role, 'ROLE_CUSTOMER'), isNull(users.totpConfirmedAt)));
    for (const { id } of without) await sessions.endAllOf(tx, id, 'second_factor_required');
  }
  const target = { kind: 'setting', id: settingName } as const;
  await writeAudit(tx, { by, action: 'setting.changed', target, before, after: { isRequired }, now });
}
