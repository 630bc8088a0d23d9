import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Config } from '../../core/config';
import { settings } from '../../db/schema/tables';
import type { Db } from '../../db/core/transact';
import { findKeySecret, readKeySecret } from './keyFile';
import { deriveKey, tokenKeysOf, type TokenKeys } from './tokenKeys';

export type Secrets = {
  /** Of access and refresh tokens. */
  tokenKeys: TokenKeys;
  /** Makes the cookies of known devices. */
  deviceKey: Uint8Array;
  /** Makes the token of a reset link out of the reset's id. */
  resetKey: Uint8Array;
  /** Encrypt the secrets of second factors: the first one does, each may have. */
  factorKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** Seals what is kept of a request with an Idempotency-Key. */
  requestKey: Uint8Array;
  /** Makes the nonces of proofs. */
  nonceKey: Uint8Array;
};

const requestKeyName = 'request_key';
const keyBytes = 32;

type Place = { db: Db; config: Pick<Config, 'sessionSecret' | 'dataDir'> };

/**
 * All keys of the shop, made from SESSION_SECRET, or without it from the key file. So nothing in the database or a backup
 * makes a token or a link, or reads a second factor. The key of request hashes alone is in the database: it opens nothing.
 * @throws ConfigError when the file cannot be made or read
 * Rule: docs/rules/running.md, Secrets
 */
export async function openSecrets({ db, config: { sessionSecret, dataDir } }: Place): Promise<Secrets> {
  if (sessionSecret === undefined) {
    const secret = await readKeySecret(dataDir);
    return { ...keysOf(secret), factorKeys: [factorKeyOf(secret)], requestKey: await readRequestKey(db) };
  }
  // SESSION_SECRET may have been set later than the first second factor
  const fileSecret = await findKeySecret(dataDir);
  const others = fileSecret === undefined ? [] : [factorKeyOf(fileSecret)];
  const factorKeys = [factorKeyOf(sessionSecret), ...others] as const;
  return { ...keysOf(sessionSecret), factorKeys, requestKey: deriveKey(sessionSecret, 'request') };
}

const keysOf = (secret: string): Omit<Secrets, 'factorKeys' | 'requestKey'> => ({
  tokenKeys: tokenKeysOf(secret),
  deviceKey: deriveKey(secret, 'known device'),
  resetKey: deriveKey(secret, 'password reset'),
  nonceKey: deriveKey(secret, 'proof nonce'),
});

const factorKeyOf = (secret: string) => deriveKey(secret, 'second factor');

/** The first process to start writes the key, whatever the others try at the same time; then all read that one. */
async function readRequestKey(db: Db): Promise<Uint8Array> {
  const kept = await findRequestKey(db);
  if (kept) return kept;
  const value = randomBytes(keyBytes).toString('base64url');
  await db.insert(settings).values({ name: requestKeyName, value }).onConflictDoNothing();
  const written = await findRequestKey(db);
  if (!written) throw new Error(`${requestKeyName} in the database cannot be read`);
  return written;
}

async function findRequestKey(db: Db): Promise<Uint8Array | undefined> {
  const [kept] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, requestKeyName));
  if (!kept) return undefined;
  const key = typeof kept.value === 'string' ? Buffer.from(kept.value, 'base64url') : undefined;
  if (key?.length !== keyBytes) throw new Error(`${requestKeyName} in the database cannot be read`);
  return new Uint8Array(key);
}
