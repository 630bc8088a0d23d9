import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { logoutMessages } from '../../../src/shared/authMessages';
import { reachability } from '../../../src/web/server/reachability';
import { findDraft, saveDraft } from '../../../src/web/users/drafts';
import { loggedOut } from '../../../src/shared/deviceNames';
import { session } from '../../../src/web/server/session';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { isSignedIn, logIn, newCustomer, openAccount, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { keptOnDevice, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => Promise.all([db.outbox.clear(), db.orders.clear()]));
afterEach(() => {
  vi.restoreAllMocks();
  document.body.hidden = false;
  tab.close();
});
afterAll(() => shop.close());

const cartOf = async ({ jwt, user }: SignedIn) =>
  (await shop.call('getCart', { path: { userId: user.id }, headers: { authorization: `Bearer ${jwt}` } })).data
    .cartResponse.cartItems;

/** A user in the cart, with a jar of pepper in it. */
async function openCart(): Promise<SignedIn> {
  const ana = await logIn(shop, await openAccount(shop, { fullName: 'Ana Faye' }));
  const { id: productId } = await shop.stock({ name: 'Pepper', quantity: 50 });
  const headers = { authorization: `Bearer ${ana.jwt}` };
  await shop.call('addCartItem', { path: { userId: ana.user.id }, headers, body: { productId, quantity: 1 } });
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  return ana;
}

async function logOut(): Promise<void> {
  await press('Account settings');
  await press('Logout');
}

async function goOffline(): Promise<void> {
  await tab.setDown(true);
}

/** With a change that waits for a connection. */
async function openUnsentCart(): Promise<SignedIn> {
  const ana = await openCart();
  await goOffline();
  await press('Increase');
  await until(() => outbox.waiting(ana.user.id).length === 1);
  return ana;
}

const gone = (ana: SignedIn) =>
  vi.waitFor(async () => {
    const kept = await keptOnDevice();
    for (const trace of [ana.user.id, ana.user.fullName, ana.user.email, 'Pepper']) expect(kept).not.toContain(trace);
  }, waiting);

test('a logout leaves nothing of the user on the device', async () => {
  const ana = await openCart();
  await until(() => localStorage.getItem(`answers:${ana.user.id}`) !== null);
  await logOut();
  await see('Logout successful');
  expect(tab.path()).toBe('/');
  await gone(ana);
  expect(await isSignedIn(shop, ana)).toBe(false);
  await tab.go('/customer/orders');
  await until(() => tab.path().startsWith('/login'));
});

test('after a logout in the back office no request is made for the former user', async () => {
  const owner = await shop.signIn({ role: 'ROLE_ADMIN' });
  tab = openTab(shop, '/dashboard', { as: owner });
  await see('Recent Messages'); // other tests of this shop may have written messages
  const asked: string[] = []; // while signed out; earlier requests may be answered later
  tab.network.answers = (path) => void (session.get() || asked.push(path));
  await press('Logout');
  await see('Logout successful');
  await until(() => tab.path() === '/' && tab.isAnswered());
  await until(() => asked.length > 0); // the visitor's page makes requests too
  expect(asked.filter((path) => /^\/api\/(?:admin|public\/users)\//.test(path))).toEqual([]);
});

test('a logout without a connection does so too, and the server receives it before anything else', async () => {
  const ana = await openCart();
  await goOffline();
  await logOut();
  await see('Logout successful');
  await gone(ana);
  await tab.go('/cart');
  await until(() => tab.path().startsWith('/login'));
  expect(await isSignedIn(shop, ana)).toBe(true); // as far as the server knows
  const { length } = tab.calls;
  tab.close();

  tab = openTab(shop, '/', { after: tab }); // even when the browser was closed in between
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
  await until(() => tab.calls.some(({ path }) => path === '/auth/logout'));
  expect(tab.calls[0]).toMatchObject({ path: '/auth/logout', status: 200 });
  expect(length).toBeGreaterThan(0);
  await expect.poll(() => isSignedIn(shop, ana)).toBe(false);
  expect(tab.calls.filter(({ path }) => path === '/auth/logout')).toHaveLength(1);
});

test('the next user of a shared phone sees nothing of the one before', async () => {
  const ana = await openCart();
  await logOut();
  await see('Logout successful');
  const ben = await newCustomer(shop);
  tab.close();
  tab = openTab(shop, '/cart', { as: ben });
  await see('Cart is Empty');
  await miss('Pepper');
  await gone(ana);
});

test('a page in the back/forward cache is emptied when its user has logged out meanwhile', async () => {
  await openCart();
  localStorage.removeItem('root'); // in another tab, which a page in the back/forward cache does not notice
  const back = new Event('pageshow');
  Object.assign(back, { persisted: true });
  window.dispatchEvent(back);
  expect(document.body.hidden).toBe(true);
  await until(() => tab.path().startsWith('/login'));
  await until(() => !document.body.hidden);
  await miss('Pepper');
});

test('unsent changes cause a question: staying changes nothing', async () => {
  const ana = await openUnsentCart();
  await logOut();
  await see(logoutMessages.unsent(1));
  await miss(logoutMessages.send); // it needs a connection
  await press(logoutMessages.stay);
  await miss(logoutMessages.unsent(1));
  expect(session.get()?.id).toBe(ana.user.id);
  expect(await db.outbox.count()).toBe(1);
});

test('unsent changes cause a question: those of an earlier visit too, before the device has been read', async () => {
  await openUnsentCart();
  tab.close();
  const ready = db.ready.bind(db);
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  vi.spyOn(db, 'ready').mockImplementation(() => told.then(ready));
  tab = openTab(shop, '/contact', { after: tab });
  await logOut();
  tell();
  await see(logoutMessages.unsent(1));
  expect(await db.outbox.count()).toBe(1);
});

test('unsent changes cause a question: it disappears with a session that ends elsewhere', async () => {
  await openUnsentCart();
  await logOut();
  await see(logoutMessages.unsent(1));
  localStorage.removeItem('root'); // in another tab
  window.dispatchEvent(new StorageEvent('storage', { key: 'root' }));
  await until(() => tab.path().startsWith('/login'));
  await miss(logoutMessages.unsent(1));
});

test('unsaved text is gone after a logout in another tab, and kept when the session just ended', async () => {
  const ana = await openCart();
  const address = { fullName: 'Awa Cook', street: '9 Typed Lane', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const endElsewhere = (...values: (string | null)[]) => {
    localStorage.removeItem('root');
    for (const newValue of values) window.dispatchEvent(new StorageEvent('storage', { key: 'root', newValue }));
  };
  saveDraft(ana.user.id, 'newAddress', address);
  endElsewhere(null);
  expect(findDraft(ana.user.id, 'newAddress')).toEqual(address);
  session.set(ana.user);
  endElsewhere(loggedOut, null);
  expect(findDraft(ana.user.id, 'newAddress')).toBeUndefined();
  saveDraft(ana.user.id, 'newAddress', address); // its form disappears after the logout
  expect(findDraft(ana.user.id, 'newAddress')).toBeUndefined();
});

test('this tab notifies the others of a logout, but not of an expired session', async () => {
  await openCart();
  const written: string[] = [];
  const kept = localStorage;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.getItem(key),
    removeItem: (key: string) => kept.removeItem(key),
    setItem: (key: string, value: string) => (key === 'root' && written.push(value), kept.setItem(key, value)),
  });
  session.clear();
  session.clear(true);
  vi.unstubAllGlobals();
  expect(written).toEqual([loggedOut]);
  expect(localStorage.getItem('root')).toBeNull();
});

test('unsent changes cause a question: discarding them logs out immediately, without a connection', async () => {
  const ana = await openUnsentCart();
  await logOut();
  await press(logoutMessages.discard);
  await see('Logout successful');
  await gone(ana);
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
  await until(() => tab.calls.some(({ path }) => path === '/auth/logout'));
  expect(tab.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('unsent changes cause a question: sending them comes before the logout', async () => {
  const ana = await openCart();
  // the shop responds, but cannot do this one for now
  tab.network.answers = (pathname) =>
    pathname.endsWith('/item/update') ? Response.json({ code: 'unavailable' }, { status: 503 }) : undefined;
  await press('Increase');
  await until(() => outbox.waiting(ana.user.id).length === 1);
  await logOut();
  await see(logoutMessages.unsent(1));
  tab.network.answers = () => undefined;
  expect(await cartOf(ana)).toMatchObject([{ quantity: 1 }]);
  await press(logoutMessages.send);
  await see('Logout successful');
  const order = tab.calls.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  expect(order.indexOf('/public/cart/item/update')).toBeLessThan(order.indexOf('/auth/logout'));
  expect(order).toContain('/public/cart/item/update');
  await gone(ana);
});

const isOwed = () => localStorage.getItem('logout-owed') !== null;
const troubled = (pathname: string) =>
  pathname.endsWith('/auth/logout') ? Response.json({ code: 'unavailable' }, { status: 503 }) : undefined;

test('a pending logout stays so until the shop has done it, and nothing is sent before it', async () => {
  const ana = await openCart();
  await goOffline();
  await logOut();
  await see('Logout successful');
  const asked: string[] = [];
  tab.network.answers = (pathname) => {
    asked.push(pathname);
    return troubled(pathname);
  };
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
  await until(() => asked.length > 0);
  expect(await reachability.probe()).toBe(false);
  expect(new Set(asked)).toEqual(new Set(['/api/auth/logout']));
  expect(isOwed()).toBe(true);
  tab.network.answers = () => undefined;
  expect(await reachability.probe()).toBe(true);
  expect(isOwed()).toBe(false);
  expect(await isSignedIn(shop, ana)).toBe(false);
});

test('a logout that the shop cannot do now takes effect here all the same, and stays pending', async () => {
  const ana = await openCart();
  tab.network.answers = troubled;
  await logOut();
  await see('Logout successful');
  await gone(ana);
  expect(isOwed()).toBe(true);
  tab.network.answers = () => undefined;
  await reachability.probe();
  expect(await isSignedIn(shop, ana)).toBe(false);
});

test('a logout does not wait for a stalling network', async () => {
  const ana = await openCart();
  const limit = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => limit(ms / 10));
  tab.network.hangs = /./;
  await logOut();
  await see('Logout successful');
  await gone(ana);
  tab.network.hangs = undefined;
  await vi.waitFor(async () => {
    await reachability.probe(); // once the hanging call was aborted
    expect(await isSignedIn(shop, ana)).toBe(false);
  }, waiting);
});

test('during a pending logout on a stalling network, reachability is known all the same', async () => {
  await openCart();
  await goOffline();
  await logOut();
  await see('Logout successful');
  tab.network.isDown = false;
  tab.network.hangs = /logout/;
  const from = Date.now();
  expect(await reachability.probe()).toBe(false);
  expect(Date.now() - from).toBeLessThan(30_000); // and does not wait until the hanging call ends
});

test('a change by a logged-out user is not stored by a tab that has not noticed', async () => {
  const ana = await openCart();
  localStorage.removeItem('root');
  await expect(outbox.send('clearCart', { userId: ana.user.id })).rejects.toMatchObject({ code: 'session_ended' });
  expect(await db.outbox.count()).toBe(0);
});
