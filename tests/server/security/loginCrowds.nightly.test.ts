/** The attack cases about crowds of logins. Rule: docs/rules/failures.md, Accounts */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { password } from '../../support/accounts';
import { openAccount, type Account } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const loginFrom = (remoteAddress: string, email: string, given: string) =>
  shop.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: given }, remoteAddress });

test('while sixty guesses at one account run, others log in', async () => {
  const victim = await openAccount(shop);
  const other = await openAccount(shop);
  const failedCodes = Array.from({ length: 60 }, (_, guess) =>
    loginFrom('198.51.100.7', victim.email, `wrong ${guess}`),
  );
  const between = await loginFrom('203.0.113.7', other.email, password);
  const statuses = (await Promise.all(failedCodes)).map(({ statusCode }) => statusCode);
  expect(between.statusCode).toBe(200);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(55);
});

describe('while a hundred and twenty correct logins run at the same time on one account', () => {
  const piled = 120;

  test.each([
    ['from other addresses', (at: number) => `203.0.113.${at + 1}`],
    ['from the same address', () => '198.51.100.7'],
  ])('twenty others %s are logged in before that pile is through', async (_, addressOf) => {
    const attacker = await openAccount(shop);
    const others: Account[] = [];
    for (let each = 0; each < 20; each++) others.push(await openAccount(shop));
    shop.clock.advance(16 * 60_000);
    const done: string[] = [];
    const log = async (who: string, answer: ReturnType<typeof loginFrom>) => {
      const { statusCode, headers } = await answer;
      if (statusCode === 200) done.push(who);
      return { statusCode, retryAfter: headers['retry-after'] };
    };
    const pile = Array.from({ length: piled }, () =>
      log('attacker', loginFrom('198.51.100.7', attacker.email, password)),
    );
    const between = await Promise.all(
      others.map(({ email }, at) => log('other', loginFrom(addressOf(at), email, password))),
    );
    const attackers = await Promise.all(pile);
    expect(between.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 200));
    const refused = attackers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused).toEqual(Array.from({ length: 100 }, () => ({ statusCode: 429, retryAfter: '60' })));
    const lastOther = done.lastIndexOf('other');
    expect(done.slice(0, lastOther).filter((who) => who === 'attacker').length).toBeLessThanOrEqual(10);
  });
});

test('a user who floods one account with logins uses up none for others in the network', async () => {
  const [attacker, other] = [await openAccount(shop), await openAccount(shop)];
  shop.clock.advance(16 * 60_000);
  expect((await loginFrom('198.51.100.9', attacker.email, password)).statusCode).toBe(200);
  await shop.pool.query(`update attempts set count = 300 where key like 'logins account %'`); // as if they had succeeded
  const flood = async () => {
    for (let each = 0; each < 130; each++)
      expect((await loginFrom('198.51.100.9', attacker.email, password)).statusCode).toBe(429);
  };
  await Promise.all(Array.from({ length: 10 }, flood));
  expect((await loginFrom('198.51.100.9', other.email, password)).statusCode).toBe(200);
});

test('thirty people of one office log in at the same time', async () => {
  const people: Account[] = [];
  for (let each = 0; each < 30; each++) people.push(await openAccount(shop));
  shop.clock.advance(16 * 60_000);
  const answers = await Promise.all(people.map(({ email }) => loginFrom('198.51.100.8', email, password)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(people.map(() => 200));
});

test('a thousand simultaneous logins are checked, limited or rejected, in flat memory', async () => {
  const before = process.memoryUsage().rss;
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, at) => loginFrom(`203.0.113.${at % 250}`, `nobody-${at}@example.com`, 'wrong')),
  );
  const counts = new Map<number, number>();
  for (const { statusCode } of answers) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
  expect([...counts.keys()].filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  expect(counts.get(503), 'the queue is bounded').toBeGreaterThan(500);
  expect(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after']).toBeDefined();
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});
