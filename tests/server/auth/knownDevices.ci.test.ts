/** A browser with which the user has logged in before. Rule: docs/rules/accounts.md, Known devices */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxKnownAccounts } from '../../../src/server/auth/sessions/knownDevices';
import {
  bearer,
  customerWithFactor,
  longPassword,
  mailsTo,
  nextStep,
  otpOf,
  resetToken,
  runJobs,
  setPassword,
} from '../../support/accounts';
import { cookiesOf, logIn, openAccount, openUnprovenAccount, type Account, type SignedIn } from '../../support/auth';
import type { OperationId } from '../../../src/shared/contract';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const name = '__Host-known-device';
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A browser that stores the cookie of a known device. */
function openBrowser(cookie = '') {
  const call = async (id: OperationId, body: object) => {
    const answer = await shop.call(id, {
      body,
      ...(cookie && { headers: { cookie: `${name}=${cookie}`, origin: 'http://localhost:3000' } }),
    });
    cookie = cookiesOf(answer)[name]?.value ?? cookie;
    return answer;
  };
  return {
    cookie: () => cookie,
    login: ({ email }: Pick<Account, 'email'>, password: string, rest: object = {}) =>
      call('login', { email, password, ...rest }),
    askForReset: ({ email }: Pick<Account, 'email'>) => call('resetPassword', { email }),
  };
}

/** A browser with which this account has logged in. */
async function ownBrowser(account: Account) {
  const browser = openBrowser();
  expect((await browser.login(account, account.password)).status).toBe(200);
  return browser;
}

/** Uses up a stranger's attempts on this account. */
async function lockOut(account: Account): Promise<void> {
  const stranger = openBrowser();
  for (const _ of times(5)) expect((await stranger.login(account, 'a guess')).status).toBe(401);
  for (const _ of times(3)) expect((await stranger.askForReset(account)).status).toBe(200);
  expect((await stranger.login(account, account.password)).status).toBe(429);
  expect((await stranger.askForReset(account)).status).toBe(429);
}

test('eight wrong attempts of a stranger do not lock the owner’s own browser out of login and reset', async () => {
  const account = await openAccount(shop);
  const own = await ownBrowser(account);
  await lockOut(account);
  expect((await own.login(account, account.password)).status).toBe(200);
  expect((await own.askForReset(account)).status).toBe(200);
  expect((await openBrowser().login(account, account.password)).status, 'a strange browser').toBe(429);
});

test('neither do twenty by another user in the same network', async () => {
  const account = await openAccount(shop);
  const own = await ownBrowser(account);
  for (const index of times(20)) await openBrowser().login({ email: `nobody-${index}@example.com` }, 'a guess');
  expect((await openBrowser().login(account, account.password)).status).toBe(429);
  expect((await own.login(account, account.password)).status).toBe(200);
});

test('its own wrong attempts are limited too, and use up nobody else’s', async () => {
  const account = await openAccount(shop);
  const own = await ownBrowser(account);
  for (const _ of times(5)) expect((await own.login(account, 'a guess')).status).toBe(401);
  expect(await own.login(account, account.password)).toMatchObject({ status: 429, code: 'too_many_attempts' });
  for (const _ of times(3)) expect((await own.askForReset(account)).status).toBe(200);
  expect((await own.askForReset(account)).status).toBe(429);
  const other = openBrowser();
  expect((await other.login(account, account.password)).status).toBe(200);
  expect((await other.askForReset(account)).status).toBe(200);
  shop.clock.advance(15 * 60_000 + 1000);
  expect((await own.login(account, account.password)).status).toBe(200);
});

test('a user who makes one browser after another known gets no more links mailed than a few', async () => {
  const account = await openAccount(shop);
  const statuses: number[] = [];
  for (const _ of times(4)) {
    const browser = await ownBrowser(account);
    for (const __ of times(3)) statuses.push((await browser.askForReset(account)).status);
  }
  expect(statuses).toEqual([...times(9).map(() => 200), 429, 429, 429]);
});

