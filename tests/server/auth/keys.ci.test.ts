/** Where the keys of logins are, and who can make a token with what. Rule: docs/rules/running.md, Secrets */
import { createHmac, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLook } from '../../../src/server/auth/formerSecret';
import { resetTokenOf } from '../../../src/server/auth/linkTokens';
import { decryptSecret, encryptSecret, resealFactors } from '../../../src/server/auth/secondFactor';
import { openSecrets, type Secrets } from '../../../src/server/auth/secrets';
import { createKeyRing, deriveKey, tokenKeysOf } from '../../../src/server/auth/tokenKeys';
import { takeBackup } from '../../../src/server/backup/takeBackup';
import { ConfigError } from '../../../src/server/config';
import { customerWithFactor, resetToken } from '../../support/accounts';
import { isSignedIn, newCustomer, openAccount, type SignedIn } from '../../support/auth';
import { openOwnShop, type Process, type TestShop } from '../../support/shop';

let shop: TestShop;
let home: string;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.clock.advance(16 * 60_000); // what one test tried does not limit the next
  home = await mkdtemp(path.join(tmpdir(), 'shop-keys-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const openIn = (dataDir: string, sessionSecret?: string) =>
  openSecrets({ db: shop.db, config: { dataDir, sessionSecret }, clock: shop.clock });

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** An access token that lives 15 minutes from now. */
function sign(key: KeyObject | Uint8Array, payload: object): string {
  const iat = Math.floor(shop.clock.now().getTime() / 1000);
  const text = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${part({ ...payload, iat, exp: iat + 900 })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** What somebody may make of a text that they found. */
const keysOf = (text: string): Uint8Array[] => {
  const raw = [text, ...text.split('.')].flatMap((each) => [
    new Uint8Array(Buffer.from(each)),
    new Uint8Array(Buffer.from(each, 'base64url')),
  ]);
  const derived = [text, ...text.split('.')].map((each) => deriveKey(each, 'access token'));
  return [...raw, ...derived].filter(({ length }) => length > 0);
};

test('with the whole settings table nobody signs a token that is taken, of whichever session', async () => {
  const ana = await newCustomer(shop);
  const payload = payloadOf(ana.jwt);
  const own = sign(shop.secrets.tokenKeys.issuing.accessKey, payload);
  expect(await isSignedIn(shop, { ...ana, jwt: own }), 'signed with the key').toBe(true);
  const { rows } = await shop.pool.query<{ value: unknown }>('select value from settings');
  const found = rows.flatMap(({ value }) => (typeof value === 'string' ? keysOf(value) : []));
  expect(found.length).toBeGreaterThan(8);
  for (const key of found)
    for (const sid of [payload['sid'], randomUUID()])
      expect(await isSignedIn(shop, { ...ana, jwt: sign(key, { ...payload, sid }) })).toBe(false);
});

test('with the whole settings table nobody makes a reset link that works or reads a second factor', async () => {
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

test('second factors that were sealed under a key in the database are sealed anew, and go on', async () => {
  const { account } = await customerWithFactor(shop);
  const [own, ...former] = shop.secrets.factorKeys;
  const factor = new Uint8Array(20).fill(7);
  const [inDatabase] = former;
  if (!inDatabase) throw new Error('there is no key of before');
  const keep = (secret: Buffer) =>
    shop.pool.query('update users set totp_secret = $2 where id = $1', [account.id, secret]);
  await keep(encryptSecret(factor, account.id, [inDatabase]));
  await resealFactors(shop.db, shop.secrets.factorKeys);
  const { rows } = await shop.pool.query<{ secret: Buffer }>('select totp_secret as secret from users where id = $1', [
    account.id,
  ]);
  for (const { secret } of rows) {
    expect(decryptSecret(secret, account.id, [inDatabase])).toBeUndefined();
    expect(decryptSecret(secret, account.id, [own])).toEqual(Buffer.from(factor));
  }
});

test('a backup holds neither the file with the key nor anything that it makes', async () => {
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
    ...[tokenKeys.issuing.accessKey.export(), Buffer.from(tokenKeys.issuing.successorKey)].flatMap((key) => [
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

describe('the file with the key', () => {
  test('is made once by processes that start at once, and is for its owner alone', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => openIn(home)));
    const keys = all.map(({ tokenKeys }) => tokenKeys.issuing.accessKey.export().toString('hex'));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(home)).toEqual(['session.key']);
    expect((await stat(path.join(home, 'session.key'))).mode & 0o777).toBe(0o600);
    const again = await openIn(home);
    expect(again.tokenKeys.issuing.accessKey.export().toString('hex')).toBe(keys[0]);
    expect(again.tokenKeys.issuing.successorKey).not.toEqual(again.tokenKeys.issuing.accessKey.export());
  });

  test('that is damaged, or has no place, stops the start with one sentence', async () => {
    const file = path.join(home, 'session.key');
    await writeFile(file, 'half');
    await expect(openIn(home)).rejects.toThrow(
      new ConfigError(`DATA_DIR: ${file} is damaged; without it a new one is made, and everybody logs in again`),
    );
    await expect(openIn(path.join(home, 'nowhere'))).rejects.toThrow(
      /^DATA_DIR: the key of the sessions cannot be kept there \(.+\); set SESSION_SECRET$/,
    );
  });

  test('is not made where SESSION_SECRET is set, whose keys are the same as ever', async () => {
    const secret = 'a secret of thirty-two characters';
    const { tokenKeys, resetKey, factorKeys } = await openIn(home, secret);
    expect(await readdir(home)).toEqual([]);
    expect(tokenKeys.issuing.accessKey.export()).toEqual(Buffer.from(deriveKey(secret, 'access token')));
    expect(tokenKeys.issuing.successorKey).toEqual(deriveKey(secret, 'refresh token successor'));
    expect(resetKey).toEqual(deriveKey(secret, 'password reset'));
    expect(factorKeys[0]).toEqual(deriveKey(secret, 'second factor'));
    const other = await openIn(home, `${secret}!`);
    expect(other.tokenKeys.issuing.accessKey.export()).not.toEqual(tokenKeys.issuing.accessKey.export());
  });
});

describe('a shop whose former release kept one secret for all in the database', () => {
  const formerSecret = 'f'.repeat(43);
  let older: Process;
  let newer: Process;
  let secrets: Secrets;
  let listener: Client;
  const at = (process: Process) => ({ call: shop.callerOf(process.app) });
  const refresh = (process: Process, refreshToken: string) =>
    at(process).call('refreshToken', { body: { refreshToken } });
  const isIn = (process: Process, person: SignedIn) => isSignedIn(at(process), person);
  const logInAt = async (process: Process): Promise<SignedIn> => {
    const { email, password } = await openAccount(shop);
    const { data } = await at(process).call('login', { body: { email, password } });
    return { ...data.authResponse, cookies: {} };
  };
  const look = () => lookOnce();
  let lookOnce: () => Promise<boolean>;

  beforeEach(async () => {
    await shop.pool.query(`delete from settings where name = 'lasting_keys'`);
    await shop.pool.query(
      `insert into settings (name, value) values ('session_secret', $1)
       on conflict (name) do update set value = excluded.value`,
      [JSON.stringify(formerSecret)],
    );
    secrets = await openIn(home);
    newer = await shop.openProcess(secrets);
    const tokenKeys = createKeyRing(tokenKeysOf(formerSecret), shop.clock); // the only keys that it knows
    older = await shop.openProcess({ ...secrets, tokenKeys });
    listener = new Client(shop.direct); // as its connection for changes did, without the lock of later releases
    await listener.connect();
    for (const channel of ['catalog', 'settings']) await listener.query(`listen "${channel}"`);
    const logger = { info: () => undefined, warn: () => undefined };
    lookOnce = createLook({ db: shop.db, direct: shop.direct, tokenKeys: secrets.tokenKeys, logger });
  });
  afterEach(async () => {
    await listener.end();
    await older.close();
    await newer.close();
  });
  const isSecretThere = async () =>
    (await shop.pool.query(`select from settings where name = 'session_secret'`)).rowCount === 1;
  /** The last process of the former release ends, and the secret goes. */
  const upgrade = async () => {
    await listener.end();
    while (!(await look()));
  };

  test('while one of its processes is connected, old and new take each other’s sessions', async () => {
    const [ana, ben] = [await logInAt(older), await logInAt(newer)];
    for (const person of [ana, ben])
      for (const process of [older, newer]) expect(await isIn(process, person)).toBe(true);
    for (const [person, first, second] of [
      [ana, newer, older],
      [ben, older, newer],
    ] as const) {
      const one = await refresh(first, person.refreshToken);
      const racing = await refresh(second, person.refreshToken);
      expect(racing.data.authResponse.refreshToken).toBe(one.data.authResponse.refreshToken);
      const two = await refresh(second, one.data.authResponse.refreshToken);
      expect(await isIn(first, { ...person, ...two.data.authResponse })).toBe(true);
    }
  });

  test('its secret stays while one is connected, and goes when two looks found none', async () => {
    expect([await look(), await look(), await look()]).toEqual([false, false, false]);
    await listener.end();
    expect(await look()).toBe(false);
    expect(await isSecretThere()).toBe(true);
    expect(await look()).toBe(true);
    expect(await isSecretThere()).toBe(false);
  });

  test('a process that finds the secret gone gives it up too', async () => {
    await shop.pool.query(`delete from settings where name = 'session_secret'`);
    const [former] = [tokenKeysOf(formerSecret)];
    expect(secrets.tokenKeys.issuing.accessKey.equals(former.accessKey)).toBe(true);
    expect(await look()).toBe(true);
    expect(secrets.tokenKeys.issuing.accessKey.equals(former.accessKey)).toBe(false);
  });

  test('the upgrade signs nobody out, in the process that saw it and in one that starts later', async () => {
    const people = [await logInAt(older), await logInAt(newer), await logInAt(older)];
    await upgrade();
    for (const person of people) expect(await isIn(newer, person)).toBe(true);
    const later = await shop.openProcess(await openIn(home));
    const [ana, ben, cleo] = people.map(({ refreshToken }) => refreshToken);
    shop.clock.advance(6 * 86_400_000);
    for (const [process, token] of [
      [newer, ana],
      [later, ben],
      [later, cleo],
    ] as const) {
      const { status, data } = await refresh(process, token ?? '');
      expect(status).toBe(200);
      expect((await refresh(later, data.authResponse.refreshToken)).status).toBe(200);
    }
    await later.close();
  });

  test('an answer that was lost before the upgrade is given again after it', async () => {
    const { refreshToken } = await logInAt(older);
    await refresh(older, refreshToken);
    await upgrade();
    const later = await shop.openProcess(await openIn(home));
    shop.clock.advance(3_600_000);
    const { status, data } = await refresh(later, refreshToken);
    expect(status).toBe(200);
    expect((await refresh(later, data.authResponse.refreshToken)).status).toBe(200);
    await later.close();
  });

  test('after it a backup of before signs nobody in, and ends nobody’s session', async () => {
    const ana = await logInAt(older);
    const payload = payloadOf(ana.jwt);
    await upgrade();
    shop.clock.advance(17 * 60_000 + 1000);
    const { accessKey, successorKey } = tokenKeysOf(formerSecret);
    expect(await isIn(newer, { ...ana, jwt: sign(accessKey, payload) })).toBe(false);
    const text = `${ana.refreshToken.slice(0, 36)}.${'A'.repeat(43)}`;
    const seal = createHmac('sha256', successorKey).update(`seal ${text}`).digest().subarray(0, 16);
    const madeUp = `${text}.${seal.toString('base64url')}`;
    expect((await refresh(newer, madeUp)).status).toBe(401);
    await at(newer).call('logout', { headers: { cookie: `__Host-refresh=${madeUp}` } });
    expect((await refresh(newer, ana.refreshToken)).status).toBe(200);
  });

  test('logging out with a token of before the upgrade ends its session', async () => {
    const ana = await logInAt(older);
    await upgrade();
    const later = await shop.openProcess(await openIn(home));
    shop.clock.advance(3_600_000);
    await at(later).call('logout', { headers: { cookie: `__Host-refresh=${ana.refreshToken}` } });
    expect((await refresh(later, ana.refreshToken)).status).toBe(401);
    await later.close();
  });

  test('tokens without a seal of ours are not looked up once every session of before has ended', async () => {
    await upgrade();
    const { tokenKeys } = await openIn(home);
    expect(tokenKeys.takesUnsealed).toBe(true);
    shop.clock.advance(31 * 86_400_000);
    expect(tokenKeys.takesUnsealed).toBe(false);
    shop.clock.advance(-31 * 86_400_000);
    await rm(path.join(home, 'session.key'));
    expect((await openIn(home)).tokenKeys.takesUnsealed, 'the file was taken away to sign everybody out').toBe(false);
  });

  test('second factors and answers under a key go on, also when SESSION_SECRET is set later', async () => {
    const factor = new Uint8Array(20).fill(7);
    const kept = encryptSecret(factor, 'ana', [deriveKey(formerSecret, 'second factor')]);
    await upgrade();
    const opened = await openIn(home);
    expect(opened.requestKey).toEqual(deriveKey(formerSecret, 'request'));
    const own = encryptSecret(factor, 'ana', opened.factorKeys);
    for (const { factorKeys } of [opened, await openIn(home, 'a secret of thirty-two characters')])
      for (const sealed of [kept, own]) expect(decryptSecret(sealed, 'ana', factorKeys)).toEqual(Buffer.from(factor));
    const { rows } = await shop.pool.query<{ value: string }>('select value::text from settings');
    expect(rows.filter(({ value }) => value.includes(formerSecret))).toEqual([]);
  });
});
