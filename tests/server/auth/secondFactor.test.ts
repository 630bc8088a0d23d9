import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireSecondFactorOfStaff } from '../../../src/server/auth/core/requiredActions';
import { decryptSecret, encryptSecret } from '../../../src/server/auth/factors/secondFactor';
import { recoveryCodes, users } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import {
  bearer,
  customerWithFactor,
  longPassword,
  mailsTo,
  newStaff,
  nextStep,
  otpOf,
  password,
  switchOnFactor,
} from '../../support/accounts';
import { isSignedIn, logIn, newCustomer, openAccount, refreshed, refreshWith } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

type Login = { email: string; password: string; otp?: string };
const tryLogin = (login: Login) => shop.call('login', { body: login });
const credentials = ({ email }: { email: string }, otp?: string): Login => ({
  email,
  password,
  ...(otp !== undefined && { otp }),
});

/** How people paste a six-digit code. */
const asPasted: [how: string, write: (code: string) => string][] = [
  ['with a hyphen', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['with spaces', (code) => ` ${code.slice(0, 3)}\u00a0${code.slice(3)} `],
  ['with full-width digits', (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))],
  ['with a zero-width space', (code) => `\u200b${code}\u200b`],
];

describe('with the second factor on', () => {
  test('a login asks for a code, and accepts one from the app', async () => {
    const { account, secret } = await customerWithFactor(shop);
    for (const login of [credentials(account), credentials(account, ''), credentials(account, '  ')]) {
      const asked = await tryLogin(login);
      expect(asked).toMatchObject({ status: 401, code: 'second_factor_required' });
      expect(asked.headers['set-cookie']).toBeUndefined();
    }
    const { user } = await logIn(shop, account, { otp: otpOf(shop, secret) });
    expect(user.hasSecondFactor).toBe(true);
  });

  test.each(asPasted)('a login accepts a code pasted %s', async (_, written) => {
    const { account, secret } = await customerWithFactor(shop);
    await logIn(shop, account, { otp: written(otpOf(shop, secret)) });
  });

  test('a wrong password reveals nothing about it', async () => {
    const { account, secret } = await customerWithFactor(shop);
    const answer = await tryLogin({ ...credentials(account, otpOf(shop, secret)), password: 'wrong' });
    expect(answer).toMatchObject({ status: 401, code: 'invalid_credentials' });
  });

  test('a code is accepted once, even by two logins at the same moment', async () => {
    const { account, secret } = await customerWithFactor(shop);
    const otp = otpOf(shop, secret);
    const answers = await Promise.all([1, 2, 3].map(() => tryLogin(credentials(account, otp))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'second_factor_invalid')).toHaveLength(2);
    expect(await tryLogin(credentials(account, otp))).toMatchObject({ code: 'second_factor_invalid' });
  });

  test('the code of half a minute ago is accepted, as clocks differ; that of two minutes ago is not', async () => {
    const { account, secret } = await customerWithFactor(shop);
    nextStep(shop);
    expect((await tryLogin(credentials(account, otpOf(shop, secret, -120_000)))).status).toBe(401);
    shop.clock.advance(30_000 - (shop.clock.now().getTime() % 30_000)); // no time step ends between the code and its use
    expect((await tryLogin(credentials(account, otpOf(shop, secret, -30_000)))).status).toBe(200);
  });

  test('a recovery code is accepted once, however it is typed, and its use is reported by mail', async () => {
    const { account, recoveryCodes: codes } = await customerWithFactor(shop);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = ''] = codes;
    expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    await logIn(shop, account, { otp: first });
    await logIn(shop, account, { otp: ` ${second.toUpperCase().replaceAll('-', ' ')} ` });
    for (const used of [first, second])
      expect(await tryLogin(credentials(account, used))).toMatchObject({ code: 'second_factor_invalid' });
    expect((await mailsTo(shop, account.email)).join('\n')).toContain('one of your recovery codes');
  });

  test('five wrong codes lock the account for a while, even in a burst, and a right one does not help', async () => {
    const { account, secret } = await customerWithFactor(shop);
    const failedCodes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => tryLogin(credentials(account, String(100_000 + index)))),
    );
    const wrong = failedCodes.filter(({ code }) => code === 'second_factor_invalid').length;
    expect(wrong).toBeLessThanOrEqual(5);
    expect(failedCodes.filter(({ status }) => status === 429)).toHaveLength(12 - wrong);
    for (let n = wrong; n < 5; n++) await tryLogin(credentials(account, '000000'));
    expect((await tryLogin(credentials(account, otpOf(shop, secret)))).status).toBe(429);
    shop.clock.advance(15 * 60_000 + 1000);
    await logIn(shop, account, { otp: otpOf(shop, secret) });
  });

  test('a wrong code counts as a failed login like a wrong password', async () => {
    const { account, secret } = await customerWithFactor(shop);
    for (let n = 0; n < 3; n++) await tryLogin({ ...credentials(account), password: 'wrong' });
    for (let n = 0; n < 2; n++)
      expect(await tryLogin(credentials(account, '000000'))).toMatchObject({ code: 'second_factor_invalid' });
    expect((await tryLogin(credentials(account, otpOf(shop, secret)))).status).toBe(429);
  });

  test('the secret is encrypted in the database, and the recovery codes are hashed', async () => {
    const { account, secret, recoveryCodes: codes } = await customerWithFactor(shop);
    const [user] = await shop.db.select().from(users).where(eq(users.id, account.id));
    const kept = await shop.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, account.id));
    expect(kept).toHaveLength(10);
    const { rows } = await shop.pool.query('select users::text, totp_secret from users where id = $1', [account.id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code);
    expect(user?.totpSecret?.length).toBe(12 + 16 + 20);
  });

  test('a secret is useless in another account’s row, or under another key', () => {
    const secret = new Uint8Array(20).fill(7);
    const [key, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const kept = encryptSecret(secret, 'ana', [key]);
    expect(decryptSecret(kept, 'ana', [key])).toEqual(Buffer.from(secret));
    expect(decryptSecret(kept, 'ana', [other, key])).toEqual(Buffer.from(secret));
    expect(decryptSecret(kept, 'ben', [key])).toBeUndefined();
    expect(decryptSecret(kept, 'ana', [other])).toBeUndefined();
  });
});

