import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mails, passwordResets, users } from '../../../src/server/db/schema/tables';
import {
  alike,
  askForReset,
  bearer,
  longPassword,
  mailsTo,
  newStaff,
  resetToken,
  resetTokenOf,
  setPassword,
} from '../../support/accounts';
import { isSignedIn, logIn, newcomer, newCustomer, openAccount, refreshed } from '../../support/auth';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const invalidLink = { status: 400, code: 'reset_link_invalid' };

describe('a forgotten password', () => {
  test('is reset by the link in the mail, which ends all sessions', async () => {
    const account = await openAccount(shop);
    const [phone, laptop] = [await logIn(shop, account), await logIn(shop, account)];
    const token = await resetToken(shop, account.email);
    expect(await isSignedIn(shop, phone)).toBe(true);
    const answer = await setPassword(shop, token);
    expect(answer).toMatchObject({ status: 200, message: 'Your password was changed. Log in with the new one.' });
    for (const session of [phone, laptop]) expect(await isSignedIn(shop, session)).toBe(false);
    expect((await shop.call('login', { body: { email: account.email, password: account.password } })).status).toBe(401);
    await logIn(shop, { email: account.email, password: longPassword });
    expect((await mailsTo(shop, account.email)).join('\n')).toContain('reset with a link we emailed to you');
  });

  test('blocks no further request for long when the process that writes the mail dies', async () => {
    const { email } = await openAccount(shop);
    expect((await askForReset(shop, email)).status).toBe(200);
    await shop.pool.query(
      `update graphile_worker._private_jobs set locked_at = now() - interval '5 minutes', locked_by = 'dead', attempts = 1
       where payload->>'email' = $1`,
      [email],
    );
    expect(await resetTokenOf(shop, email)).toBe('');
    await shop.jobs.freeResetLinks();
    expect(await resetTokenOf(shop, email)).not.toBe('');
  });

  test('a link works once, within 30 minutes, unaltered, and only the newest', async () => {
    const { email } = await openAccount(shop);
    const used = await resetToken(shop, email);
    expect((await setPassword(shop, used)).status).toBe(200);
    expect(await setPassword(shop, used)).toMatchObject(invalidLink);

    const older = await resetToken(shop, email);
    shop.clock.advance(1000);
    const newer = await resetToken(shop, email);
    expect(newer).not.toBe(older);
    expect(await setPassword(shop, older)).toMatchObject(invalidLink);
    const altered = `${newer.slice(0, -2)}${newer.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const token of [altered, newer.slice(1), `${newer}x`, '', 'x'.repeat(512)])
      expect(await setPassword(shop, token)).toMatchObject(invalidLink);

    shop.clock.advance(30 * 60_000);
    expect(await setPassword(shop, newer)).toMatchObject(invalidLink);
    expect((await shop.call('login', { body: { email, password: longPassword } })).status).toBe(200);
  });

  test('a link used ten times at the same time succeeds once', async () => {
    const { email } = await openAccount(shop);
    const token = await resetToken(shop, email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => setPassword(shop, token, `a new password ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'reset_link_invalid')).toHaveLength(9);
  });

  test('a token is 256 bits, and in no row, log line or response', async () => {
    shop.logLines.length = 0;
    const account = await openAccount(shop);
    const token = await resetToken(shop, account.email);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const { rows } = await shop.pool.query<{ text: string }>(`
      select password_resets::text as text from password_resets union all select mails::text from mails
      union all select payload::text from graphile_worker._private_jobs union all select audit_log::text from audit_log`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(shop.logLines.join('')).not.toContain(token);
    expect(shop.logLines.join('')).not.toContain(account.email);
  });

  const tricks: [string, Record<string, string>][] = [
    ['host', { host: 'evil.test' }],
    ['host with a port', { host: 'localhost:3000@evil.test' }],
    ['x-forwarded-host', { 'x-forwarded-host': 'evil.test' }],
    ['x-forwarded-server', { 'x-forwarded-server': 'evil.test' }],
    ['x-forwarded-proto', { 'x-forwarded-proto': 'https', 'x-forwarded-port': '4443' }],
    ['forwarded', { forwarded: 'host=evil.test;proto=https' }],
    ['x-host', { 'x-host': 'evil.test' }],
    ['x-original-host', { 'x-original-host': 'evil.test' }],
    ['x-original-url', { 'x-original-url': 'https://evil.test/', 'x-rewrite-url': 'https://evil.test/' }],
    ['x-http-host-override', { 'x-http-host-override': 'evil.test' }],
    ['referer', { referer: 'https://evil.test/forgot-password' }],
  ];
  test.each(tricks)('a link goes to the shop’s own host whatever %s says', async (_, headers) => {
    const { email } = await openAccount(shop);
    expect((await askForReset(shop, email, headers)).status).toBe(200);
    const mail = (await mailsTo(shop, email)).join('\n');
    expect(mail).toContain(`${publicUrl.origin}/reset-password#token=`);
    expect(mail).not.toContain('evil.test');
    expect(mail).not.toContain(':4443');
  });

  test('a look-alike of an address gets no link to another user’s account', async () => {
    const name = `kelly-${Date.now()}`;
    const { email } = await openAccount(shop, { email: `${name}@example.com` });
    // these are different letters, and belong to no account
    const strangers = [`${name.replace('e', 'е')}@example.com`, `${name}@examplе.com`, `${name}@example.com.evil.test`];
    for (const stranger of strangers) expect((await askForReset(shop, stranger)).status).toBe(200);
    expect(await mailsTo(shop, email)).toEqual([]);
    for (const stranger of strangers) expect(await mailsTo(shop, stranger)).toEqual([]);
    // the same letters in another width: the mail goes to the account's address, not to what was typed
    const wide = `ｋｅｌｌｙ${name.slice(5)}@example.com`;
    await askForReset(shop, wide);
    expect(await mailsTo(shop, email)).toHaveLength(1);
    expect(await mailsTo(shop, wide)).toEqual([]);
  });

  test('a request is answered the same for a known, an unknown and a deactivated address', async () => {
    const known = await openAccount(shop);
    const disabled = await openAccount(shop);
    await shop.db.update(users).set({ isEnabled: false }).where(eq(users.id, disabled.id));
    const answers = [];
    for (const email of [known.email, newcomer().email, disabled.email]) answers.push(await askForReset(shop, email));
    const [first, ...others] = answers.map((answer) => alike(answer as never));
    for (const other of others) expect(other).toEqual(first);
    expect(first?.body).toMatchObject({
      message: expect.stringContaining("If there's an account for that email") as string,
    });
    expect(await resetTokenOf(shop, known.email)).not.toBe('');
    expect(await mailsTo(shop, disabled.email)).toEqual([]);
  });

  test('an account is mailed three links in a quarter of an hour, known or not, even in a burst', async () => {
    for (const { email } of [await openAccount(shop), newcomer()]) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => askForReset(shop, email)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(answers.filter(({ status, code }) => status === 429 && code === 'too_many_attempts')).toHaveLength(9);
    }
    shop.clock.advance(15 * 60_000 + 1000);
    for (let asked = 0; asked < 30; asked++) expect((await askForReset(shop, newcomer().email)).status).toBe(200);
    expect((await askForReset(shop, newcomer().email)).status).toBe(429);
  });

  test('a mail that could not be sent in time has no working link, and is not sent', async () => {
    const { email } = await openAccount(shop);
    await shop.jobs.writeResetLink({ email });
    shop.clock.advance(31 * 60_000);
    expect(await mailsTo(shop, email)).toEqual([]);
    const rows = await shop.db.select().from(mails).where(eq(mails.recipient, email));
    expect(rows.map(({ state }) => state)).toContain('cancelled');
  });

  test('an account is no longer limited once its user has reset the password', async () => {
    const { email } = await openAccount(shop);
    const token = await resetToken(shop, email);
    for (let guess = 0; guess < 6; guess++) await shop.call('login', { body: { email, password: 'wrong' } });
    await setPassword(shop, token);
    await logIn(shop, { email, password: longPassword });
  });

  const rejections: [string, object, string, string][] = [
    ['no email', { email: '' }, 'email', 'Email is required'],
    ['no address', { email: 'awa' }, 'email', 'Invalid email address'],
    ['a short password', { token: 'x', password: 'short', confirmPassword: 'short' }, 'password', '8 characters'],
    ['no letter', { token: 'x', password: '12345678', confirmPassword: '12345678' }, 'password', 'one letter'],
    ['two passwords', { token: 'x', password: 'pepper 12', confirmPassword: 'other 123' }, 'confirmPassword', 'match'],
    ['no second password', { token: 'x', password: 'pepper 12' }, 'confirmPassword', 'Please confirm your password'],
  ];
  test.each(rejections)('with %s is rejected', async (_, body, field, message) => {
    const answer = await shop.call('resetPassword', { body });
    expect(answer).toMatchObject({ status: 400, errors: [{ field }] });
    expect(answer.message).toContain(message);
  });

  test('a new password that is too common, or too short for staff, leaves the link valid', async () => {
    const { account } = await newStaff(shop);
    const token = await resetToken(shop, account.email);
    for (const refused of ['password1', 'only eleven', 'qwerty123456']) {
      const answer = await setPassword(shop, token, refused);
      expect(answer, refused).toMatchObject({ status: 400, errors: [{ field: 'password' }] });
    }
    expect((await setPassword(shop, token, 'twelve signs and more')).status).toBe(200);
  });

  test('old links are deleted in time', async () => {
    const { email, id } = await openAccount(shop);
    await resetToken(shop, email);
    const kept = () => shop.db.select().from(passwordResets).where(eq(passwordResets.userId, id));
    await shop.jobs.deleteOldRows();
    expect(await kept()).toHaveLength(1);
    shop.clock.advance(2 * 86_400_000);
    await shop.jobs.deleteOldRows();
    expect(await kept()).toEqual([]);
  });
});

