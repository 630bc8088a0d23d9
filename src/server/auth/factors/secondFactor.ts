/**
 * The second factor: a six-digit code that an authenticator app derives from a shared secret every 30 seconds, or one
 * of ten recovery codes. Each is accepted once: the time step of the last accepted code is stored and advanced by one
 * conditional update, so of two logins with the same code one fails.
 * Rule: docs/rules/accounts.md, Second factor; RFC 6238, 5.2; ASVS 6.5.1
 */
import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { plainCode } from '../../../shared/pastedCodes';
import { decrypt, encrypt } from '../../core/encryption';
import { changeUser, type UserRow } from '../../users/core/service';
import { recoveryCodes, users } from '../../db/schema/tables';
import type { Tx } from '../../db/core/transact';
import type { Secrets } from '../core/secrets';

const secretBytes = 20; // RFC 4226 §4
const periodSeconds = 30;
const window = 1; // also the step before and after: clocks differ, and typing takes time

export const makeSecret = (): Uint8Array => new Uint8Array(randomBytes(secretBytes));

/**
 * @param issuer the shop's name, for the list of an authenticator app
 * @returns the secret for typing, and the URI that an app reads from a QR code
 */
export function presentSecret(secret: Uint8Array, email: string, issuer: string): { secret: string; uri: string } {
  const totp = totpOf(secret, email, issuer);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

const totpOf = (secret: Uint8Array, label: string, issuer = '') =>
  new TOTP({
    issuer,
    label,
    algorithm: 'SHA1', // the only one that every app supports
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });

/**
 * Spends a one-time or recovery code.
 * @param factorKeys one of them decrypts the user's secret
 * @returns which kind it was; undefined when the code is wrong
 */
export async function takeCode(
  tx: Tx,
  user: UserRow,
  code: string,
  factorKeys: Secrets['factorKeys'],
  now: Date,
): Promise<'one_time' | 'recovery' | undefined> {
  const characters = plainCharacters(code);
  if (/^\d{6}$/.test(characters))
    return (await takeOneTimeCode(tx, user, characters, factorKeys, now)) ? 'one_time' : undefined;
  return (await takeRecoveryCode(tx, user.id, characters, now)) ? 'recovery' : undefined;
}

/** The code without the separators that people and authenticator apps insert. */
const plainCharacters = (code: string) => plainCode(code).replace(/[\s-]/g, '').toLowerCase();

export async function takeOneTimeCode(
  tx: Tx,
  user: UserRow,
  code: string,
  factorKeys: Secrets['factorKeys'],
  now: Date,
): Promise<boolean> {
  const secret = user.totpSecret && decryptSecret(user.totpSecret, user.id, factorKeys);
  if (!secret) return false;
  const timestamp = now.getTime();
  const delta = totpOf(secret, user.id).validate({ token: plainCharacters(code), timestamp, window });
  if (delta === null) return false;
  const step = Math.floor(timestamp / 1000 / periodSeconds) + delta;
  const taken = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, user.id), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))))
    .returning({ id: users.id });
  return taken.length > 0;
}

async function takeRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashCode(code)));
  const taken = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(isCode, isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId });
  return taken.length > 0;
}

/** Turns it off and deletes the secret and the recovery codes. */
export async function removeSecondFactor(tx: Tx, userId: string): Promise<void> {
  await changeUser(tx, userId, { totpSecret: null, totpConfirmedAt: null, totpLastStep: null });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

const codeCount = 10;
const codeBytes = 10; // 80 bits: enough without a slow hash
const groupsOfFour = /.{4}(?=.)/g;

/** Replaces all recovery codes with ten new ones. @returns them; they are shown only this once */
export async function renewRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () => new Secret({ buffer: freshBytes() }).base32.toLowerCase());
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashCode(code) })));
  return codes.map((code) => code.replace(groupsOfFour, '$&-'));
}

const freshBytes = () => new Uint8Array(randomBytes(codeBytes)).buffer;
const hashCode = (code: string) => createHash('sha256').update(code).digest();

/** Bound to the user id, so it is useless in another account's row. */
export const encryptSecret = (secret: Uint8Array, userId: string, factorKeys: Secrets['factorKeys']): Buffer =>
  encrypt(secret, userId, factorKeys);

/**
 * @returns undefined when it was encrypted under another key (SESSION_SECRET changed, or the key file was lost);
 *   recovery codes still work
 */
export const decryptSecret = (
  stored: Buffer,
  userId: string,
  factorKeys: Secrets['factorKeys'],
): Uint8Array | undefined => decrypt(stored, userId, factorKeys);