describe('turning it on and off', () => {
  const begin = (person: { jwt: string }, proof: string) =>
    shop.call('beginSecondFactor', { body: { password: proof }, headers: bearer(person) });
  const confirm = (person: { jwt: string }, otp: string) =>
    shop.call('confirmSecondFactor', { body: { otp }, headers: bearer(person) });
  const disable = (person: { jwt: string }, otp: string, proof = password) =>
    shop.call('disableSecondFactor', { body: { password: proof, otp }, headers: bearer(person) });

  test('asks for the password, and nothing changes before the first right code', async () => {
    const ana = await newCustomer(shop);
    expect(await begin(ana, 'wrong')).toMatchObject({ status: 400, code: 'wrong_password' });
    expect(await confirm(ana, '123456')).toMatchObject({ status: 409, code: 'second_factor_not_begun' });
    const { data } = await begin(ana, password);
    expect(data.secondFactor.uri).toBe(
      `otpauth://totp/${encodeURIComponent('Savory, Seasoning & Spices')}:${encodeURIComponent(ana.user.email)}` +
        `?issuer=${encodeURIComponent('Savory, Seasoning & Spices')}&secret=${data.secondFactor.secret}` +
        '&algorithm=SHA1&digits=6&period=30',
    );
    expect(Buffer.from(data.secondFactor.secret)).toHaveLength(32);
    await logIn(shop, { email: ana.user.email, password });
    expect(await confirm(ana, '000000')).toMatchObject({ status: 400, code: 'wrong_code' });
    const code = otpOf(shop, data.secondFactor.secret);
    expect((await confirm(ana, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect(await begin(ana, password)).toMatchObject({ status: 409, code: 'second_factor_is_on' });
    expect(await confirm(ana, code)).toMatchObject({ status: 409, code: 'second_factor_is_on' });
    expect((await mailsTo(shop, ana.user.email)).join('\n')).toContain('Two-step login was turned on');
  });

  test.each(asPasted)('accepts a code pasted %s', async (_, written) => {
    const ana = await newCustomer(shop);
    const { secret } = (await begin(ana, password)).data.secondFactor;
    expect((await confirm(ana, written(otpOf(shop, secret)))).status).toBe(200);
  });

  test('off asks for the password and a code, and deletes the recovery codes', async () => {
    const { account, secret, recoveryCodes: codes } = await customerWithFactor(shop);
    const ana = await logIn(shop, account, { otp: otpOf(shop, secret) });
    nextStep(shop);
    expect(await disable(ana, otpOf(shop, secret), 'wrong')).toMatchObject({ status: 400, code: 'wrong_password' });
    expect(await disable(ana, '000000')).toMatchObject({ status: 400, code: 'wrong_code' });
    expect((await disable(ana, codes[0] ?? '')).status).toBe(200);
    expect(await disable(ana, '000000')).toMatchObject({ status: 409, code: 'second_factor_is_off' });
    expect((await logIn(shop, account)).user.hasSecondFactor).toBe(false);
    expect(await shop.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, account.id))).toEqual([]);
    expect((await mailsTo(shop, account.email)).join('\n')).toContain('Two-step login was turned off');
  });

  test('new recovery codes need the password and a code, and the old ones no longer work', async () => {
    const {
      account,
      secret,
      recoveryCodes: [old = '', spent = ''],
    } = await customerWithFactor(shop);
    const ana = await logIn(shop, account, { otp: otpOf(shop, secret) });
    nextStep(shop);
    const renew = (otp: string, proof = password) =>
      shop.call('newRecoveryCodes', { body: { password: proof, otp }, headers: bearer(ana) });
    expect(await renew(otpOf(shop, secret), 'wrong')).toMatchObject({ status: 400, code: 'wrong_password' });
    expect(await renew('000000')).toMatchObject({ status: 400, code: 'wrong_code' });
    const { data } = await renew(spent);
    expect(new Set(data.recoveryCodes).size).toBe(10);
    expect(data.recoveryCodes).not.toContain(old);
    expect(await tryLogin(credentials(account, old))).toMatchObject({ code: 'second_factor_invalid' });
    await logIn(shop, account, { otp: data.recoveryCodes[0] ?? '' });
    expect(await isSignedIn(shop, ana)).toBe(true);
    expect((await mailsTo(shop, account.email)).join('\n')).toContain('The old ones no longer work');
  });

  test('ends all other sessions each time, but not the current one', async () => {
    const account = await openAccount(shop);
    const [thief, ana] = [await logIn(shop, account), await logIn(shop, account)];
    const { secret } = await switchOnFactor(shop, ana);
    expect(await isSignedIn(shop, thief)).toBe(false);
    expect(await isSignedIn(shop, ana)).toBe(true);
    const other = await logIn(shop, account, { otp: otpOf(shop, secret) });
    nextStep(shop);
    expect((await disable(ana, otpOf(shop, secret))).status).toBe(200);
    expect(await isSignedIn(shop, other)).toBe(false);
    expect(await isSignedIn(shop, ana)).toBe(true);
    expect(await refreshWith(shop, other.refreshToken)).toMatchObject({ status: 401, code: 'session_ended' });
    await refreshed(shop, ana.refreshToken);
  });

  test('stores no response with a secret, whatever key the request had', async () => {
    const ana = await newCustomer(shop);
    const headers = { ...bearer(ana), 'idempotency-key': crypto.randomUUID() };
    const begun = await shop.call('beginSecondFactor', { body: { password }, headers });
    const { rows } = await shop.pool.query('select answer from idempotency_keys where scope = $1', [ana.user.id]);
    expect(JSON.stringify(rows)).not.toContain(begun.data.secondFactor.secret);
  });
});

describe('required steps at login', () => {
  const requireOfStaff = (isRequired: boolean, userId: string) =>
    transact(shop.db, (tx) =>
      requireSecondFactorOfStaff(tx, shop.sessions, {
        isRequired,
        by: { userId, requestId: null },
        now: shop.clock.now(),
      }),
    );

  test('staff without a second factor may only set it up once the shop requires it', async () => {
    const owner = await newStaff(shop, 'ROLE_OWNER');
    const admin = await newStaff(shop);
    await expect(requireOfStaff(true, owner.user.id)).rejects.toMatchObject({ code: 'second_factor_is_off' });
    const { secret } = await switchOnFactor(shop, owner, longPassword);
    await requireOfStaff(true, owner.user.id);
    expect(await isSignedIn(shop, admin)).toBe(false);
    expect(await isSignedIn(shop, owner)).toBe(true);

    const again = await logIn(shop, admin.account);
    expect(again.mustDo).toBe('set_up_second_factor');
    const list = (jwt: string) => shop.call('listUsers', { headers: { authorization: `Bearer ${jwt}` } });
    expect(await list(again.jwt)).toMatchObject({ status: 403, code: 'second_factor_setup_required' });
    expect((await shop.call('listOrders', { headers: bearer(again) })).status).toBe(403);
    expect((await shop.call('getUser', { path: { userId: again.user.id }, headers: bearer(again) })).status).toBe(200);
    expect((await shop.call('listProducts', { headers: bearer(again) })).status).toBe(200);

    await switchOnFactor(shop, again, longPassword);
    expect((await list(again.jwt)).status, 'until the next refresh').toBe(403);
    const done = await refreshed(shop, again.refreshToken);
    expect(done.mustDo).toBeNull();
    expect((await list(done.jwt)).status).toBe(200);

    const off = { body: { password: longPassword, otp: otpOf(shop, secret) }, headers: bearer(owner) };
    expect(await shop.call('disableSecondFactor', off)).toMatchObject({ status: 409, code: 'second_factor_for_staff' });
    expect((await logIn(shop, await openAccount(shop))).mustDo, 'customers choose').toBeNull();
    await requireOfStaff(false, owner.user.id);
    expect((await logIn(shop, (await newStaff(shop)).account)).mustDo).toBeNull();
  });

  test('a customer made admin with too short a password must change it at the next login, before anything else', async () => {
    const owner = await newStaff(shop, 'ROLE_OWNER');
    const account = await openAccount(shop, { password: 'short one 1', confirmPassword: 'short one 1' });
    const before = await logIn(shop, account);
    await shop.call('updateUserRole', {
      path: { userId: account.id },
      query: { role: 'ROLE_ADMIN' },
      headers: bearer(owner),
    });
    expect(await isSignedIn(shop, before)).toBe(false);
    expect((await refreshWith(shop, before.refreshToken)).status).toBe(401);

    const admin = await logIn(shop, account);
    expect(admin).toMatchObject({ mustDo: 'change_password', user: { role: 'ROLE_ADMIN' } });
    const refused = await shop.call('listUsers', { headers: bearer(admin) });
    expect(refused).toMatchObject({ status: 403, code: 'password_change_required' });
    expect((await refreshed(shop, admin.refreshToken)).mustDo, 'a refresh is no way round').toBe('change_password');
    const changed = await shop.call('changePassword', {
      path: { userId: account.id },
      body: { currentPassword: 'short one 1', password: longPassword, confirmPassword: longPassword },
      headers: bearer(admin),
    });
    expect(changed.status).toBe(200);
    const done = await logIn(shop, { email: account.email, password: longPassword });
    expect(done.mustDo).toBeNull();
    expect((await shop.call('listUsers', { headers: bearer(done) })).status).toBe(200);
  });
});
