import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { logoutMessages } from '../../../src/shared/authMessages';
import { outboxMessages } from '../../../src/shared/outbox';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  vi.restoreAllMocks();
  tab.close();
});
afterAll(() => shop.close());

const add = ({ userId }: Person, productId: string, name: string) =>
  outbox.send('addCartItem', { userId, item: { productId, name, quantity: 1 } });
const changes = () => tab.calls.filter(({ method }) => method !== 'GET');

/** What a tab with a newer version of the shop has stored. */
const keepNewer = ({ userId }: Person) =>
  db.outbox.add({
    key: crypto.randomUUID(),
    userId,
    operation: 'addToList',
    input: { userId, item: { productId: 'unknown here' } },
    state: 'waiting',
    wasSent: false,
    madeAt: Date.now(),
  });

test('changes stored by a newer version are not shown or sent here, and those behind them wait', async () => {
  const [pepper, salt] = [await shop.stock({ name: 'Pepper' }), await shop.stock({ name: 'Salt' })];
  const ana = await shop.signIn();
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart is Empty');
  tab.network.isDown = true;
  await add(ana, pepper.id, 'Pepper');
  await keepNewer(ana);
  expect(await add(ana, salt.id, 'Salt')).toMatchObject({ queued: true });
  expect(outbox.waiting(ana.userId).map(({ operation }) => operation)).toEqual(['addCartItem', 'addCartItem']);
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
  await until(() => outbox.waiting(ana.userId).length === 1);
  await outbox.flush();
  expect(changes()).toHaveLength(1); // the pepper, which was first
  expect(await add(ana, pepper.id, 'Pepper')).toMatchObject({ queued: true, because: 'busy' });
  expect(changes()).toHaveLength(1);
  expect((await db.outbox.toArray()).map(({ operation }) => operation)).toEqual([
    'addToList',
    'addCartItem',
    'addCartItem',
  ]);
  await see('Salt');
});

test('a tab asks once to be reloaded, when a newer version has stored a change of its user', async () => {
  const ana = await shop.signIn();
  await keepNewer(ana);
  tab = openTab(shop, '/cart', { as: ana });
  await see(outboxMessages.reload);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  await press(outboxMessages.reloadNow);
  await until(() => reload.mock.calls.length === 1);
  await keepNewer(ana);
  await outbox.flush();
  expect(document.body.textContent).not.toContain(outboxMessages.reload);
});

test('a logout asks about changes of a newer version, too', async () => {
  const ana = await shop.signIn();
  await keepNewer(ana);
  tab = openTab(shop, '/cart', { as: ana });
  await see(outboxMessages.reload);
  await press('Account settings');
  await press('Logout');
  await see(logoutMessages.unsent(1));
  await press(logoutMessages.stay);
  expect(await db.outbox.count()).toBe(1);
});
