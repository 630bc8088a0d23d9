import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { endsWithBrowserKey, formLoginCookie, owedLogoutKey } from '../../../src/shared/deviceNames';
import { takeFormLogin } from '../../../src/web/auth/formLogin';
import { saveIntention } from '../../../src/web/cart/intention';
import { session } from '../../../src/web/server/session';
import { isSignedIn, logIn, openAccount, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, see, type Tab } from '../openTab';

/** The page after a form login before its scripts had loaded: cookies exist, but the app does not know whose. */
let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => (tab = openTab(shop, '/contact')));
afterEach(() => {
  tab.close();
  mark('; max-age=0');
});
afterAll(() => shop.close());

const mark = (value: string) => void (document.cookie = `${formLoginCookie}=${value}; path=/; secure`);
const take = () => takeFormLogin(tab.cache);

async function logInByForm(lasts = 'remembered'): Promise<SignedIn> {
  const signedIn = await logIn(shop, await openAccount(shop));
  for (const [name, { value }] of Object.entries(signedIn.cookies)) tab.cookies.set(name, value);
  mark(lasts);
  return signedIn;
}

test('the app learns who has logged in by the form, and asks no more', async () => {
  const { user } = await logInByForm();
  await take();
  expect(session.get()).toEqual({ id: user.id, fullName: user.fullName, role: 'ROLE_CUSTOMER' });
  await expect.poll(() => document.cookie).not.toContain(formLoginCookie);
  expect(localStorage.getItem(endsWithBrowserKey)).toBeNull();
  await tab.go('/cart');
  await see('Cart is Empty');
  const calls = tab.calls.length;
  await take();
  expect(tab.calls).toHaveLength(calls);
});

test('a form login without Remember me ends with the browser, like one in the app', async () => {
  await logInByForm('until_closed');
  await take();
  expect(localStorage.getItem(endsWithBrowserKey)).toBe('yes');
  expect(session.get()).not.toBeNull();
});

test('a visitor’s wish is in the cart after a form login', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  saveIntention({ productId: pepper.id, quantity: 1 });
  await logInByForm();
  await take();
  await control('Cart, 1 item');
  await tab.go('/cart');
  await see('Black pepper');
});

test('a form login replaces the user signed in before', async () => {
  session.set({ id: '00000000-0000-4000-8000-000000000000', fullName: 'Ben Ceesay', role: 'ROLE_CUSTOMER' });
  const { user } = await logInByForm();
  await take();
  expect(session.get()?.id).toBe(user.id);
});

test('a logout pending for the session before does not end the new one', async () => {
  localStorage.setItem(owedLogoutKey, 'yes');
  const signedIn = await logInByForm();
  await take();
  expect(await isSignedIn(shop, signedIn)).toBe(true);
});

test('a session that has ended meanwhile leaves a visitor', async () => {
  const { jwt } = await logInByForm();
  await shop.call('logout', { headers: { authorization: `Bearer ${jwt}` } });
  await take();
  expect(session.get()).toBeNull();
  await expect.poll(() => document.cookie).not.toContain(formLoginCookie);
});

test('without a connection the next page asks again', async () => {
  await logInByForm();
  tab.network.isDown = true;
  await expect(take()).rejects.toThrow();
  expect(session.get()).toBeNull();
  tab.network.isDown = false;
  await take();
  expect(session.get()).not.toBeNull();
});
