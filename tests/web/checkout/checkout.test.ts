import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { renewSession } from '../../../src/web/server/client';
import { logIn, newCustomer, openAccount, type SignedIn } from '../../support/auth';
import { openOwnShop, openShop, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, logInAgain, miss, openTab, press, see, type Tab, until } from '../openTab';
import { hurry } from './hurry';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openShop()));
afterEach(() => {
  tab.close();
  leave.mockClear();
});
afterAll(() => shop.close());

/** A customer with a saved address (from the registration) and two of a product in the cart. */
async function buyer(at = shop): Promise<SignedIn> {
  const { id: productId } = await at.stock({ name: 'Black pepper', priceCents: 450 });
  const awa = await newCustomer(at);
  const headers = { authorization: `Bearer ${awa.jwt}` };
  await at.call('addCartItem', { headers, path: { userId: awa.user.id }, body: { productId, quantity: 2 } });
  return awa;
}

test('Cancel closes the dialog and leaves the choice unchanged', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer() });
  await see('Add a new address');
  document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')[1]?.click();
  await press('Cancel', (await control('Use This Address')).closest('[role=dialog]') ?? document);
  await miss('Use This Address');
  expect(document.querySelector<HTMLInputElement>('fieldset input[type=radio]')?.checked).toBe(true);
  expect(document.body.textContent).not.toContain('Selected New Address:');
});

test('a second press on Back to Cart does not lead to the page before the cart', async () => {
  tab = openTab(shop, '/contact', { as: await buyer() });
  await see('Contact');
  await tab.go('/cart');
  await press('Proceed to Checkout');
  const back = await control('Back to Cart');
  back.click();
  back.click();
  await until(() => !back.isConnected);
  expect(tab.path()).toBe('/cart');
});

test('a return page without its parameters says that they are missing', async () => {
  tab = openTab(shop, '/customer/order/success?user_id=u&cart_id=c', { as: await shop.signIn() });
  await see('Payment Processing Error');
  await see('Missing required payment information');
  await control('Back to Cart');
  // the orders saved on the device are tested elsewhere
  expect(tab.calls.filter(({ path }) => /^\/public\/order\/(check-status|payment)/.test(path))).toEqual([]);
});

test('an unpaid session is captured once per visit, and rejected for good', async () => {
  const ana = await shop.signIn();
  tab = openTab(shop, `/customer/order/success?session_id=cs_test_1&user_id=${ana.userId}&cart_id=${ana.cartId}`, {
    as: ana,
  });
  let answerIt = () => undefined as void;
  const isSeen = new Promise<void>((resolve) => (answerIt = resolve));
  tab.network.delays = ({ url }) => (url.includes('/check-status') ? isSeen : undefined);
  await until(() => document.querySelector('main [role=status] h1')?.textContent === 'Processing your payment...');
  answerIt();
  await see('Payment Processing Error');
  const asked = (path: string) => tab.calls.filter((call) => call.path === path).length;
  const cartReads = () => asked(`/public/cart/${ana.userId}`);
  let before = cartReads();
  window.dispatchEvent(new Event('focus'));
  await until(() => cartReads() > before); // the data refetched for it has arrived
  before = cartReads();
  await tab.setDown(true);
  await tab.setDown(false);
  await until(() => cartReads() > before);
  expect([asked('/public/order/check-status'), asked('/public/order/payment/success')]).toEqual([1, 1]);
  await see('Payment Processing Error');
});

test('a shop that is overloaded or closing is asked again about the payment', async () => {
  hurry();
  const ana = await shop.signIn();
  const headers = { 'content-type': 'application/problem+json' };
  const later = [429, 503].map((status) => new Response('{"message":"Later, please"}', { status, headers }));
  tab = openTab(shop, '/', { as: ana });
  tab.network.answers = (pathname) => (pathname.endsWith('/check-status') ? later.shift() : undefined);
  await tab.go(`/customer/order/success?session_id=cs_test_1&user_id=${ana.userId}&cart_id=${ana.cartId}`);
  await see('Processing your payment...');
  await see('Payment not found');
  expect(later).toEqual([]);
});

