import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { unusableHash } from '../../../src/server/auth/factors/passwords';
import { users } from '../../../src/server/db/schema/tables';
import {
  cookiesOf,
  fromPage,
  isSignedIn,
  logIn,
  newCustomer,
  openAccount,
  openUnprovenAccount,
  refreshed,
  refreshWith,
  without,
} from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const cookieRules = { '__Host-access': 'SameSite=Lax', '__Host-refresh': 'SameSite=Strict' };
const always = ['HttpOnly', 'Path=/', 'Secure'];
const sevenDays = 'Max-Age=604800';

describe('logging in', () => {
  test('returns the user and both tokens, and sets both cookies for seven days', async () => {
    const { email, password, id } = await openAccount(shop);
    const answer = await shop.call('login', { body: { email, password } });
    expect(answer).toMatchObject({ status: 200, message: 'Login successful' });
    const { user, jwt, refreshToken } = answer.data.authResponse;
    expect(user).toMatchObject({ id, email, role: 'ROLE_CUSTOMER', addresses: [{ city: 'Atlanta' }] });
    const cookies = cookiesOf(answer);
    expect(cookies['__Host-access']?.value).toBe(jwt);
    expect(cookies['__Host-refresh']?.value).toBe(refreshToken);
    for (const [name, sameSite] of Object.entries(cookieRules)) {
      expect(cookies[name]?.attributes, name).toEqual([...always, sevenDays, sameSite].sort());
    }
    expect(JSON.stringify(answer.body)).not.toContain('argon2');
  });

  test('without Remember me sets cookies that end with the browser, also after a refresh', async () => {
    const first = await logIn(shop, await openAccount(shop), { rememberMe: false });
    const second = await refreshed(shop, first.refreshToken);
    for (const cookies of [first.cookies, second.cookies]) {
      for (const [name, sameSite] of Object.entries(cookieRules)) {
        expect(cookies[name]?.attributes, name).toEqual([...always, sameSite].sort());
      }
    }
  });

  test('accepts the email in another case and with blanks around it', async () => {
    const { email, password } = await openAccount(shop);
    await logIn(shop, { email: ` ${email.toUpperCase()} `, password });
  });

  const empty: [object, { field: string; message: string }[]][] = [
    [{ email: '', password: 'x' }, [{ field: 'email', message: 'Email is required' }]],
    [{ email: '  ', password: 'x' }, [{ field: 'email', message: 'Email is required' }]],
    [{ email: 'a@example.com', password: '' }, [{ field: 'password', message: 'Password is required' }]],
    [{ email: 'a@example.com' }, [{ field: 'password', message: 'Password is required' }]],
    [
      {},
      [
        { field: 'email', message: 'Email is required' },
        { field: 'password', message: 'Password is required' },
      ],
    ],
  ];
  test.each(empty)('with %j is rejected by validation', async (body, errors) => {
    expect(await shop.call('login', { body })).toMatchObject({ status: 400, message: errors[0]?.message, errors });
  });

  test('answers a wrong password, an unknown email and a deactivated account alike', async () => {
    const known = await openAccount(shop);
    const disabled = await openAccount(shop);
    await shop.db.update(users).set({ isEnabled: false }).where(eq(users.id, disabled.id));
    const attempts = [
      { email: known.email, password: 'not the password' },
      { email: 'nobody@example.com', password: known.password },
      { email: 'no address at all \u0000', password: known.password },
      { email: disabled.email, password: disabled.password },
    ];
    for (const body of attempts) {
      const answer = await shop.call('login', { body });
      expect({ ...answer.body, requestId: '' }).toEqual({
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        detail: 'Incorrect username/password',
        message: 'Incorrect username/password',
        code: 'invalid_credentials',
        errors: [],
        requestId: '',
      });
      expect(cookiesOf(answer)).toEqual({});
    }
  });

  test('rejects a password of a megabyte, or of another type, before any work', async () => {
    const { email } = await openAccount(shop);
    for (const password of ['x'.repeat(129), 12_345_678, ['x'], { $ne: '' }])
      expect((await shop.call('login', { body: { email, password } })).status).toBe(400);
    expect((await shop.call('login', { body: { email, password: 'x'.repeat(900_000) } })).status).toBe(413);
  });

  test('ends the session that the browser still had, and starts one with a new id', async () => {
    const account = await openAccount(shop);
    const former = await logIn(shop, account);
    const answer = await shop.call('login', {
      body: { email: account.email, password: account.password },
      headers: fromPage(former.cookies),
    });
    expect(answer.status).toBe(200);
    expect(await isSignedIn(shop, former)).toBe(false);
    expect(await isSignedIn(shop, answer.data.authResponse)).toBe(true);
    expect(answer.data.authResponse.refreshToken.slice(0, 36)).not.toBe(former.refreshToken.slice(0, 36));
  });

  test('works with an invalid Authorization header', async () => {
    const { email, password } = await openAccount(shop);
    const headers = { authorization: 'Bearer dead' };
    expect((await shop.call('login', { body: { email, password }, headers })).status).toBe(200);
  });

  test('from a page of another site is rejected', async () => {
    const { email, password } = await openAccount(shop);
    for (const headers of [{ origin: 'https://evil.test' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await shop.call('login', { body: { email, password }, headers });
      expect(answer).toMatchObject({ status: 403, code: 'cross_site_request' });
    }
  });

  /** An account whose password was hashed when hashes were cheaper. */
  async function openOldAccount() {
    const account = await openAccount(shop);
    const cheap = await hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await shop.db.update(users).set({ passwordHash: cheap }).where(eq(users.id, account.id));
    return account;
  }

  test('replaces a hash of an older cost', async () => {
    const account = await openOldAccount();
    await logIn(shop, account);
    const [user] = await shop.db.select().from(users).where(eq(users.id, account.id));
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await logIn(shop, account);
  });

  /**
   * Logs in from `times` addresses, and releases the lock on the account's row once all of them wait to write the new
   * hash.
   */
  async function logInWhileHeld(account: Awaited<ReturnType<typeof openOldAccount>>, times: number, held: string) {
    const { id, email, password: its } = account;
    const warden = new Client(shop.direct);
    await warden.connect();
    onTestFinished(() => warden.end().catch(() => undefined));
    await warden.query('begin');
    await warden.query(held, [id]);
    const logins = Array.from({ length: times }, (_, at) =>
      shop.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email, password: its },
        remoteAddress: `203.0.113.${at}`,
      }),
    );
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBe(times);
    await warden.query('commit');
    return (await Promise.all(logins)).map(({ statusCode }) => statusCode);
  }

  test('twice at the same time with a hash of an older cost succeeds twice', async () => {
    const account = await openOldAccount();
    expect(await logInWhileHeld(account, 2, 'select from users where id = $1 for update')).toEqual([200, 200]);
  });

  test('with a hash of an older cost is rejected when the password is changed meanwhile', async () => {
    const account = await openOldAccount();
    const change = `update users set password_hash = '${unusableHash}' where id = $1`;
    expect(await logInWhileHeld(account, 2, change)).toEqual([401, 401]);
  });

  test('twenty times at the same time with the right password always succeeds', async () => {
    const { email, password } = await openAccount(shop);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('login', { body: { email, password } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

describe('logging out', () => {
  test('ends the session for all its tokens immediately, and clears cookies and caches', async () => {
    const ana = await newCustomer(shop);
    const answer = await shop.call('logout', { body: {}, headers: { authorization: `Bearer ${ana.jwt}` } });
    expect(answer).toMatchObject({ status: 200, message: 'Logout successful' });
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    for (const [name, sameSite] of Object.entries(cookieRules)) {
      const cookie = cookiesOf(answer)[name];
      expect(cookie?.value).toBe('');
      expect(cookie?.attributes).toEqual(
        ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'Max-Age=0', ...always, sameSite].sort(),
      );
    }
    expect(await isSignedIn(shop, ana)).toBe(false);
    const byCookie = await shop.call('getUser', { path: { userId: ana.user.id }, headers: fromPage(ana.cookies) });
    expect(byCookie.status).toBe(401);
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject({ status: 401, code: 'session_ended' });
  });

  const bits: [string, (ana: Awaited<ReturnType<typeof newCustomer>>) => Record<string, string>][] = [
    ['both cookies', (ana) => fromPage(ana.cookies)],
    ['the access cookie alone', ({ cookies }) => fromPage(without(cookies, '__Host-refresh'))],
    ['the refresh cookie alone', ({ cookies }) => fromPage(without(cookies, '__Host-access'))],
    ['a dead header and the cookies', (ana) => ({ ...fromPage(ana.cookies), authorization: 'Bearer dead' })],
  ];
  test.each(bits)('works with %s', async (_, headersOf) => {
    const ana = await newCustomer(shop);
    expect((await shop.call('logout', { headers: headersOf(ana) })).status).toBe(200);
    expect(await isSignedIn(shop, ana)).toBe(false);
  });

  test('works with an expired access token', async () => {
    const ana = await newCustomer(shop);
    shop.clock.advance(60 * 60_000);
    await shop.call('logout', { headers: { authorization: `Bearer ${ana.jwt}` } });
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject({ status: 401, code: 'session_ended' });
  });

  test('succeeds without a token, or with an invalid one', async () => {
    for (const headers of [{}, { authorization: 'Bearer dead' }, { authorization: 'Basic eDp5' }]) {
      expect((await shop.call('logout', { headers })).status).toBe(200);
    }
  });

  test('leaves the user’s other sessions alone', async () => {
    const account = await openAccount(shop);
    const [phone, laptop] = [await logIn(shop, account), await logIn(shop, account)];
    await shop.call('logout', { headers: { authorization: `Bearer ${phone.jwt}` } });
    expect(await isSignedIn(shop, phone)).toBe(false);
    expect(await isSignedIn(shop, laptop)).toBe(true);
  });

  test('a page of another site cannot log a user out', async () => {
    const ana = await newCustomer(shop);
    const headers = { ...fromPage(ana.cookies), 'sec-fetch-site': 'cross-site' };
    expect((await shop.call('logout', { headers })).status).toBe(403);
    expect(await isSignedIn(shop, ana)).toBe(true);
  });
});

test('the log tells logins apart by ids, without email, password or token', async () => {
  shop.logLines.length = 0;
  const account = await openUnprovenAccount(shop);
  const { jwt, refreshToken } = await logIn(shop, account);
  await shop.call('login', { body: { email: account.email, password: 'not the password' } });
  const lines = shop.logLines.map((line) => JSON.parse(line) as { event?: string; user?: string });
  const told = lines.flatMap(({ event, user }) => (event ? [{ event, user }] : []));
  expect(told).toEqual(['registered', 'login', 'login_failed'].map((event) => ({ event, user: account.id })));
  const whole = shop.logLines.join('');
  for (const secret of [account.email, account.password, 'not the password', jwt, refreshToken]) {
    expect(whole).not.toContain(secret);
  }
});
