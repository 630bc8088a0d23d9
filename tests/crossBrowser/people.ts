import type { Account } from '../e2e/shop';
import { type Tab, until } from './tab';

/** A new user, logged in with the form. @returns the account's id */
export async function signUp(tab: Tab, account: Account): Promise<string> {
  await tab.open('/login');
  await tab.run(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/api/auth/register', { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    { ...account, confirmPassword: account.password, ...home },
  );
  await logIn(tab, account);
  await tab.sees({ role: 'heading', name: /^Cart/ }); // where the login leads
  const { id } = JSON.parse(await tab.run(() => localStorage.getItem('root') ?? '{}', null)) as { id: string };
  return id;
}

const home = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

/** With the form that is shown. */
export async function logIn(tab: Tab, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  await tab.write('Email', email);
  await tab.write('Password', password);
  await tab.press({ role: 'button', name: 'Log in' });
}

/** @param menu the button of its menu: in the back office another than in the shop */
export async function logOut(tab: Tab, menu = 'Account settings'): Promise<void> {
  await tab.press({ role: 'button', name: menu });
  await tab.press({ role: 'menuitem', name: 'Logout' });
  await tab.sees({ text: 'Logout successful' });
}

/** Puts a product into the cart, from the page of its category. */
export async function add(tab: Tab, category: string, product: string): Promise<void> {
  await tab.open(`/products/${category}`);
  await tab.press({ role: 'button', name: `Add ${product} to cart` });
  await tab.sees({ text: 'Item added to cart successfully' });
}

/** @returns what the server has, by name and quantity; requested by the page, with its cookie */
export function serverCart(tab: Tab, userId: string): Promise<Record<string, number>> {
  return tab.run(async (id) => {
    const answer = await fetch(`/api/public/cart/${id}`);
    if (!answer.ok) throw new Error(await answer.text());
    const { data } = (await answer.json()) as {
      data: { cartResponse: { cartItems: { productName: string; quantity: number }[] } };
    };
    return Object.fromEntries(data.cartResponse.cartItems.map(({ productName, quantity }) => [productName, quantity]));
  }, userId);
}

/**
 * Pays on the test provider's page, with the card that pays. Resolves when the shop confirms it: the provider's page
 * shows the same sum until its response leads back, and opening another page meanwhile would cancel the payment, or
 * lead back.
 */
export async function payAsTest(tab: Tab): Promise<void> {
  await tab.sees({ text: 'Test payment – no money moves' });
  await tab.write('Card number', '4242 4242 4242 4242');
  await tab.write('Expiration date', '12 / 34');
  await tab.write('Security code', '123');
  await tab.write('Name on card', 'Example Cook');
  await tab.write('ZIP code', '30303');
  await tab.press({ role: 'button', name: /^Pay \$/ });
  await tab.sees({ role: 'heading', name: /^Thank you/ });
}

/** Waits for the app, with all chunks of its page: Firefox complains about those in flight when it was left. */
export const isTakenOver = (tab: Tab): Promise<void> =>
  until('the app', () =>
    tab.run(() => {
      const heading = document.querySelector('main h1');
      return heading !== null && Object.keys(heading).some((key) => key.startsWith('__reactProps'));
    }, undefined),
  );
