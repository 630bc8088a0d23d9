import { hkdfSync, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Config } from '../config';
import { settings } from '../db/schema';
import type { Db } from '../db/transact';

export type Secrets = {
  /** Signs access tokens. */
  accessKey: Uint8Array;
  /** Makes a refresh token's successor and its seal. */
  successorKey: Uint8Array;
  /** Makes the token of a reset link out of the reset's id. */
  resetKey: Uint8Array;
  /** Encrypts the secrets of second factors. */
  factorKey: Uint8Array;
  /** Seals what is kept of a request with an Idempotency-Key. */
  requestKey: Uint8Array;
};

const settingName = 'session_secret';
const secretBytes = 32;

/**
 * The keys of all sessions, made from SESSION_SECRET or from a random secret that the shop's processes share through the
 * database. Changing it signs everybody out: no access or refresh token of before is known any more, no reset link works,
 * and of second factors only the recovery codes do.
 * Rule: docs/rules/running.md, Secrets
 */
export async function readSecrets(db: Db, config: Pick<Config, 'sessionSecret'>): Promise<Secrets> {
  const secret = config.sessionSecret ?? (await readSharedSecret(db));
  return {
    accessKey: deriveKey(secret, 'access token'),
    successorKey: deriveKey(secret, 'refresh token successor'),
    resetKey: deriveKey(secret, 'password reset'),
    factorKey: deriveKey(secret, 'second factor'),
    requestKey: deriveKey(secret, 'request'),
  };
}

/** The first process to start writes it, whatever the others try at the same time; then all read that one. */
async function readSharedSecret(db: Db): Promise<string> {
  const value = randomBytes(secretBytes).toString('base64url');
  await db.insert(settings).values({ name: settingName, value }).onConflictDoNothing();
  const [kept] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, settingName));
  if (typeof kept?.value !== 'string') throw new Error('the session secret in the database cannot be read');
  return kept.value;
}

/** Keys for different purposes, so that what is made with one means nothing to the other. */
const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, secretBytes));