describe('changing the password', () => {
  const change = (person: Awaited<ReturnType<typeof newCustomer>>, changes: object = {}, key?: string) =>
    shop.call('changePassword', {
      path: { userId: person.user.id },
      headers: bearer(person),
      body: {
        currentPassword: 'pepper and salt 1',
        password: longPassword,
        confirmPassword: longPassword,
        ...changes,
      },
      ...(key && { key }),
    });

  test('asks for the current one, ends all other sessions, and sends a mail', async () => {
    const account = await openAccount(shop);
    const [phone, laptop] = [await logIn(shop, account), await logIn(shop, account)];
    const wrong = await change(laptop, { currentPassword: 'not the password' });
    expect(wrong).toMatchObject({ status: 400, code: 'wrong_password', errors: [{ field: 'currentPassword' }] });
    expect(await change(laptop)).toMatchObject({ status: 200, message: 'Password changed' });
    expect(await isSignedIn(shop, laptop)).toBe(true);
    expect(await isSignedIn(shop, phone)).toBe(false);
    await refreshed(shop, laptop.refreshToken);
    await logIn(shop, { email: account.email, password: longPassword });
    expect((await mailsTo(shop, account.email)).join('\n')).toContain('The password for your account was changed');
  });

  test('allows five guesses at the current one in a quarter of an hour, even in a burst', async () => {
    const ana = await newCustomer(shop);
    const failedCodes = await Promise.all(Array.from({ length: 15 }, () => change(ana, { currentPassword: 'wrong' })));
    expect(failedCodes.filter(({ code }) => code === 'wrong_password')).toHaveLength(5);
    expect(failedCodes.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('twice with one Idempotency-Key changes it once, and returns the same response', async () => {
    const ana = await newCustomer(shop);
    const key = crypto.randomUUID();
    expect((await change(ana, {}, key)).status).toBe(200);
    const again = await change(ana, {}, key);
    expect(again.status).toBe(200);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const { rows } = await shop.pool.query('select request_hash from idempotency_keys where key = $1', [key]);
    expect(rows).toHaveLength(1);
  });

  test.each([
    [
      'the present one again',
      { password: 'pepper and salt 1', confirmPassword: 'pepper and salt 1' },
      "aren't using now",
    ],
    ['a common one', { password: 'Password1', confirmPassword: 'Password1' }, 'too common'],
    ['a short one', { password: 'short', confirmPassword: 'short' }, '8 characters'],
  ])('to %s is rejected', async (_, changes, message) => {
    const answer = await change(await newCustomer(shop), changes);
    expect(answer).toMatchObject({ status: 400, errors: [{ field: 'password' }] });
    expect(answer.message).toContain(message);
  });

  test('requires twelve characters of staff', async () => {
    const admin = await newStaff(shop);
    const short = { currentPassword: longPassword, password: 'only eleven', confirmPassword: 'only eleven' };
    expect(await change(admin, short)).toMatchObject({
      status: 400,
      message: 'Password must be at least 12 characters',
    });
  });

  test('invalidates a reset link that was already mailed', async () => {
    const account = await openAccount(shop);
    const token = await resetToken(shop, account.email);
    await change(await logIn(shop, account));
    expect(await setPassword(shop, token)).toMatchObject(invalidLink);
  });
});

describe('common passwords', () => {
  test.each(['password1', 'PassWord1', 'qwertyuiop', 'iloveyou', 'trustno1', 'football', '1q2w3e4r'])(
    '“%s” is rejected with a sentence',
    async (common) => {
      const answer = await shop.call('register', { body: newcomer({ password: common, confirmPassword: common }) });
      const message = 'That password is too common. Try another.';
      expect(answer).toMatchObject({ status: 400, message, errors: [{ field: 'password', message }] });
    },
  );

  test('are three thousand, each one that the form would otherwise accept', async () => {
    const { default: list } = await import('../../../src/server/auth/factors/commonPasswords.json');
    const passwords = list.passwords.split(' ');
    expect(new Set(passwords).size).toBe(3000);
    for (const each of list.longPasswords.split(' ')) expect(each.length).toBeGreaterThanOrEqual(12);
    for (const each of passwords) expect(each).toMatch(/^(?=.*\p{L}).{8,}$/u);
    expect(list.licence).toContain('MIT');
  });
});
