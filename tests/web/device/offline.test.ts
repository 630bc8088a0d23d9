import { IDBObjectStore } from 'fake-indexeddb';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { orders } from '../../../src/server/db/schema/tables';
import { offlineMessages } from '../../../src/shared/offline';
import { outboxMessages, queuedMessages } from '../../../src/shared/outbox';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { reachability } from '../../../src/web/server/reachability';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  tab.close();
});
afterAll(() => shop.close());

const linesOf = async (person: Person) =>
  (await shop.call('getCart', { as: person, path: { userId: person.userId } })).data.cartResponse.cartItems;
const sentOut = (person: Person) => until(() => outbox.waiting(person.userId).length === 0);

async function customerWith(product: { id: string }, quantity = 1): Promise<Person> {
  const ana = await shop.signIn();
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId: product.id, quantity } });
  return ana;
}

async function comeBack(): Promise<void> {
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
}

test('the saved cart stays saved while the server is still being asked', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper', priceCents: 450 }), 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$9.00');
  tab.close();
  tab.network.delays = () => new Promise((resolve) => setTimeout(resolve, 200));
  tab.network.passes = () => false;
  tab = openTab(shop, '/cart', { after: tab });
  await see('Subtotal$9.00');
});

test('items added before the cart was ever loaded are shown with an honest sentence', async () => {
  const pepper = await shop.stock({ name: 'Pepper', priceCents: 450 });
  tab = openTab(shop, `/customer/view/product/${pepper.id}`, { as: await shop.signIn() });
  tab.network.hangs = /\/public\/cart\/[^/]+$/;
  await see('Pepper');
  tab.network.isDown = true;
  await press('Add to cart');
  await see(queuedMessages.offline);
  tab.close();
  tab.network.hangs = undefined;
  tab = openTab(shop, '/cart', { after: tab });
  await see(offlineMessages.notHere);
  await see('Pepper$4.50');
});

test('on a full disk the shop says so, and shopping continues online', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper' }));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(full);
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(full);
  await press('Increase');
  await see(outboxMessages.keepsNothing);
  await see('Cart item updated successfully');
  expect(await linesOf(ana)).toMatchObject([{ quantity: 2 }]);
  tab.network.isDown = true;
  await press('Increase');
  await see(queuedMessages.unkept); // nothing says that it is saved
  vi.restoreAllMocks();
  expect(await db.outbox.count()).toBe(0);
  await comeBack();
  await sentOut(ana);
  expect(await linesOf(ana)).toMatchObject([{ quantity: 3 }]);
});

test('half-written data is left alone', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper' }));
  await db.outbox.add({ key: 'half', userId: ana.userId } as never);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  await press('Increase');
  await see('Cart item updated successfully');
  expect(await linesOf(ana)).toMatchObject([{ quantity: 2 }]);
});

test('where the browser has no storage at all, the cart works online', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper' }));
  vi.spyOn(db, 'ready').mockRejectedValue(new Error('no IndexedDB here'));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  await press('Increase');
  await see('Cart item updated successfully');
  await see(outboxMessages.keepsNothing);
  expect(await linesOf(ana)).toMatchObject([{ quantity: 2 }]);
});

test('an order is never placed without a connection, nor queued', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper' }));
  tab = openTab(shop, '/checkout', { as: ana });
  await see('Pepper');
  tab.network.isDown = true;
  await reachability.probe();
  await see(offlineMessages.needsConnection('check out'));
  const button = await control('Place Order');
  button.click();
  expect(outbox.waiting(ana.userId)).toEqual([]);
  await comeBack();
  await until(() => reachability.isOnline());
  expect(await shop.db.select().from(orders).where(eq(orders.userId, ana.userId))).toEqual([]);
  expect(await linesOf(ana)).toHaveLength(1);
});

test('a café’s login page counts as no connection, and is never read as data', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper' }));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.answers = () =>
    new Response('<h1>Welcome to the café</h1>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  await press('Increase');
  await see(queuedMessages.offline);
  await until(() => !reachability.isOnline());
  expect(await linesOf(ana)).toMatchObject([{ quantity: 1 }]);
  expect(localStorage.getItem(`answers:${ana.userId}`)).not.toContain('café');
  tab.network.answers = () => undefined;
  await comeBack();
  await sentOut(ana);
  expect(await linesOf(ana)).toMatchObject([{ quantity: 2 }]);
});

test('a late response does not undo a newer one', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper', priceCents: 450 }));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$4.50');
  // the server read the cart before the change, and that response arrives after the change's own
  const held: (() => void)[] = [];
  tab.network.delays = ({ method, url }) => {
    if (method !== 'GET' || !url.includes('/public/cart/')) return undefined;
    return new Promise<void>((resolve) => held.push(resolve));
  };
  window.dispatchEvent(new Event('focus'));
  await until(() => held.length > 0);
  await press('Increase');
  await press('Increase');
  await see('Subtotal$13.50');
  await sentOut(ana);
  const shown: string[] = [];
  const watch = new MutationObserver(() => shown.push(document.body.textContent ?? ''));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  tab.network.delays = () => undefined;
  for (const letGo of held) letGo();
  await press('Increase'); // what comes after it is shown, so it could have been shown as well
  await see('Subtotal$18.00');
  await sentOut(ana);
  watch.disconnect();
  expect(shown.join()).not.toMatch(/Subtotal\$(?:4\.50|9\.00)/);
  await control('Cart, 4 items');
});

test.each([1, -1])('a device whose clock is %i year off works like any other', async (years) => {
  const ana = await customerWith(await shop.stock({ name: 'Pepper', priceCents: 450 }));
  tab = openTab(shop, '/cart', { as: ana });
  const yearMs = 365 * 24 * 3_600_000;
  const setWrong = () => vi.useFakeTimers({ toFake: ['Date'], now: performance.timeOrigin + years * yearMs });
  // the server runs in the same process with a correct clock, for as long as it is working
  tab.network.answers = () => void (tab.network.isDown || vi.useRealTimers());
  tab.network.passes = () => {
    if (tab.isAnswered()) setWrong();
    return true;
  };
  setWrong();
  await see('Subtotal$4.50');
  tab.network.isDown = true;
  await press('Increase');
  await see(queuedMessages.offline);
  expect(Math.abs(new Date().getFullYear() - new Date(performance.timeOrigin).getFullYear())).toBe(1);
  tab.network.answers = () => undefined;
  tab.network.passes = () => true;
  vi.useRealTimers(); // the user corrects the clock
  tab.close();
  tab = openTab(shop, '/cart', { as: ana, after: tab });
  await see('Subtotal$9.00');
  await comeBack();
  await sentOut(ana);
  await see('Subtotal$9.00');
  expect(await linesOf(ana)).toMatchObject([{ quantity: 2 }]);
});
