import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { adjustStock } from '../../../src/server/stock/service';
import { queuedMessages } from '../../../src/shared/outbox';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { reachability } from '../../../src/web/server/reachability';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => Promise.all([db.outbox.clear(), db.about.clear(), db.products.clear()]));
afterEach(async () => {
  tab.close();
  await outbox.settled();
});
afterAll(() => shop.close());

async function customerWith(product: { id: string }, quantity: number): Promise<Person> {
  const ana = await shop.signIn();
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId: product.id, quantity } });
  return ana;
}
const cartOf = async (person: Person) =>
  (await shop.call('getCart', { as: person, path: { userId: person.userId } })).data.cartResponse;

const takeFromShelf = (productId: string, units: number) =>
  transact(shop.db, (tx) =>
    adjustStock(tx, { productId, units: -units, reason: 'Counted', byUserId: null, now: shop.clock.now() }),
  );

async function goOffline(): Promise<void> {
  tab.network.breaks = /./;
  await reachability.probe();
}
async function goOnline(): Promise<void> {
  tab.network.breaks = undefined;
  await reachability.probe();
}
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';
const whyOff = (button: HTMLElement) =>
  (button.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

test('the banner says that there is no connection, how old the products are and how many changes wait', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Black pepper' }), 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Black pepper');
  await syncCatalog(journal);
  await until(tab.isAtRest); // a late response would say that the shop is reachable
  await goOffline();
  await see("We can't reach the shop right now. Showing what's saved on this device. Products as of ");
  await press('Increase');
  await see('1 waiting to sync');
  await goOnline();
  await see("You're back online.");
  await miss("We can't reach the shop");
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false); // the device itself has no connection
  await goOffline();
  await see("You're offline. Showing what's saved on this device.");
  vi.restoreAllMocks();
  await goOnline();
});

test('a change made without a connection waits on its line, and says when it was synced', async () => {
  const ana = await customerWith(await shop.stock({ name: 'Black pepper', priceCents: 450 }), 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$9.00');
  await goOffline();
  await press('Increase');
  await see('Subtotal$13.50');
  await until(
    () =>
      document.querySelector('tbody')?.textContent?.includes("Saved. We'll sync it when you're back online.") ?? false,
  );
  expect(await cartOf(ana)).toMatchObject({ cartItems: [{ quantity: 2 }] });
  await goOnline();
  await until(() => document.querySelector('tbody')?.textContent?.includes('Synced') ?? false);
  await until(() => !document.querySelector('tbody')?.textContent?.includes('Synced'));
  expect(await cartOf(ana)).toMatchObject({ cartItems: [{ quantity: 3 }] });
});

test('a rejected change stays on its line with the reason, until it is retried or discarded', async () => {
  const pepper = await shop.stock({ name: 'Black pepper', quantity: 5 });
  const ana = await customerWith(pepper, 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Black pepper');
  await goOffline();
  await press('Increase');
  await see("Saved. We'll sync it when you're back online.");
  await takeFromShelf(pepper.id, 3);
  await goOnline();
  await see('Only 2 left');
  await press('Retry');
  const rejections = () => tab.calls.filter(({ path, status }) => path.includes('/cart/') && status === 409).length;
  await until(() => rejections() === 2 && outbox.refused(ana.userId).length === 1); // the first one may still be visible
  await press('Discard');
  await until(() => outbox.refused(ana.userId).length === 0);
  await miss('Discard');
  expect(await cartOf(ana)).toMatchObject({ cartItems: [{ quantity: 2 }] });
});

test('a rejected change is never reported as synced', async () => {
  const pepper = await shop.stock({ name: 'Black pepper', quantity: 5 });
  const ana = await customerWith(pepper, 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Black pepper');
  await goOffline();
  await press('Increase');
  const heard = () => [...document.querySelectorAll('output.sr-only')].map(({ textContent }) => textContent).join(' ');
  await until(() => heard().includes(queuedMessages.offline));
  await takeFromShelf(pepper.id, 3);
  await goOnline();
  await see('Only 2 left');
  await until(() => !/Saved|Syncing/.test(heard()));
  expect(heard()).not.toContain('Synced');
});

test('the checkout waits for rejected changes, and says so, until the user decides', async () => {
  const pepper = await shop.stock({ name: 'Black pepper', quantity: 5 });
  const ana = await customerWith(pepper, 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Black pepper');
  await goOffline();
  await press('Increase');
  await see("Saved. We'll sync it when you're back online.");
  await takeFromShelf(pepper.id, 3);
  await goOnline();
  await until(() => outbox.refused(ana.userId).length === 1);
  await see('Review 1 change');
  const proceed = await control('Proceed to Checkout');
  expect(isOff(proceed)).toBe(true);
  expect(whyOff(proceed)).toBe('Review 1 change');
  proceed.focus();
  expect(document.activeElement).toBe(proceed);
  proceed.click();
  expect(tab.path()).toBe('/cart');
  await goOffline();
  await until(() => whyOff(proceed)?.includes('Go online to check out') ?? false);
  expect(whyOff(proceed)).toContain('Review 1 change');
  await goOnline();
  await press('Discard');
  await miss('Review 1 change');
  await press('Proceed to Checkout');
  await until(() => tab.path() === '/checkout');
});

test('a product that was sold out before it could be added is named', async () => {
  const { id: categoryId, name } = await shop.category();
  const { id } = await shop.stock({ categoryId, name: 'Cubeb', quantity: 50 });
  const ana = await shop.signIn();
  tab = openTab(shop, `/products/${name}`, { as: ana });
  const add = await control('Add Cubeb to cart');
  await goOffline();
  add.click();
  await until(() => outbox.waiting(ana.userId).length === 1);
  await takeFromShelf(id, 50);
  await goOnline();
  await until(() => outbox.refused(ana.userId).length === 1);
  await tab.go('/cart');
  await see('Cart is Empty');
  await see('Cubeb');
  await press('Discard');
  await miss('Cubeb');
});

test('checkout, placing an order, login and registration wait for a connection and say so', async () => {
  const ana = await customerWith(await shop.stock(), 1);
  tab = openTab(shop, '/cart', { as: ana });
  await control('Proceed to Checkout');
  await tab.go('/checkout');
  await see('No saved addresses found.'); // so the account is on this device
  await tab.go('/cart');
  await control('Proceed to Checkout');
  await goOffline();
  await see('Go online to check out');
  const proceed = await control('Proceed to Checkout');
  expect(isOff(proceed)).toBe(true);
  expect(whyOff(proceed)).toBe('Go online to check out');
  await tab.go('/checkout');
  await see('Your cart and address are saved on this device.');
  expect(isOff(await control('Place Order'))).toBe(true);
  tab.close();
  await goOnline();
  for (const [path, name, why] of [
    ['/login', 'Log in', 'Go online to log in'],
    ['/register', 'Register', 'Go online to create an account'],
  ] as const) {
    tab = openTab(shop, path);
    await see('Email');
    await goOffline();
    await see(why);
    const button = await control(name, document.querySelector('main form') ?? document);
    expect(isOff(button)).toBe(true);
    expect(whyOff(button)).toBe(why);
    await goOnline();
    await miss(why);
    if (path === '/login') tab.close();
  }
});
