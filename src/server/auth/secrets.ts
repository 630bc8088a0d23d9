import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Clock } from '../clock';
import type { Config } from '../config';
import { settings } from '../db/schema';
import type { Db } from '../db/transact';
import { findKeySecret, readKeyFile } from './keyFile';
import { longestDays } from './refreshTokens';
import { createKeyRing, deriveKey, tokenKeysOf, type KeyRing } from './tokenKeys';

export type Secrets = {
  /** Of access and refresh tokens. */
  tokenKeys: KeyRing;
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

/** Releases before kept the secret of all keys in this row of the settings, and so in every backup. */
export const formerSecretName = 'session_secret';
const lastingName = 'lasting_keys';
const dayMs = 86_400_000;

type Place = { db: Db; config: Pick<Config, 'sessionSecret' | 'dataDir'>; clock: Pick<Clock, 'now'> };

/**
 * All keys of the shop, made from SESSION_SECRET, or without it from the key file. So nothing in the database or a backup
 * makes a token or a link, or reads a second factor. The key of request hashes alone is in the database: it opens nothing.
 * @throws ConfigError when the file cannot be made or read
 * Rule: docs/rules/running.md, Secrets
 */
export async function openSecrets({ db, config, clock }: Place): Promise<Secrets> {
  const formerSecret = await findSetting(db, formerSecretName);
  const lasting = await readLastingKeys(db, formerSecret, config.sessionSecret);
  if (config.sessionSecret !== undefined) {
    const { factorKey, ...keys } = lastingKeysOf(config.sessionSecret);
    const tokenKeys = createKeyRing(tokenKeysOf(config.sessionSecret), clock);
    // SESSION_SECRET may have been set later than the first second factor
    const fileSecret = await findKeySecret(config.dataDir);
    const former = fileSecret === undefined ? [] : [lastingKeysOf(fileSecret).factorKey];
    const factorKeys = [factorKey, ...former, ...(lasting ? [lasting.factorKey] : [])] as const;
    return { ...keys, ...deviceKeysOf(config.sessionSecret), tokenKeys, factorKeys };
  }
  if (!lasting) throw new Error('the keys in the database cannot be read');
  const upgradedAt = formerSecret === undefined ? undefined : clock.now();
  const file = await readKeyFile(config.dataDir, upgradedAt);
  const tokenKeys = createKeyRing(tokenKeysOf(file.secret), clock, {
    keys: formerSecret === undefined ? undefined : tokenKeysOf(formerSecret),
    goesOnUntil: file.upgradedAt && new Date(file.upgradedAt.getTime() + (longestDays + 1) * dayMs),
  });
  const { factorKey, resetKey } = lastingKeysOf(file.secret);
  const keys = { resetKey, requestKey: lasting.requestKey };
  return { ...keys, ...deviceKeysOf(file.secret), tokenKeys, factorKeys: [factorKey, lasting.factorKey] };
}

const deviceKeysOf = (secret: string): Pick<Secrets, 'deviceKey' | 'nonceKey'> => ({
  deviceKey: deriveKey(secret, 'known device'),
  nonceKey: deriveKey(secret, 'proof nonce'),
});

type LastingKeys = Pick<Secrets, 'resetKey' | 'requestKey'> & { factorKey: Uint8Array };

const lastingKeysOf = (secret: string): LastingKeys => ({
  resetKey: deriveKey(secret, 'password reset'),
  factorKey: deriveKey(secret, 'second factor'),
  requestKey: deriveKey(secret, 'request'),
});

/**
 * The keys that are kept in the database, and never what they were derived from. The first process to start writes them,
 * whatever the others try at the same time; then all read those. Only the key of request hashes is used for what is new:
 * releases before made links and second factors with the others, and would not start without them.
 * @returns undefined where SESSION_SECRET was always set
 */
async function readLastingKeys(
  db: Db,
  formerSecret: string | undefined,
  sessionSecret: string | undefined,
): Promise<LastingKeys | undefined> {
  const kept = await findSetting(db, lastingName);
  if (kept !== undefined) return decode(kept);
  const secret = formerSecret ?? (sessionSecret === undefined ? randomBytes(32).toString('base64url') : undefined);
  if (secret === undefined) return undefined;
  const value = encode(lastingKeysOf(secret));
  await db.insert(settings).values({ name: lastingName, value }).onConflictDoNothing();
  return decode((await findSetting(db, lastingName)) ?? '');
}

async function findSetting(db: Db, name: string): Promise<string | undefined> {
  const [kept] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
  if (kept !== undefined && typeof kept.value !== 'string') throw new Error(`${name} in the database cannot be read`);
  return kept?.value as string | undefined;
}

const encode = ({ resetKey, factorKey, requestKey }: LastingKeys): string =>
  [resetKey, factorKey, requestKey].map((key) => Buffer.from(key).toString('base64url')).join('.');

function decode(text: string): LastingKeys {
  const [resetKey, factorKey, requestKey] = text.split('.').map((key) => new Uint8Array(Buffer.from(key, 'base64url')));
  if (!resetKey || !factorKey || !requestKey) throw new Error(`${lastingName} in the database cannot be read`);
  return { resetKey, factorKey, requestKey };
}
