/** What somebody has to do before anything else, and the setting that asks staff for a second factor. Source: decisions §2 */
import { and, eq, isNull, ne } from 'drizzle-orm';
import { authSays, isStaff } from '../../shared/auth';
import { writeAudit, type Actor } from '../audit/service';
import { settings, users } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import type { MustDo } from '../http/access';
import { conflict } from '../http/problems';
import { findUser, type UserRow } from '../users/repository';
import type { Sessions } from './sessions';

const settingName = 'second_factor_of_staff';

export async function findDuty(connection: Connection, user: UserRow): Promise<MustDo | undefined> {
  if (!isStaff(user.role)) return undefined; // nor of an admin made a customer again
  if (user.mustChangePassword) return 'change_password';
  if (user.totpConfirmedAt) return undefined;
  return (await isSecondFactorOfStaff(connection)) ? 'set_up_second_factor' : undefined;
}

/** Whether everybody who works in the shop needs a second factor. */
export async function isSecondFactorOfStaff(connection: Connection): Promise<boolean> {
  const [setting] = await connection.select().from(settings).where(eq(settings.name, settingName));
  return setting?.value === true;
}

/**
 * Asks all staff for a second factor, or no longer. Who has none is signed out at once and sets it up at the next login.
 * @throws Problem 409 second_factor_is_off when the one who asks has none
 */
export async function requireSecondFactorOfStaff(
  tx: Tx,
  sessions: Sessions,
  { isRequired, by, now }: { isRequired: boolean; by: Actor; now: Date },
): Promise<void> {
  const asker = by.userId === null ? undefined : await findUser(tx, by.userId);
  if (isRequired && !asker?.totpConfirmedAt) throw conflict('second_factor_is_off', authSays.secondFactorIsOff);
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
