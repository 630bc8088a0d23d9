import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sessionKey } from '../../../src/shared/deviceNames';
import { outboxMessages, queuedMessages } from '../../../src/shared/outbox';
import { accessToken } from '../../../src/web/server/accessToken';
import { renewSession } from '../../../src/web/server/client';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { session } from '../../../src/web/server/session';
import { logIn, openAccount, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { fill, keptOnDevice, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => tab.close());
afterAll(() => shop.close());

const headersOf = ({ jwt }: SignedIn) => ({ authorization: `Bearer ${jwt}` });

async function openCart() {
  const account = await openAccount(shop);
  const ana = await logIn(shop, account);
  const { id: productId } = await shop.stock({ name: 'Pepper', priceCents: 450 });
  const body = { productId, quantity: 1 };
  await shop.call('addCartItem', { path: { userId: ana.user.id }, headers: headersOf(ana), body });
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$4.50');
  return { account, ana };
}

const quantities = async (ana: SignedIn) =>
  (
    await shop.call('getCart', { path: { userId: ana.user.id }, headers: headersOf(ana) })
  ).data.cartResponse.cartItems.map(({ quantity }) => quantity);

test('when the session ended elsewhere, nothing of the user’s is shown on return, and waiting changes stay sealed', async () => {
  const { account, ana } = await openCart();
  tab.network.isDown = true;
  await press('Increase');
  await see(queuedMessages.offline);
  await shop.call('logout', { body: {}, headers: headersOf(ana) }); // from another device
  tab.close();

  tab.network.isDown = false;
  const seen: string[] = [];
  const watch = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  tab = openTab(shop, '/cart', { after: tab });
  await until(() => tab.path().startsWith('/login'));
  watch.disconnect();
  expect(seen.join()).not.toMatch(/Pepper|\$4\.50|\$9\.00/);
  await vi.waitFor(async () => expect(JSON.parse(await keptOnDevice())[1]).not.toHaveProperty('root'), waiting);
  expect(localStorage.getItem(`answers:${ana.user.id}`)).toBeNull();
  expect(await db.outbox.count()).toBe(1);
  expect(outbox.sealed('')).toHaveLength(1);

  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', document.querySelector('form') ?? document);
  await see('Subtotal$9.00');
  await until(() => outbox.waiting(ana.user.id).length === 0);
  expect(await quantities(await logIn(shop, account))).toEqual([2]);
});

test('an admin who is made a customer is out of the back office with the next call, and stays out', async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  const account = await openAccount(shop);
  const path = { userId: account.id };
  await shop.call('updateUserRole', { as, path, query: { role: 'ROLE_ADMIN' } });
  tab = openTab(shop, '/ordered/products', { as: await logIn(shop, account) });
  await see('Export CSV');
  await shop.call('updateUserRole', { as, path, query: { role: 'ROLE_USER' } });
  await press('Users');
  await until(() => tab.path().startsWith('/login'));
  await miss('Export CSV');

  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', document.querySelector('form') ?? document);
  await see('403 forbidden');
  expect(document.querySelectorAll('a[href="/dashboard"], a[href="/user/management"]')).toHaveLength(0);
});

test('a change made when the session is over is stored, and says so', async () => {
  const { ana } = await openCart();
  await shop.call('logout', { body: {}, headers: headersOf(ana) });
  await press('Increase');
  await see(outboxMessages.sealed);
  await until(() => tab.path().startsWith('/login'));
  await see(outboxMessages.sealedCount(1));
  expect(await db.outbox.toArray()).toMatchObject([{ state: 'waiting' }]); // the shop has not rejected it
});

test('a new token is not waited for on a stalling network', async () => {
  const { ana } = await openCart();
  accessToken.set(`${ana.jwt.split('.').slice(0, 2).join('.')}.expired`);
  const limit = AbortSignal.timeout.bind(AbortSignal);
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => limit(ms / 20));
  tab.network.hangs = /refresh-token/;
  await expect(renewSession()).rejects.toMatchObject({ code: 'no_connection' });
  patience.mockRestore();
  tab.network.hangs = undefined;
  await press('Increase');
  await see('Subtotal$9.00');
  await until(() => outbox.waiting(ana.user.id).length === 0);
  expect(await quantities(ana)).toEqual([2]);
});

test('a tab that could not store its user still notices that another one signed out', async () => {
  const { ana } = await openCart();
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const refusing = vi.spyOn(localStorage, 'setItem').mockImplementation(refuse);
  onTestFinished(() => refusing.mockRestore());
  session.set({ ...ana.user, fullName: 'Another Name' });
  localStorage.removeItem(sessionKey); // in another tab
  window.dispatchEvent(new StorageEvent('storage', { key: sessionKey, newValue: null }));
  expect(session.get()).toBeNull();
});

test('a browser without storage lets its user log in and fill the cart all the same', async () => {
  const account = await openAccount(shop);
  const { id: categoryId, name } = await shop.category();
  await shop.stock({ categoryId, name: 'Salt' });
  tab = openTab(shop, '/login');
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const refusing = vi.spyOn(localStorage, 'setItem').mockImplementation(refuse);
  onTestFinished(() => refusing.mockRestore());
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', document.querySelector('form') ?? document);
  await see('Cart is Empty');
  await tab.go(`/products/${name}`);
  await press('Add Salt to cart');
  await see('Item added to cart successfully');
  expect(localStorage.length).toBe(0);
  expect(await quantities(await logIn(shop, account))).toEqual([1]);
});
