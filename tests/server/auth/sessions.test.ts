import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionFamilies, users } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { mailsTo } from '../../support/accounts';
import {
  cookiesOf,
  fromPage,
  isSignedIn,
  newCustomer,
  refreshed,
  refreshWith,
  type SignedIn,
  without,
} from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const seconds = (count: number) => shop.clock.advance(count * 1000);
const days = (count: number) => shop.clock.advance(count * 86_400_000);
const ended = { status: 401, code: 'session_ended' };
const familyOf = ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) => refreshToken.slice(0, 36);

describe('refreshing', () => {
  test('returns a new token each time, in the body and in the cookies', async () => {
    const first = await newCustomer(shop);
    const second = await refreshed(shop, first.refreshToken);
    const third = await refreshed(shop, second.refreshToken);
    expect(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size).toBe(3);
    expect(third.user).toEqual(first.user);
    expect(third.cookies['__Host-access']?.value).toBe(third.jwt);
    expect(third.cookies['__Host-refresh']?.value).toBe(third.refreshToken);
    expect(await isSignedIn(shop, third)).toBe(true);
  });

  test('works with the cookie alone, despite an invalid Authorization header, from the shop’s own page only', async () => {
    const ana = await newCustomer(shop);
    const cookies = without(ana.cookies, '__Host-access');
    const foreign = { ...fromPage(cookies), 'sec-fetch-site': 'same-site' };
    expect((await shop.call('refreshToken', { headers: foreign })).status).toBe(403);
    const headers = { ...fromPage(cookies), authorization: 'Bearer dead' };
    expect((await shop.call('refreshToken', { headers })).status).toBe(200);
  });

  test('without a token asks for a login', async () => {
    expect(await shop.call('refreshToken', { body: {} })).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('with an access token, an altered token or nonsense is rejected', async () => {
    const ana = await newCustomer(shop);
    const [familyId = '', secret = '', seal = ''] = ana.refreshToken.split('.');
    const madeUp = [
      ana.jwt,
      'nonsense',
      `${ana.refreshToken}.x`,
      `${familyId}.${'A'.repeat(43)}.${seal}`,
      `${familyId}.${secret}.${'A'.repeat(22)}`,
      `${crypto.randomUUID()}.${secret}.${seal}`,
    ];
    for (const token of madeUp) expect(await refreshWith(shop, token)).toMatchObject(ended);
    expect(await isSignedIn(shop, ana)).toBe(true);
  });

  test('or logging out with a forged token ends nobody’s session', async () => {
    const ana = await newCustomer(shop);
    const familyId = ana.refreshToken.slice(0, 36);
    const cookie = `__Host-refresh=${familyId}.${'A'.repeat(43)}.${'A'.repeat(22)}`;
    expect((await shop.call('logout', { headers: { cookie } })).status).toBe(200);
    expect(await isSignedIn(shop, ana)).toBe(true);
  });

  test('stores no token in the database', async () => {
    const ana = await newCustomer(shop);
    const rows = JSON.stringify(await shop.db.select().from(sessionFamilies));
    expect(rows).toContain(familyOf(ana));
    expect(rows).not.toContain(ana.refreshToken.slice(37));
  });
});

describe('the token before the newest', () => {
  test('gives five tabs the same successor at the same time', async () => {
    const { refreshToken } = await newCustomer(shop);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => refreshed(shop, refreshToken)));
    expect(new Set(tabs.map((tab) => tab.refreshToken)).size).toBe(1);
    for (const tab of tabs) expect(await isSignedIn(shop, tab)).toBe(true);
    await refreshed(shop, tabs[0]?.refreshToken ?? '');
  });

  test('is honored for ten seconds, even though its successor is in use', async () => {
    const { refreshToken } = await newCustomer(shop);
    const first = await refreshed(shop, refreshToken);
    expect(await isSignedIn(shop, first)).toBe(true);
    seconds(8);
    expect((await refreshed(shop, refreshToken)).refreshToken).toBe(first.refreshToken);
  });

  test('is honored days later while nothing issued for it was used: its response was lost', async () => {
    const { refreshToken } = await newCustomer(shop);
    const lost = await refreshed(shop, refreshToken);
    days(6);
    const again = await refreshed(shop, refreshToken);
    expect(again.refreshToken).toBe(lost.refreshToken);
    seconds(30);
    expect(await isSignedIn(shop, again)).toBe(true);
    expect(await refreshWith(shop, refreshToken)).toMatchObject(ended);
  });

  const uses: [string, (successor: SignedIn) => Promise<unknown>][] = [
    ['its access token was used', (successor) => isSignedIn(shop, successor)],
    [
      'its access token was used on a public page',
      ({ jwt }) => shop.call('listCategories', { headers: { authorization: `Bearer ${jwt}` } }),
    ],
    [
      'its access cookie was used',
      ({ user, cookies }) => shop.call('getUser', { path: { userId: user.id }, headers: fromPage(cookies) }),
    ],
  ];
  test.each(uses)('ends the session when %s and ten seconds have passed', async (_, use) => {
    const ana = await newCustomer(shop);
    const successor = await refreshed(shop, ana.refreshToken);
    await use(successor);
    seconds(11);
    const rejection = await refreshWith(shop, ana.refreshToken);
    expect(rejection).toMatchObject({
      ...ended,
      message: 'Your login was used in two places, so we ended it to protect your account. Log in again.',
    });
    for (const name of ['__Host-access', '__Host-refresh']) expect(cookiesOf(rejection)[name]?.value).toBe('');
    expect(await isSignedIn(shop, successor)).toBe(false);
    const victim = await refreshWith(shop, successor.refreshToken);
    expect(victim.message, 'the other side is told too').toBe(rejection.message);
  });

  test('is too old as soon as its successor was exchanged, even within the ten seconds', async () => {
    const first = await newCustomer(shop);
    const second = await refreshed(shop, first.refreshToken);
    const third = await refreshed(shop, second.refreshToken);
    expect(await refreshWith(shop, first.refreshToken)).toMatchObject(ended);
    expect(await isSignedIn(shop, third)).toBe(false);
    expect(await refreshWith(shop, third.refreshToken)).toMatchObject(ended);
  });

  test('is not replaced by the use of an access token from before the refresh', async () => {
    const first = await newCustomer(shop);
    const second = await refreshed(shop, first.refreshToken);
    await refreshed(shop, second.refreshToken); // the response is lost
    expect(await isSignedIn(shop, second)).toBe(true);
    seconds(60);
    expect((await refreshWith(shop, second.refreshToken)).status).toBe(200);
  });

  test('that was stolen leaves one line in the log, with ids only, and a mail to the user', async () => {
    const ana = await newCustomer(shop);
    await isSignedIn(shop, await refreshed(shop, ana.refreshToken));
    seconds(11);
    shop.logLines.length = 0;
    await refreshWith(shop, ana.refreshToken);
    await refreshWith(shop, ana.refreshToken);
    const told = shop.logLines.map((line) => JSON.parse(line) as object).filter((line) => 'event' in line);
    expect(told).toMatchObject([
      { level: 40, event: 'session_ended', user: ana.user.id, session: familyOf(ana), reason: 'reused' },
    ]);
    const mails = await mailsTo(shop, ana.user.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('One of your logins was used in two places');
  });
});

describe('a session', () => {
  test('lives seven days from its last refresh', async () => {
    const ana = await newCustomer(shop);
    days(6.99);
    const second = await refreshed(shop, ana.refreshToken);
    days(6.99);
    const third = await refreshed(shop, second.refreshToken);
    days(7.01);
    expect(await refreshWith(shop, third.refreshToken)).toMatchObject({
      ...ended,
      message: 'Your session expired. Log in again.',
    });
  });

  test('lives thirty days at most, however often it is refreshed, and so do its access tokens', async () => {
    let ana = await newCustomer(shop);
    for (let refreshes = 0; refreshes < 5; refreshes++) {
      days(5);
      ana = await refreshed(shop, ana.refreshToken);
    }
    shop.clock.advance(5 * 86_400_000 - 10 * 60_000);
    ana = await refreshed(shop, ana.refreshToken);
    expect(await isSignedIn(shop, ana)).toBe(true);
    shop.clock.advance(10 * 60_000 + 1000);
    expect(await isSignedIn(shop, ana)).toBe(false);
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject(ended);
  });

  test('of a deactivated user is not refreshed', async () => {
    const ana = await newCustomer(shop);
    await shop.db.update(users).set({ isEnabled: false }).where(eq(users.id, ana.user.id));
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject(ended);
    expect(await isSignedIn(shop, ana)).toBe(false);
  });

  test('has the role that the user has at the refresh', async () => {
    const ana = await newCustomer(shop);
    await shop.db.update(users).set({ role: 'ROLE_ADMIN' }).where(eq(users.id, ana.user.id));
    const { user, jwt } = await refreshed(shop, ana.refreshToken);
    expect(user.role).toBe('ROLE_ADMIN');
    expect((await shop.call('listOrders', { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(200);
  });

  test('ends with all others of the user except one', async () => {
    const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
    const { email, id } = ana.user;
    const other = await shop.call('login', { body: { email, password: 'pepper and salt 1' } });
    await transact(shop.db, (tx) => shop.sessions.endAllOf(tx, id, 'password_changed', familyOf(ana)));
    expect(await isSignedIn(shop, ana)).toBe(true);
    expect(await isSignedIn(shop, other.data.authResponse)).toBe(false);
    expect(await isSignedIn(shop, ben)).toBe(true);
  });

  test('that a transaction ends continues when the transaction is rolled back', async () => {
    const ana = await newCustomer(shop);
    const undone = transact(shop.db, async (tx) => {
      await shop.sessions.endFamily(tx, familyOf(ana), 'logged_out');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await isSignedIn(shop, ana)).toBe(true);
  });
});
