import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { reachability } from '../../../src/web/server/reachability';
import { newCustomer } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';
import { miss, openTab, press, see, type Tab, until, waiting } from '../openTab';
import { bringBack, cartsOf, plus, remove, sentOut, wish } from './cartChanges';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  vi.restoreAllMocks();
  tab.close();
});
afterAll(() => shop.close());

const { unitsOf, addTo } = cartsOf(() => shop);
const comeBack = async () => bringBack(tab);
const changes = () => tab.calls.filter(({ method }) => method !== 'GET');

test('five changes made offline outlive the tab, are sent in order, and take effect once, however often they are sent', async () => {
  const [pepper, salt] = [await shop.stock({ name: 'Pepper' }), await shop.stock({ name: 'Salt' })];
  const ana = await shop.signIn();
  await addTo(ana, salt);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Salt');
  tab.network.isDown = true;
  expect(await wish(ana, { ...pepper, name: 'Pepper' }, 2)).toMatchObject({ queued: true, because: 'offline' });
  await Promise.all([
    plus(ana, pepper),
    remove(ana, salt),
    plus(ana, pepper, -1),
    wish(ana, { ...salt, name: 'Salt' }, 3),
  ]);
  expect(await db.outbox.count()).toBe(5);

  const killed = tab;
  tab.close();
  tab = openTab(shop, '/cart', { as: ana, after: killed });
  await see('Subtotal');
  await until(() => outbox.waiting(ana.userId).length === 5);
  // the first responses get lost, after the server made the changes
  let lost = 0;
  tab.network.passes = ({ method }) => method === 'GET' || (lost += 1) > 2;
  await comeBack();
  await vi.waitFor(async () => {
    await outbox.flush();
    expect(outbox.waiting(ana.userId)).toEqual([]);
  }, waiting);
  expect(lost).toBe(7);
  expect(await unitsOf(ana)).toEqual({ Pepper: 2, Salt: 3 });
  expect(await db.outbox.count()).toBe(0);
});

test('an answered change has left the device before the next one is sent', async () => {
  const [pepper, salt] = [await shop.stock({ name: 'Pepper' }), await shop.stock({ name: 'Salt' })];
  const ana = await shop.signIn();
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart is Empty');
  tab.network.isDown = true;
  await wish(ana, pepper);
  await wish(ana, salt);
  const left: number[] = [];
  tab.network.delays = ({ url }) =>
    url.includes('/cart/add/') ? db.outbox.count().then((count) => void left.push(count)) : undefined;
  await comeBack();
  await sentOut(ana);
  expect(left).toEqual([2, 1]);
});

test('the third of five is rejected and stays with its reason, the others succeed', async () => {
  const ana = await shop.signIn();
  const names = ['Pepper', 'Salt', 'Thyme', 'Sumac', 'Cumin'];
  const five = await Promise.all(names.map(async (name) => ({ name, id: (await shop.stock({ name })).id })));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart is Empty');
  tab.network.isDown = true;
  for (const product of five) await wish(ana, product);
  await shop.db
    .update(products)
    .set({ archivedAt: new Date() })
    .where(eq(products.id, five[2]?.id ?? ''));
  await comeBack();
  await sentOut(ana);
  expect(Object.keys(await unitsOf(ana)).toSorted()).toEqual(['Cumin', 'Pepper', 'Salt', 'Sumac']);
  const [refused] = outbox.refused(ana.userId);
  expect(refused?.reason).toMatchObject({ code: 'product_unavailable' });
  await see('Thyme');
  await see(refused?.reason?.message ?? '');

  const before = changes().length;
  await outbox.flush();
  expect(changes()).toHaveLength(before); // no endless retry
  await press('Discard');
  await until(() => outbox.refused(ana.userId).length === 0);
  await miss('Thyme');
  expect(await db.outbox.count()).toBe(0);
});

test('on a stalling network a change is not sent before the shop was probed', async () => {
  const pepper = await shop.stock({ name: 'Pepper' });
  const ana = await shop.signIn();
  await addTo(ana, pepper);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.hangs = /./;
  await until(tab.isAnswered); // responses after the clock was set count as fresh
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000);
  expect(await plus(ana, pepper)).toMatchObject({ queued: true, because: 'offline' });
  expect(await db.outbox.toArray()).toMatchObject([{ wasSent: false }]);
  clock.mockRestore();
  tab.network.hangs = undefined;
  await comeBack();
  await sentOut(ana);
  expect(await unitsOf(ana)).toEqual({ Pepper: 2 });
});

