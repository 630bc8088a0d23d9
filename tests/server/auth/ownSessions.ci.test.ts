/** A user's list of sessions, and that an ended one is invalid immediately. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeDevice } from '../../../src/server/auth/sessions/device';
import { bearer, longPassword, newStaff, resetToken, setPassword } from '../../support/accounts';
import { cookiesOf, fromPage, isSignedIn, logIn, newCustomer, openAccount, type SignedIn } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

const loginFrom = async (account: { email: string; password: string }, userAgent: string) => {
  const body = { email: account.email, password: account.password };
  const answer = await shop.call('login', { body, headers: { 'user-agent': userAgent } });
  return { ...answer.data.authResponse, cookies: cookiesOf(answer) };
};
const list = async (person: SignedIn) => {
  const { data } = await shop.call('listSessions', { path: { userId: person.user.id }, headers: bearer(person) });
  return data.sessions;
};
const end = (person: SignedIn, sessionId: string) =>
  shop.call('endSession', { path: { userId: person.user.id, sessionId }, headers: bearer(person) });

describe('a user’s own sessions', () => {
  test('are listed by browser and system, the last used first', async () => {
    const account = await openAccount(shop);
    const laptop = await loginFrom(account, firefox);
    shop.clock.advance(60_000);
    const phone = await loginFrom(account, iphone);
    const sessions = await list(laptop);
    expect(sessions).toMatchObject([
      { device: 'Safari on iPhone', isCurrent: false },
      { device: 'Firefox on Linux', isCurrent: true },
    ]);
    expect(sessions.map(({ id }) => id)).toEqual([phone, laptop].map(({ refreshToken }) => refreshToken.slice(0, 36)));
  });

  test('can be ended one by one, with immediate effect', async () => {
    const account = await openAccount(shop);
    const [phone, laptop] = [await loginFrom(account, iphone), await loginFrom(account, firefox)];
    const other = (await list(laptop)).find(({ isCurrent }) => !isCurrent);
    const answer = await end(laptop, other?.id ?? '');
    expect(answer.data.sessions).toHaveLength(1);
    expect(await isSignedIn(shop, phone)).toBe(false);
    expect(await isSignedIn(shop, laptop)).toBe(true);
    expect(await end(laptop, other?.id ?? '')).toMatchObject({ status: 404, code: 'session_not_found' });
  });

  test('can all be ended except the current one', async () => {
    const account = await openAccount(shop);
    const others = [await logIn(shop, account), await logIn(shop, account)];
    const here = await logIn(shop, account);
    const path = { userId: here.user.id };
    const { data } = await shop.call('endOtherSessions', { path, headers: bearer(here) });
    expect(data.sessions).toMatchObject([{ isCurrent: true }]);
    for (const other of others) expect(await isSignedIn(shop, other)).toBe(false);
    expect(await isSignedIn(shop, here)).toBe(true);
  });

  test('lose their cookies when the current one is ended', async () => {
    const ana = await newCustomer(shop);
    const answer = await end(ana, ana.refreshToken.slice(0, 36));
    expect(cookiesOf(answer)['__Host-refresh']?.value).toBe('');
    expect(await isSignedIn(shop, ana)).toBe(false);
  });

  test('look missing to another user', async () => {
    const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
    const foreign = await end(ana, ben.refreshToken.slice(0, 36));
    const missing = await end(ana, crypto.randomUUID());
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    expect(await isSignedIn(shop, ben)).toBe(true);
  });

  test('are not listed once they expired', async () => {
    const account = await openAccount(shop);
    await logIn(shop, account);
    shop.clock.advance(8 * 86_400_000);
    expect(await list(await logIn(shop, account))).toHaveLength(1);
  });
});

test.each([
  [firefox, 'Firefox on Linux'],
  [iphone, 'Safari on iPhone'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Linux; Android 16) Chrome/156.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.11', ''],
  [undefined, ''],
  ['<script>alert(1)</script>', ''],
  [`${'x'.repeat(100_000)}Firefox/1`, ''],
])('the browser %j is named “%s”', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});

describe('an access token is rejected immediately, by header and by cookie, in every process, after', () => {
  const byOwner = async () => bearer(await newStaff(shop, 'ROLE_OWNER'));
  const endings: [string, (person: SignedIn) => Promise<{ status: number }>][] = [
    ['logout', (person) => shop.call('logout', { headers: bearer(person) })],
    [
      'a change of role',
      async ({ user }) =>
        shop.call('updateUserRole', {
          path: { userId: user.id },
          query: { role: 'ROLE_ADMIN' },
          headers: await byOwner(),
        }),
    ],
    [
      'being disabled',
      async ({ user }) =>
        shop.call('updateUserEnabled', {
          path: { userId: user.id },
          body: { isEnabled: false },
          headers: await byOwner(),
        }),
    ],
    [
      'a reset of the password',
      async ({ user }) => setPassword(shop, await resetToken(shop, user.email), longPassword),
    ],
  ];
  test.each(endings)('%s', async (_, ending) => {
    const other = await shop.openProcess();
    const there = { call: shop.callerOf(other.app) };
    const person = await newCustomer(shop);
    expect(await isSignedIn(there, person)).toBe(true);
    expect((await ending(person)).status).toBe(200);
    const path = { userId: person.user.id };
    for (const headers of [bearer(person), fromPage(person.cookies)])
      expect((await shop.call('getUser', { path, headers })).status).toBe(401);
    await expect.poll(() => isSignedIn(there, person)).toBe(false);
    await other.close();
  });
});
