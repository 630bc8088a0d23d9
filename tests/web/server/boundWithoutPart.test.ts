/** The chunk of the app that has the key failed to load: src/web/server/send.ts, sendProven. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { renewSession } from '../../../src/web/server/client';
import { session } from '../../../src/web/server/session';
import { logIn, openAccount } from '../../support/auth';
import { openDevice } from '../../support/proofs';
import { openShop, type TestShop } from '../../support/shop';
import { openTab, see, type Tab, until } from '../openTab';

vi.mock('../../../src/web/server/proof', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

test('an unbound session continues, and ends when the shop says so', async () => {
  const ana = await logIn(shop, await openAccount(shop));
  tab = openTab(shop, '/customer/orders', { as: ana });
  await see('No orders found.');
  await renewSession();
  expect(session.get()).toMatchObject({ id: ana.user.id });
  await shop.call('logout', { headers: { cookie: `__Host-refresh=${tab.cookies.get('__Host-refresh')}` } });
  await renewSession();
  await until(() => tab.path().startsWith('/login'));
});

test('a bound session is not treated as ended: the shop counts as unreachable', async () => {
  const device = await openDevice(shop);
  const ana = await device.logIn(await openAccount(shop));
  tab = openTab(shop, '/customer/orders', { as: ana });
  await see('No orders found.');
  await expect(renewSession()).rejects.toMatchObject({ code: 'no_connection' });
  expect(session.get()).toMatchObject({ id: ana.user.id });
  expect(tab.path()).toBe('/customer/orders');
});
