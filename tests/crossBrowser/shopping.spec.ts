import { expect } from 'playwright/test';
import { newAccount, type Account } from '../e2e/shop';
import { phone, type Tab } from './tab';
import { payAsTest } from './people';
import { test } from './harness';

test('a new customer browses, registers, logs in, fills the cart, pays and finds the order', async ({
  openBrowser,
}) => {
  const { tab } = await openBrowser(phone);
  const account = newAccount();
  await test.step('browses, and is asked to log in', async () => {
    await tab.open('/');
    await tab.sees({ role: 'heading', name: 'Savory, Seasoning & Spices' });
    await tab.open('/products/spices');
    await tab.press({ role: 'link', name: /Grains of Selim/ });
    await tab.sees({ role: 'heading', name: /Grains of Selim/ });
    await tab.press({ role: 'button', name: 'Add to cart' });
    await tab.sees({ text: 'You need to be logged in to add items to your cart' });
    await tab.sees({ role: 'heading', name: 'Log in' });
  });
  await test.step('registers', async () => {
    await tab.press({ role: 'link', name: 'Register' });
    await tab.sees({ role: 'heading', name: 'Register' });
    await fillRegistration(tab, account);
    await tab.sees({ text: 'Registration successful!' });
  });
  await test.step('is back, logged in, and the earlier choice is in the cart', async () => {
    await tab.sees({ role: 'heading', name: /Grains of Selim/ });
    await tab.sees({ text: 'Item added to cart successfully' });
  });
  await test.step('changes the cart, and undoes a removal', async () => {
    await tab.open('/cart');
    await tab.press({ role: 'button', name: 'Increase' });
    await tab.sees({ text: 'Cart item updated successfully' });
    await tab.sees({ text: '$17.00' });
    await tab.run(noteGone, 'Remove Grains of Selim');
    await tab.press({ role: 'button', name: /Remove Grains of Selim/ });
    await tab.press({ role: 'button', name: 'Undo' });
    expect(await tab.run(() => document.documentElement.dataset['gone'], null)).toBe('Remove Grains of Selim');
    await tab.sees({ role: 'button', name: /Remove Grains of Selim/ });
    await tab.sees({ text: '$17.00' });
  });
  await test.step('pays', async () => {
    await tab.press({ role: 'button', name: 'Proceed to Checkout' });
    await tab.press({ text: '12 Market Street' });
    await tab.press({ role: 'button', name: 'Place Order' });
    await payAsTest(tab);
  });
  await test.step('finds the order', async () => {
    await tab.sees({ text: '$17.00' });
    await tab.open('/customer/orders');
    await tab.sees({ text: 'Grains of Selim' });
    await tab.sees({ text: 'Paid' });
    await tab.open('/cart');
    await tab.sees({ text: 'Cart is Empty' });
  });
});

/** Runs in the page: records that no button has that name anymore, even if it returns before anyone can look. */
function noteGone(name: string): void {
  const isThere = () => document.querySelector(`tr:not([inert]) button[aria-label*="${name}"]`) !== null; // not being removed
  if (!isThere()) throw new Error(`no button is called ${name}`);
  const note = () => !isThere() && (document.documentElement.dataset['gone'] = name);
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, attributeFilter: ['inert'] });
}

async function fillRegistration(tab: Tab, { fullName, email, password }: Account): Promise<void> {
  await tab.write('Full Name', fullName);
  await tab.write('Email', email);
  await tab.write('Password', password);
  await tab.write('Confirm password', password);
  await tab.write('Street address', '12 Market Street');
  await tab.write('City', 'Atlanta');
  await tab.choose('State', 'Georgia (GA)');
  await tab.write('ZIP code', '30303');
  await tab.press({ role: 'button', name: 'Register' });
}