test('consecutive changes online cost no extra request', async () => {
  const pepper = await shop.stock({ name: 'Pepper' });
  const ana = await shop.signIn();
  await addTo(ana, pepper);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  await until(tab.isAtRest);
  await reachability.probe();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now()); // a response is as fresh as its arrival
  const asked: string[] = [];
  tab.network.answers = (pathname) => void asked.push(pathname);
  for (let presses = 0; presses < 3; presses += 1) await plus(ana, pepper);
  clock.mockRestore();
  expect(asked).not.toContain('/healthz');
  expect(await unitsOf(ana)).toEqual({ Pepper: 4 });
});

test('a rejected plus names its product, when its line is gone', async () => {
  const thyme = await shop.stock({ name: 'Thyme', quantity: 5 });
  const ana = await shop.signIn();
  await addTo(ana, thyme);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Thyme');
  tab.network.isDown = true;
  await press('Increase');
  await until(() => outbox.waiting(ana.userId).length === 1);
  await press('Increase');
  await shop.call('clearCart', { as: ana, path: { userId: ana.userId } });
  await shop.db.update(products).set({ quantity: 0 }).where(eq(products.id, thyme.id));
  await comeBack();
  await until(() => outbox.refused(ana.userId).length > 0 && outbox.waiting(ana.userId).length === 0);
  await see('Cart is Empty');
  await see('Thyme');
});

test('a rejected change that is retried is made, once the shop can', async () => {
  const ana = await shop.signIn();
  const thyme = { name: 'Thyme', id: (await shop.stock({ name: 'Thyme', quantity: 0 })).id };
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart is Empty');
  await expect(wish(ana, thyme)).rejects.toMatchObject({ status: 409 });
  await see('Retry');
  await shop.db.update(products).set({ quantity: 5 }).where(eq(products.id, thyme.id));
  await press('Retry');
  await see('Subtotal');
  await sentOut(ana);
  expect(await unitsOf(ana)).toEqual({ Thyme: 1 });
});

test('A’s leftover changes are never sent by B, and are sent when A is back', async () => {
  const pepper = { name: 'Pepper', id: (await shop.stock({ name: 'Pepper' })).id };
  const [ana, ben] = [await shop.signIn(), await shop.signIn()];
  tab = openTab(shop, '/', { as: ana });
  tab.network.isDown = true;
  await wish(ana, pepper, 2);
  tab.close();

  tab = openTab(shop, '/cart', { as: ben }); // A's session expired
  await see('Cart is Empty');
  await until(() => outbox.sealed(ben.userId).length === 1);
  await outbox.flush();
  expect(await unitsOf(ben)).toEqual({});
  expect(await unitsOf(ana)).toEqual({});
  expect(outbox.waiting(ben.userId)).toEqual([]);
  tab.close();

  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal');
  await sentOut(ana);
  expect(await unitsOf(ana)).toEqual({ Pepper: 2 });
});

test('waiting changes are not sent with another user’s cookie', async () => {
  const pepper = { name: 'Pepper', id: (await shop.stock({ name: 'Pepper' })).id };
  const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart is Empty');
  tab.network.isDown = true;
  const { id: userId } = ana.user;
  await outbox.send('updateCartItem', { userId, update: { productId: pepper.id, change: 2 } });
  tab.close();
  for (const [name, { value }] of Object.entries(ben.cookies)) tab.cookies.set(name, value);
  tab = openTab(shop, '/', { after: tab }); // has not noticed yet that B signed in elsewhere
  await comeBack();
  await outbox.flush();
  const carts = await Promise.all(
    [ana, ben].map(({ jwt, user }) =>
      shop.call('getCart', { path: { userId: user.id }, headers: { authorization: `Bearer ${jwt}` } }),
    ),
  );
  expect(carts.map(({ data }) => data.cartResponse.cartItems)).toEqual([[], []]);
  expect(await db.outbox.count()).toBe(1);
});
