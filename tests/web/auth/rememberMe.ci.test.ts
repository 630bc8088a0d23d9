import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { browserSessionCookie, endsWithBrowserKey } from '../../../src/shared/deviceNames';
import { outboxMessages } from '../../../src/shared/outbox';
import { type Account, logIn as logInAt, openAccount } from '../../support/auth';
import { delivery } from '../../support/buying';
import { openShop, type TestShop } from '../../support/shop';
import type * as openTabs from '../openTab';
import { allowCallsElsewhere } from '../openTab';

/** A browser whose pages are opened one after the other, optionally closed in between. */
let shop: TestShop;
let tabs: typeof openTabs;
let tab: openTabs.Tab;
beforeAll(async () => {
  shop = await openShop();
  allowCallsElsewhere();
});
beforeEach(async () => {
  await newPage();
  await Promise.all([closeBrowser(), (await device()).outbox.clear()]);
});
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A freshly opened page: nothing from the device is in memory. */
async function newPage(): Promise<void> {
  vi.resetModules();
  tabs = await import('../openTab');
}

const device = async () => (await import('../../../src/web/device/db')).db.ready();

/** What ends with the browser: its session cookies. */
async function closeBrowser(): Promise<void> {
  document.cookie = `${browserSessionCookie}=; path=/; secure; max-age=0`;
}

async function reopen(path: string, { isClosed }: { isClosed: boolean }): Promise<void> {
  tab.close();
  const { network } = tab;
  const cookies = isClosed ? new Map<string, string>() : tab.cookies;
  if (isClosed) await closeBrowser();
  await newPage();
  tab = tabs.openTab(shop, path, { after: { cookies, network } });
}

/** An open order, and a line in the cart. */
async function shopAs(account: Account): Promise<void> {
  const { id: productId } = await shop.stock({ name: 'Black pepper', quantity: 9 });
  const { jwt, user } = await logInAt(shop, account);
  const as = { headers: { authorization: `Bearer ${jwt}` } };
  const added = await shop.call('addCartItem', { ...as, path: { userId: user.id }, body: { productId, quantity: 1 } });
  const { cartId } = added.data.cartResponse;
  await shop.call('placeOrder', { ...as, path: { userId: user.id, cartId }, body: delivery });
}

/** Logs in on the page, reads what the device then stores, and goes offline while changing the cart. */
async function workAs(account: Account, isRemembered: boolean, before = () => undefined as void): Promise<void> {
  await shopAs(account);
  tab = tabs.openTab(shop, '/login?redirect=/customer/view/profile');
  before();
  await logIn(account, isRemembered);
  await tabs.see(account.email);
  await tab.go('/cart');
  await tabs.see('Black pepper');
  await tabs.until(() => (localStorage.getItem(`answers:${account.id}`) ?? '').includes('Black pepper'));
  await vi.waitFor(async () => expect(await (await device()).orders.count()).toBe(1), tabs.waiting);
  tab.network.isDown = true;
  await tabs.press('Increase');
  await tabs.see("Saved. We'll sync it when you're back online.");
}

async function logIn({ email, password }: Account, isRemembered: boolean): Promise<void> {
  await tabs.fill('Email', email);
  await tabs.fill('Password', password);
  const box = await tabs.control('Log in', document.querySelector('form') ?? document);
  const remember = document.querySelector<HTMLInputElement>('input[type=checkbox]');
  if (remember && remember.checked !== isRemembered) remember.click();
  box.click();
  await tabs.until(() => !tab.path().startsWith('/login'));
}

/** From the device: the outbox, and all else as text. */
async function left(): Promise<{ outbox: { userId: string; operation: string }[]; rest: string }> {
  const db = await device();
  const others = db.tables.filter(({ name }) => name !== 'outbox');
  const rows = await Promise.all(others.map((table) => table.toArray()));
  const storages = [localStorage, sessionStorage].map((storage) => Object.entries(storage));
  return { outbox: await db.outbox.toArray(), rest: JSON.stringify([rows, storages, document.cookie]) };
}

test('without Remember me nothing of the user outlives the browser, and unsent changes are sealed until they are back', async () => {
  const account = await openAccount(shop, { fullName: 'Awa Ceesay' });
  await workAs(account, false);
  const before = await left();
  expect(before.rest).toContain('Awa Ceesay');

  await reopen('/cart', { isClosed: true });
  await tabs.until(() => tab.path().startsWith('/login'));
  await tabs.see(outboxMessages.sealedCount(1));
  expect(document.body.textContent).not.toMatch(/Black pepper|Awa/);
  await vi.waitFor(async () => {
    const after = await left();
    expect(after.rest).not.toMatch(new RegExp(`Awa Ceesay|Black pepper|${account.id}|${account.email}`));
    expect(localStorage.getItem('root')).toBeNull();
    expect(after.outbox).toMatchObject([{ userId: account.id, operation: 'updateCartItem', state: 'waiting' }]);
  }, tabs.waiting);

  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
  await tabs.miss('Go online to log in');
  await logIn(account, true);
  await tab.go('/cart');
  await vi.waitFor(async () => expect((await left()).outbox).toEqual([]), tabs.waiting);
  await tabs.until(() => document.querySelector('tbody output')?.textContent === '2');
});

test('a page reloaded in the same browser session continues unchanged', async () => {
  const account = await openAccount(shop);
  await workAs(account, false);
  await reopen('/cart', { isClosed: false });
  await tabs.see('Black pepper');
  expect(tab.path()).toBe('/cart');
  expect(localStorage.getItem(`answers:${account.id}`)).toContain('Black pepper');
});

test('with Remember me the next browser session continues unchanged, whatever the login before left', async () => {
  const account = await openAccount(shop);
  await workAs(account, true, () => localStorage.setItem(endsWithBrowserKey, 'yes')); // a session that expired
  await reopen('/cart', { isClosed: true });
  await tabs.see('Black pepper');
  expect(tab.path()).toBe('/cart');
});

test('a wipe interrupted by closing the page is done by the next one', async () => {
  const account = await openAccount(shop, { fullName: 'Awa Ceesay' });
  await workAs(account, false);
  tab.close();
  await closeBrowser();
  localStorage.removeItem('root'); // as far as the page had come
  await newPage();
  tab = tabs.openTab(shop, '/', { after: { cookies: new Map(), network: tab.network } });
  await vi.waitFor(async () => expect((await left()).rest).not.toMatch(/Awa Ceesay|Black pepper/), tabs.waiting);
});

test('a logout leaves no trace of how long the login was to last', async () => {
  const account = await openAccount(shop);
  tab = tabs.openTab(shop, '/login');
  await logIn(account, false);
  expect(document.cookie).toContain(browserSessionCookie);
  await tabs.press('Account settings');
  await tabs.press('Logout');
  await tabs.see('Logout successful');
  expect(document.cookie).not.toContain(browserSessionCookie);
  expect(localStorage.getItem(endsWithBrowserKey)).toBeNull();
});
