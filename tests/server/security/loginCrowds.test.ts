/** The short form of loginCrowds.nightly.test.ts. Rule: docs/rules/failures.md, Accounts */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password } from '../../support/accounts';
import { openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

test('while forty logins run on one account another user is logged in before them, and twenty get in', async () => {
  const [crowded, other] = [await openAccount(shop), await openAccount(shop)];
  const done: string[] = [];
  const logIn = async (email: string, remoteAddress: string) => {
    const { statusCode } = await shop.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password },
      remoteAddress,
    });
    done.push(email);
    return statusCode;
  };
  const crowd = Array.from({ length: 40 }, () => logIn(crowded.email, '198.51.100.7'));
  expect(await logIn(other.email, '203.0.113.7')).toBe(200);
  const statuses = await Promise.all(crowd);
  expect(statuses.toSorted((one, next) => one - next)).toEqual([
    ...Array<number>(20).fill(200),
    ...Array<number>(20).fill(429),
  ]);
  expect(done.at(-1)).toBe(crowded.email);
});
