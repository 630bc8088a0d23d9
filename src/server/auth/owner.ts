import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { emailRule } from '../../shared/authForms';
import { createUser, hasOwner } from '../users/core/service';
import { ConfigError, type Config } from '../core/config';
import { transact, type Db } from '../db/core/transact';
import { Problem } from '../http/core/problems';
import { hashPassword } from './factors/passwords';

const ownerLock = 727_002;

/**
 * Creates the owner's account if the shop has none; of several processes that start at the same time, one does.
 * @returns the generated password, to be printed only this once; undefined when OWNER_PASSWORD is set or an owner
 *   existed
 * @throws ConfigError when OWNER_EMAIL is not an address, or is a customer's
 * Rule: docs/rules/running.md, Starting; ASVS 6.3.2: no fresh shop has a known password
 */
export async function ensureOwner(
  db: Db,
  { ownerEmail, ownerPassword }: Pick<Config, 'ownerEmail' | 'ownerPassword'>,
  now: Date,
): Promise<string | undefined> {
  if (await hasOwner(db)) return undefined;
  if (!emailRule.safeParse(ownerEmail).success) throw new ConfigError('OWNER_EMAIL must be an email address');
  const generatedPassword = ownerPassword === undefined ? readablePassword() : undefined;
  const passwordHash = await hashPassword(ownerPassword ?? generatedPassword ?? '');
  return transact(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ownerLock})`);
    if (await hasOwner(tx)) return undefined;
    const owner = { email: ownerEmail, fullName: 'Shop Owner', role: 'ROLE_OWNER', emailProvenAt: now } as const;
    await createUser(tx, { ...owner, passwordHash }, now).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      throw new ConfigError("OWNER_EMAIL belongs to an account that isn't the owner");
    });
    return generatedPassword;
  });
}

// no characters that look alike: the password is copied from a terminal
const readableCharacters = 'abcdefghjkmnpqrstuvwxyz23456789';
const passwordLength = 20; // 99 bits

/** A random password. */
export const readablePassword = (): string =>
  Array.from({ length: passwordLength }, () => readableCharacters[randomInt(readableCharacters.length)]).join('');