test('strangers in other networks cannot block links to an unproven address', async () => {
  const account = await openUnprovenAccount(shop);
  const askFrom = async (network: number) => {
    shop.clock.advance(6 * 60_000); // three links in 15 minutes are another limit
    const call = shop.callFrom(`198.51.100.${network}`);
    expect((await call('resetPassword', { body: { email: account.email } })).status).toBe(200);
    await runJobs(shop);
  };
  const links = async () =>
    (await mailsTo(shop, account.email)).filter((mail) => mail.includes('/reset-password#token=')).length;
  for (const network of [1, 2, 3, 4, 5]) for (const _ of times(3)) await askFrom(network);
  expect(await links()).toBe(13); // twelve, and the first of the fifth network
  await askFrom(5);
  expect(await links()).toBe(13);
  await askFrom(6);
  expect(await links()).toBe(14);
});

test('an unproven address gets three links a day from one network', async () => {
  const account = await openUnprovenAccount(shop);
  for (const _ of times(3)) {
    shop.clock.advance(16 * 60_000);
    for (const __ of times(3)) {
      expect((await openBrowser().askForReset(account)).status).toBe(200);
      await runJobs(shop);
    }
  }
  const links = async () =>
    (await mailsTo(shop, account.email)).filter((mail) => mail.includes('/reset-password#token='));
  expect(await links()).toHaveLength(3);
  shop.clock.advance(25 * 3_600_000);
  await openBrowser().askForReset(account);
  expect(await links()).toHaveLength(4);
});

test('wrong codes from someone who knows the password do not lock it out either', async () => {
  const { account, secret } = await customerWithFactor(shop);
  const own = openBrowser();
  expect((await own.login(account, account.password, { otp: otpOf(shop, secret) })).status).toBe(200);
  const thief = openBrowser();
  for (const _ of times(5)) await thief.login(account, account.password, { otp: '000000' });
  expect((await thief.login(account, account.password, { otp: '000000' })).status).toBe(429);
  nextStep(shop);
  expect((await own.login(account, account.password, { otp: otpOf(shop, secret) })).status).toBe(200);
});

describe('its cookie', () => {
  const attributes = ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Strict', 'Secure'];
  const cookieOf = (person: SignedIn) => person.cookies[name];

  test.each([true, false])(
    'lasts a year, hidden from scripts and other sites, with Remember me %s',
    async (rememberMe) => {
      const person = await logIn(shop, await openAccount(shop), { rememberMe });
      expect(cookieOf(person)?.attributes).toEqual(attributes);
    },
  );

  test('survives logging out, which empties caches and clears the session’s cookies', async () => {
    const person = await logIn(shop, await openAccount(shop));
    const answer = await shop.call('logout', { headers: bearer(person) });
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    const cleared = cookiesOf(answer);
    expect(Object.keys(cleared).sort()).toEqual(['__Host-access', '__Host-refresh']);
    for (const { value } of Object.values(cleared)) expect(value).toBe('');
  });

  test('does not reveal whose it is, and is as long for five accounts as for fifty', async () => {
    const browser = openBrowser();
    const accounts: Account[] = [];
    for (const _ of times(maxKnownAccounts + 1)) {
      const account = await openAccount(shop);
      expect((await browser.login(account, account.password)).status).toBe(200);
      accounts.push(account);
    }
    const [first, second] = accounts as [Account, Account];
    expect(browser.cookie()).toMatch(/^[\w-]{22}(?:\.[\w-]{44}){5}$/);
    await lockOut(second);
    shop.clock.advance(1000);
    expect((await browser.login(second, second.password)).status).toBe(200);
    shop.clock.advance(16 * 60_000);
    await lockOut(first);
    expect((await browser.login(first, first.password)).status, 'the account of the first login').toBe(429);
  });

  test('is useless for another account, in another browser’s cookie, altered, or forged', async () => {
    const [account, other] = [await openAccount(shop), await openAccount(shop)];
    const [own, strange] = [await ownBrowser(account), await ownBrowser(other)];
    const [id = '', mark = ''] = own.cookie().split('.');
    const [strangeId = '', strangeMark = ''] = strange.cookie().split('.');
    await lockOut(account);
    const tried = [
      strange.cookie(),
      `${strangeId}.${mark}`,
      `${strangeId}.${mark.slice(0, 22)}${strangeMark.slice(22)}`,
      `${id}.${mark.slice(0, 22)}${strangeMark.slice(22)}`,
      `${id}.${'A'.repeat(44)}`,
      `${id}.${mark}.`,
      `${own.cookie()}${`.${'A'.repeat(44)}`.repeat(5)}`,
      'nonsense',
    ];
    for (const cookie of tried)
      expect((await openBrowser(cookie).login(account, account.password)).status, cookie).toBe(429);
    expect((await openBrowser(own.cookie()).login(account, account.password)).status).toBe(200);
  });

  test('triggers no lookup of accounts that do not know it', async () => {
    const own = await ownBrowser(await openAccount(shop));
    const other = await openAccount(shop);
    const asked = async (browser: ReturnType<typeof openBrowser>) => (await browser.askForReset(other)).statements;
    expect(await asked(own)).toBe(await asked(openBrowser()));
  });
});

