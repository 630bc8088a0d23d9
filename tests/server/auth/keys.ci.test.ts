/** Where the login keys are stored, and who can forge a token with what. Rule: docs/rules/running.md, Secrets */
import { createHmac, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resetTokenOf } from '../../../src/server/auth/links/linkTokens';
import { decryptSecret, encryptSecret } from '../../../src/server/auth/factors/secondFactor';
import { openSecrets } from '../../../src/server/auth/core/secrets';
import { deriveKey } from '../../../src/server/auth/core/tokenKeys';
import { takeBackup } from '../../../src/server/backup/takeBackup';
import { ConfigError } from '../../../src/server/core/config';
import { customerWithFactor, resetToken } from '../../support/accounts';
import { isSignedIn, newCustomer, openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let home: string;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.clock.advance(16 * 60_000); // rate limits of one test must not affect the next
  home = await mkdtemp(path.join(tmpdir(), 'shop-keys-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const openIn = (dataDir: string, sessionSecret?: string) =>
  openSecrets({ db: shop.db, config: { dataDir, sessionSecret } });

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** An access token that lives 15 minutes from now. */
function sign(key: KeyObject | Uint8Array, payload: object): string {
  const iat = Math.floor(shop.clock.now().getTime() / 1000);
  const text = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${part({ ...payload, iat, exp: iat + 900 })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** The keys an attacker could derive from a text they found. */
const keysOf = (text: string): Uint8Array[] => {
  const raw = [text, ...text.split('.')].flatMap((each) => [
    new Uint8Array(Buffer.from(each)),
    new Uint8Array(Buffer.from(each, 'base64url')),
  ]);
  const derived = [text, ...text.split('.')].map((each) => deriveKey(each, 'access token'));
  return [...raw, ...derived].filter(({ length }) => length > 0);
};

test('the whole settings table is not enough to sign a valid token, for any session', async () => {
  const ana = await newCustomer(shop);
  const payload = payloadOf(ana.jwt);
  const own = sign(shop.secrets.tokenKeys.accessKey, payload);
  expect(await isSignedIn(shop, { ...ana, jwt: own }), 'signed with the key').toBe(true);
  const { rows } = await shop.pool.query<{ value: unknown }>('select value from settings');
  const found = rows.flatMap(({ value }) => (typeof value === 'string' ? keysOf(value) : []));
  expect(found.length).toBeGreaterThan(4);
  for (const key of found)
    for (const sid of [payload['sid'], randomUUID()])
      expect(await isSignedIn(shop, { ...ana, jwt: sign(key, { ...payload, sid }) })).toBe(false);
});

test('the whole settings table is not enough to forge a reset link or read a second factor', async () => {
  const { account } = await customerWithFactor(shop);
  const token = await resetToken(shop, account.email);
  const { rows } = await shop.pool.query<{ value: unknown }>('select value from settings');
  const found = rows.flatMap(({ value }) => (typeof value === 'string' ? keysOf(value) : []));
  const { rows: resets } = await shop.pool.query<{ id: string }>('select id from password_resets where user_id = $1', [
    account.id,
  ]);
  const { rows: kept } = await shop.pool.query<{ secret: Buffer }>(
    'select totp_secret as secret from users where id = $1',
    [account.id],
  );
  expect(resets.map(({ id }) => resetTokenOf(id, shop.secrets.resetKey))).toContain(token);
  for (const { secret } of kept) expect(decryptSecret(secret, account.id, shop.secrets.factorKeys)).toBeDefined();
  for (const key of found) {
    expect(resets.map(({ id }) => resetTokenOf(id, key))).not.toContain(token);
    if (key.length === 32)
      for (const { secret } of kept) expect(decryptSecret(secret, account.id, [key])).toBeUndefined();
  }
});

test('second factors older than SESSION_SECRET keep working while the file exists', async () => {
  const factor = new Uint8Array(20).fill(7);
  const before = encryptSecret(factor, 'ana', (await openIn(home)).factorKeys);
  const { factorKeys } = await openIn(home, 'a secret of thirty-two characters');
  const since = encryptSecret(factor, 'ana', factorKeys);
  for (const sealed of [before, since]) expect(decryptSecret(sealed, 'ana', factorKeys)).toEqual(Buffer.from(factor));
  await rm(path.join(home, 'session.key'));
  const without = await openIn(home, 'a secret of thirty-two characters');
  expect(decryptSecret(before, 'ana', without.factorKeys)).toBeUndefined();
});

test('a backup contains neither the key file nor anything derived from it', async () => {
  const ana = await newCustomer(shop);
  const ben = await openAccount(shop);
  const link = await resetToken(shop, ben.email);
  const folder = path.join(home, 'backup');
  await takeBackup({ direct: shop.direct, dataDir: shop.dataDir, pictureStore: shop.pictureStore, folder });
  const { tokenKeys } = shop.secrets;
  const secrets = [
    (await readFile(path.join(shop.dataDir, 'session.key'), 'utf8')).trim(),
    ana.refreshToken.slice(37),
    link,
    ...[tokenKeys.accessKey.export(), Buffer.from(tokenKeys.successorKey)].flatMap((key) => [
      key.toString('base64url'),
      key.toString('base64').replaceAll('=', ''),
      key.toString('hex'),
    ]),
  ];
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    expect(path.basename(file)).not.toContain('session.key');
    const bytes = await readFile(file);
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    for (const secret of secrets) expect(text.includes(secret), file).toBe(false);
  }
});

describe('the key file', () => {
  test('is created once by processes that start at the same time, readable by its owner alone', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => openIn(home)));
    const keys = all.map(({ tokenKeys }) => tokenKeys.accessKey.export().toString('hex'));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(home)).toEqual(['session.key']);
    expect((await stat(path.join(home, 'session.key'))).mode & 0o777).toBe(0o600);
    const again = await openIn(home);
    expect(again.tokenKeys.accessKey.export().toString('hex')).toBe(keys[0]);
    expect(again.tokenKeys.successorKey).not.toEqual(again.tokenKeys.accessKey.export());
  });

  test('stops the start with one sentence when it is damaged or cannot be written', async () => {
    const file = path.join(home, 'session.key');
    await writeFile(file, 'half');
    await expect(openIn(home)).rejects.toThrow(
      new ConfigError(
        `DATA_DIR: ${file} is damaged. If you delete it, the shop creates a new key and everyone has to log in again`,
      ),
    );
    await expect(openIn(path.join(home, 'nowhere'))).rejects.toThrow(
      /^DATA_DIR: can't save the session key there \(.+\)\. Set SESSION_SECRET$/,
    );
  });

  test('is not created where SESSION_SECRET is set, and the keys stay the same', async () => {
    const secret = 'a secret of thirty-two characters';
    const { tokenKeys, resetKey, factorKeys } = await openIn(home, secret);
    expect(await readdir(home)).toEqual([]);
    expect(tokenKeys.accessKey.export()).toEqual(Buffer.from(deriveKey(secret, 'access token')));
    expect(tokenKeys.successorKey).toEqual(deriveKey(secret, 'refresh token successor'));
    expect(resetKey).toEqual(deriveKey(secret, 'password reset'));
    expect(factorKeys[0]).toEqual(deriveKey(secret, 'second factor'));
    const other = await openIn(home, `${secret}!`);
    expect(other.tokenKeys.accessKey.export()).not.toEqual(tokenKeys.accessKey.export());
  });
});
