/** Two processes of the shop on one database. Rule: docs/rules/accounts.md, Sessions */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSignedIn, newCustomer } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test('a session ended in one process is over in the other, without a request for it', async () => {
  const other = await shop.openProcess();
  const there = { call: shop.callerOf(other.app) };
  const ana = await newCustomer(shop);
  expect(await isSignedIn(there, ana)).toBe(true);
  await shop.call('logout', { headers: { authorization: `Bearer ${ana.jwt}` } });
  await expect.poll(() => isSignedIn(there, ana)).toBe(false);
  await other.close();
});

test('the database is asked about a session at its first call to a process, and not again', async () => {
  const other = await shop.openProcess();
  const ana = await newCustomer(shop);
  const askedBy = async (call: TestShop['call']) => {
    const headers = { authorization: `Bearer ${ana.jwt}` };
    const path = { userId: ana.user.id };
    const { status, statements } = await call('getUser', { path, headers });
    expect(status).toBe(200);
    return statements;
  };
  const there = shop.callerOf(other.app);
  const known = await askedBy(shop.call); // the process issued the token itself
  expect([await askedBy(there), await askedBy(there), await askedBy(shop.call)]).toEqual([known + 1, known, known]);
  await other.close();
});

test('a process that starts later knows which sessions ended before', async () => {
  const ana = await newCustomer(shop);
  await shop.call('logout', { headers: { authorization: `Bearer ${ana.jwt}` } });
  const later = await shop.openProcess();
  expect(await isSignedIn({ call: shop.callerOf(later.app) }, ana)).toBe(false);
  await later.close();
});

test('a process that lost its notification connection asks the database, and catches up', async () => {
  const other = await shop.openProcess();
  const there = { call: shop.callerOf(other.app) };
  const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
  const cut = async () => {
    await shop.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
    );
    await expect.poll(() => other.bus.connected, { interval: 5 }).toBe(false);
  };
  await cut();
  await shop.call('logout', { headers: { authorization: `Bearer ${ana.jwt}` } });
  expect(await isSignedIn(there, ana)).toBe(false);
  expect(await isSignedIn(there, ben)).toBe(true);
  await expect.poll(() => other.bus.connected).toBe(true);
  expect(await isSignedIn(there, ana)).toBe(false);
  expect(await isSignedIn(there, ben)).toBe(true);
  await other.close();
});

test('both processes give the same successor', async () => {
  const other = await shop.openProcess();
  const { refreshToken } = await newCustomer(shop);
  const body = { refreshToken };
  const answers = await Promise.all(
    [shop.call, shop.callerOf(other.app)].map((call) => call('refreshToken', { body })),
  );
  const tokens = answers.map(({ data }) => data.authResponse.refreshToken);
  expect(tokens[0]).toBe(tokens[1]);
  await other.close();
});