describe('a new password makes every device unknown', () => {
  test('except the one in which it was changed', async () => {
    const account = await openAccount(shop);
    const [here, there] = [await ownBrowser(account), await ownBrowser(account)];
    const body = { currentPassword: account.password, password: longPassword, confirmPassword: longPassword };
    const person = await logIn(shop, account);
    const changed = await shop.call('changePassword', {
      path: { userId: account.id },
      headers: { ...bearer(person), cookie: `${name}=${here.cookie()}` },
      body,
    });
    expect(changed.status).toBe(200);
    const now = { ...account, password: longPassword };
    await lockOut(now);
    expect((await there.login(now, longPassword)).status).toBe(429);
    const cookie = cookiesOf(changed)[name]?.value ?? '';
    expect((await openBrowser(cookie).login(now, longPassword)).status).toBe(200);
  });

  test('except the one in which it was set by a link: strangers keep guessing', async () => {
    const account = await openAccount(shop);
    const [here, there] = [await ownBrowser(account), await ownBrowser(account)];
    const reset = await setPassword(shop, await resetToken(shop, account.email), longPassword, here.cookie());
    shop.clock.advance(16 * 60_000);
    const now = { ...account, password: longPassword };
    await lockOut(now);
    expect((await there.login(now, longPassword)).status).toBe(429);
    expect((await openBrowser(cookiesOf(reset)[name]?.value).login(now, longPassword)).status).toBe(200);
  });
});

test('two-step login makes devices unknown that were known without it, except the one in which it is turned on', async () => {
  const account = await openAccount(shop);
  const thief = await ownBrowser(account); // knows the password
  const person = await logIn(shop, account);
  const headers = { ...bearer(person), cookie: `${name}=${(await ownBrowser(account)).cookie()}` };
  const begun = await shop.call('beginSecondFactor', { body: { password: account.password }, headers });
  const { secret } = begun.data.secondFactor;
  const confirmed = await shop.call('confirmSecondFactor', { body: { otp: otpOf(shop, secret) }, headers });
  nextStep(shop);
  const guess = { otp: '000000' };
  for (const _ of times(5)) await openBrowser().login(account, account.password, guess);
  expect((await thief.login(account, account.password, guess)).status).toBe(429);
  const own = openBrowser(cookiesOf(confirmed)[name]?.value);
  expect((await own.login(account, account.password, { otp: otpOf(shop, secret) })).status).toBe(200);
});
