import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Config } from '../../core/config';
import type { EncryptionKeys } from '../../core/encryption';
import { settings } from '../../db/schema/tables';
import type { Db } from '../../db/core/transact';
import { findKeySecret, readKeySecret } from './keyFile';
import { deriveKey, tokenKeysOf, type TokenKeys } from './tokenKeys';

export type Secrets = {
  /** For access and refresh tokens. */
  tokenKeys: TokenKeys;
  /** Signs the cookies of known devices. */
  deviceKey: Uint8Array;
  /** Derives the token of a reset link from the reset's id. */
  resetKey: Uint8Array;
  /** For the secrets of second factors. */
  factorKeys: EncryptionKeys;
  /** For the password of the mail server. */
  mailKeys: EncryptionKeys;
  /** Protects what is stored of a request with an Idempotency-Key. */
  requestKey: Uint8Array;
  /** Derives the nonces of proofs. */
  nonceKey: Uint8Array;
  /** Signs links to download a backup. */
  downloadKey: Uint8Array;
};

const requestKeyName = 'request_key';
const keyBytes = 32;

type Sources = { db: Db; config: Pick<Config, 'sessionSecret' | 'dataDir'> };

/**
 * All keys of the shop, derived from SESSION_SECRET or else from the key file. So the database or a backup is not
 * enough to forge a token or a link, or to read a second factor or the mail server's password. Without SESSION_SECRET,
 * the key of request hashes is in the database; it gives access to nothing.
 * @throws ConfigError when the file cannot be created or read
 * Rule: docs/rules/running.md, Secrets
 */
export async function openSecrets({ db, config: { sessionSecret, dataDir } }: Sources): Promise<Secrets> {
  const secret = sessionSecret ?? (await readKeySecret(dataDir));
  // SESSION_SECRET may have been set after something was encrypted with the key of the file
  const formerSecret = sessionSecret === undefined ? undefined : await findKeySecret(dataDir);
  const encryptionKeys = (what: string): EncryptionKeys => [
    deriveKey(secret, what),
    ...(formerSecret === undefined ? [] : [deriveKey(formerSecret, what)]),
  ];
  return {
    tokenKeys: tokenKeysOf(secret),
    deviceKey: deriveKey(secret, 'known device'),
    resetKey: deriveKey(secret, 'password reset'),
    nonceKey: deriveKey(secret, 'proof nonce'),
    downloadKey: deriveKey(secret, 'backup download'),
    factorKeys: encryptionKeys('second factor'),
    mailKeys: encryptionKeys('mail server'),
    requestKey: sessionSecret === undefined ? await readRequestKey(db) : deriveKey(sessionSecret, 'request'),
  };
}

/** The first process to start writes the key; concurrent ones read it back. */
async function readRequestKey(db: Db): Promise<Uint8Array> {
  const stored = await findRequestKey(db);
  if (stored) return stored;
  const value = randomBytes(keyBytes).toString('base64url');
  await db.insert(settings).values({ name: requestKeyName, value }).onConflictDoNothing();
  const written = await findRequestKey(db);
  if (!written) throw new Error(`can't read ${requestKeyName} from the database`);
  return written;
}

async function findRequestKey(db: Db): Promise<Uint8Array | undefined> {
  const [stored] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, requestKeyName));
  if (!stored) return undefined;
  const key = typeof stored.value === 'string' ? Buffer.from(stored.value, 'base64url') : undefined;
  if (key?.length !== keyBytes) throw new Error(`can't read ${requestKeyName} from the database`);
  return new Uint8Array(key);
}
