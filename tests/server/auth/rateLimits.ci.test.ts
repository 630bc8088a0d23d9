import { like } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attempts } from '../../../src/server/db/schema/tables';
import { askForReset, bearer } from '../../support/accounts';
import { fromPage, logIn, newcomer, newCustomer, openAccount, openUnprovenAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const guess = (email: string, password = 'not the password') => shop.call('login', { body: { email, password } });
const many = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the login’s rate limit', () => {
  test('locks an account for a quarter of an hour after five wrong passwords, right password or not', async () => {
    const { email, password } = await openAccount(shop);
    for (const _ of many(5)) expect((await guess(email)).status).toBe(401);
    shop.clock.advance(5 * 60_000);
    const answer = await guess(email, password);
    expect(answer).toMatchObject({
      status: 429,
      code: 'too_many_attempts',
      message: 'Too many attempts. Try again in 10 minutes.',
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(590);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
    shop.clock.advance(10 * 60_000 + 1000);
    await logIn(shop, { email, password });
  });

  test('is not extended by rejected attempts', async () => {
    const { email, password } = await openAccount(shop);
    for (const _ of many(20)) await guess(email);
    shop.clock.advance(15 * 60_000 + 1000);
    await logIn(shop, { email, password });
  });

  test('treats an unknown email the same', async () => {
    for (const _ of many(5)) expect((await guess('nobody@example.com')).status).toBe(401);
    expect((await guess('NOBODY@example.com')).status).toBe(429);
  });

  test('checks five of thirty wrong guesses made at the same time', async () => {
    const { email } = await openAccount(shop);
    const failedCodes = many(30).map((index) => guess(email, `wrong number ${index}`));
    const statuses = (await Promise.all(failedCodes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
  });

  test('checks five of thirty guesses made at the same time on two processes', async () => {
    const other = await shop.openProcess();
    const callOther = shop.callerOf(other.app);
    const { email } = await openAccount(shop);
    const failedCodes = many(30).map((index) =>
      (index % 2 ? shop.call : callOther)('login', { body: { email, password: 'wrong' } }),
    );
    const statuses = (await Promise.all(failedCodes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    await other.close();
  });

  test('stops one password tried on many accounts after twenty from one address', async () => {
    for (const index of many(20)) expect((await guess(`person-${index}@example.com`)).status).toBe(401);
    expect((await guess('person-20@example.com')).status).toBe(429);
    const { email, password } = newcomer();
    const elsewhere = await shop.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password },
      remoteAddress: '203.0.113.9',
    });
    expect(elsewhere.statusCode).toBe(401);
  });

  test('does not count attempts from a limited address against the accounts', async () => {
    const { email, password } = await openAccount(shop);
    for (const index of many(20)) await guess(`person-${index}@example.com`);
    for (const _ of many(10)) expect((await guess(email)).status).toBe(429);
    const elsewhere = await shop.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password },
      remoteAddress: '203.0.113.10',
    });
    expect(elsewhere.statusCode).toBe(200);
  });

  test('ignores a header that claims another address', async () => {
    for (const index of many(21)) {
      const headers = { 'x-forwarded-for': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` };
      const body = { email: `claim-${index}@example.com`, password: 'wrong' };
      expect((await shop.call('login', { body, headers })).status).toBe(index < 20 ? 401 : 429);
    }
  });

  test('is not used up by logins that succeed', async () => {
    const account = await openAccount(shop);
    for (const _ of many(25)) await logIn(shop, account);
    for (const _ of many(4)) await guess(account.email);
    for (const _ of many(3)) await logIn(shop, account);
    expect((await guess(account.email)).status).toBe(401);
    expect((await guess(account.email)).status).toBe(429);
  });

  /** As if `times` more logins had succeeded. */
  const countMore = (times: number) =>
    shop.pool.query(`update attempts set count = count + $1 where key like 'logins account %'`, [times]);

  test('allows an account 300 logins in a quarter of an hour, and failed ones do not count', async () => {
    const account = await openAccount(shop);
    for (const _ of many(4)) await guess(account.email);
    for (const _ of many(2)) await logIn(shop, account);
    await countMore(297);
    await logIn(shop, account);
    expect(await guess(account.email, account.password)).toMatchObject({ status: 429, code: 'too_many_attempts' });
    shop.clock.advance(15 * 60_000 + 1000);
    await logIn(shop, account);
  });

  test('keeps the logins of a known device when others who know the password use up theirs', async () => {
    const account = await openAccount(shop);
    const own = await logIn(shop, account);
    await countMore(299);
    expect((await guess(account.email, account.password)).status).toBe(429);
    const { email, password } = account;
    const again = await shop.call('login', { body: { email, password }, headers: fromPage(own.cookies) });
    expect(again.status).toBe(200);
  });
});

test('a signed-in user may enter the current password thirty times in a quarter of an hour', async () => {
  const ana = await newCustomer(shop);
  const prove = () => shop.call('beginSecondFactor', { body: { password: 'pepper and salt 1' }, headers: bearer(ana) });
  for (const _ of many(30)) expect((await prove()).status).toBe(200);
  expect(await prove()).toMatchObject({ status: 429, code: 'too_many_attempts' });
});

test('an address registers three hundred accounts in a quarter of an hour, not more', async () => {
  await openUnprovenAccount(shop);
  await shop.db.update(attempts).set({ count: 299 }).where(like(attempts.key, 'register address %'));
  await openUnprovenAccount(shop);
  expect(await shop.call('register', { body: newcomer() })).toMatchObject({ status: 429, code: 'too_many_attempts' });
  shop.clock.advance(15 * 60_000 + 1000);
  await openUnprovenAccount(shop);
});

test('an address that has used up its thirty reset links stores nothing when it asks for more', async () => {
  for (const _ of many(30)) expect((await askForReset(shop, newcomer().email)).status).toBe(200);
  const counted = await shop.db.$count(attempts);
  for (const _ of many(5)) expect((await askForReset(shop, newcomer().email)).status).toBe(429);
  expect(await shop.db.$count(attempts)).toBe(counted);
});