test('an address is restored after a login in between, typed or chosen', async () => {
  const account = await openAccount(shop);
  const { id: productId } = await shop.stock({ name: 'Black pepper', priceCents: 450 });
  const awa = await logIn(shop, account);
  const headers = { authorization: `Bearer ${awa.jwt}` };
  await shop.call('addCartItem', { headers, path: { userId: awa.user.id }, body: { productId, quantity: 1 } });
  tab = openTab(shop, '/checkout', { as: awa });
  const loseSession = async () => {
    await transact(shop.db, (tx) => shop.sessions.endAllOf(tx, account.id, 'password_changed'));
    await renewSession();
    await logInAgain(tab, account, '/checkout');
  };
  await see('Add a new address');
  [...document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')].at(-1)?.click();
  await fill('Street Address', '905 Marigold Lane');
  await fill('State', 'NC');
  await loseSession();
  await see('Add a New Address');
  expect((await fieldCalled('Street Address')).value).toBe('905 Marigold Lane');
  expect((await fieldCalled('State')).value).toBe('NC');
  await fill('City', 'Charlotte');
  await fill('Postal Code', '28205');
  await press('Use This Address');
  await see('Selected New Address:');
  await loseSession();
  await see('Selected New Address:');
  await see('905 Marigold Lane');
  expect((await control('Place Order')).hasAttribute('aria-disabled')).toBe(false);
  const saved = () => document.querySelector<HTMLInputElement>('fieldset input[type=radio]');
  await until(() => saved() !== null);
  saved()?.click();
  await miss('Selected New Address:');
  await loseSession();
  await until(() => saved()?.checked === true);
});

describe('with a publishable key', () => {
  const scripts = () => [...document.querySelectorAll<HTMLScriptElement>('script[src*="js.stripe.com"]')];
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  let navigation: { mockRestore: () => void } | undefined;
  /** The browser loaded this document for that URL. */
  const loadedFor = (path: string) => {
    navigation = vi
      .spyOn(performance, 'getEntriesByType')
      .mockReturnValue([{ name: `${location.origin}${path}` }] as unknown as PerformanceEntryList);
  };
  let withKey: TestShop;
  const { settings } = (window as unknown as { happyDOM: { settings: Record<string, boolean> } }).happyDOM;
  settings['handleDisabledFileLoadingAsSuccess'] = true; // no script of another host is fetched here
  beforeAll(async () => (withKey = await openOwnShop({ publishableKey: 'pk_test_1' })));
  afterEach(() => {
    for (const script of scripts()) script.remove();
    navigation?.mockRestore();
    reload.mockClear();
  });
  afterAll(() => withKey.close());

  test('the checkout is loaded from the server as a separate document', async () => {
    loadedFor('/cart');
    tab = openTab(withKey, '/cart', { as: await buyer(withKey) });
    await press('Proceed to Checkout');
    await until(() => leave.mock.calls.length > 0);
    expect(leave.mock.calls).toEqual([['/checkout']]);
    await control('Proceed to Checkout');
    expect(scripts()).toEqual([]);
  });

  test('only its document loads the provider’s script, once, and the script is gone after it', async () => {
    loadedFor('/checkout');
    tab = openTab(withKey, '/checkout', { as: await buyer(withKey) });
    await see('Cart Summary');
    await until(() => scripts().length === 1);
    expect(reload).not.toHaveBeenCalled();
    await tab.go('/cart');
    await until(() => reload.mock.calls.length === 1);
    expect(scripts()).toHaveLength(1);
  });

  test('in any other document the checkout works without it', async () => {
    loadedFor('/login');
    tab = openTab(withKey, '/login', { as: await buyer(withKey) });
    await until(() => tab.path() === '/cart');
    await tab.setDown(true);
    await tab.go('/checkout');
    await see('Go online to check out');
    expect(scripts()).toEqual([]);
    expect(leave).not.toHaveBeenCalled();
  });
});
