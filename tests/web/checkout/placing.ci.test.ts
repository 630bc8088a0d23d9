import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { holdMessages } from '../../../src/shared/holds';
import { payAfterMs, messages } from '../../../src/shared/checkout';
import { session } from '../../../src/web/server/session';
import { toast } from '../../../src/web/ui/toast';
import { addresses, orders } from '../../../src/server/db/schema/tables';
import { endUnpaid, placeOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, fill, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openOwnShop()));
afterEach(() => {
  tab.close();
  leave.mockClear();
});
afterAll(() => shop.close());

/** A customer with two of a product in the cart and these saved addresses. */
async function buyer(...streets: string[]): Promise<Person> {
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock({ name: 'Black pepper', priceCents: 450 });
  const path = { userId: ana.userId };
  await shop.call('addCartItem', { as: ana, path, body: { productId, quantity: 2 } });
  for (const street of streets) {
    await shop.call('addAddress', {
      as: ana,
      path,
      body: { street, city: 'Atlanta', state: 'GA', postalCode: '30303' },
    });
  }
  return ana;
}

const radio = (street: string) =>
  vi.waitFor(() => {
    const card = [...document.querySelectorAll('fieldset label')].find((label) => label.textContent?.includes(street));
    if (!card) throw new Error(`no saved address ${street}`);
    return card.querySelector('input') as HTMLInputElement;
  }, waiting);

const alerts = () => [...document.querySelectorAll('main [role=alert]')].map(({ textContent }) => textContent);

/** Holds back the response to placing the order. @returns a function that releases it */
function holdPlacing(): () => void {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  tab.network.delays = ({ method, url }) => (method === 'POST' && url.includes('/payment/') ? released : undefined);
  return release;
}

test('another address cannot be chosen while the order is placed, and the payment page opens', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer('1 Oak', '2 Elm') });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  const answerIt = holdPlacing();
  await press('Place Order');
  await see('Processing...');
  const other = await radio('2 Elm');
  other.click();
  (await radio('Add a new address')).click();
  answerIt();
  await see('Order created successfully');
  other.click();
  expect(other.checked).toBe(false);
  expect((await radio('1 Oak')).checked).toBe(true);
  expect(document.querySelector('[role=dialog]')).toBeNull();
  await until(() => leave.mock.calls.length > 0);
});

test('a customer who left the checkout before the response is asked to pay from any page', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer('1 Oak') });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  const answerIt = holdPlacing();
  await press('Place Order');
  await see('Processing...');
  await tab.go('/contact');
  answerIt();
  await see('Your order is waiting for payment.');
  expect(leave).not.toHaveBeenCalled();
  await press('Pay now');
  expect(String(leave.mock.calls[0]?.[0])).toContain(shop.sandbox.url);
  await tab.go('/cart'); // back without paying
  await see('Payment canceled. Your cart is still here.');
});

/** Places an order, and the payment page does not open. */
async function placeAndStay(): Promise<void> {
  tab = openTab(shop, '/checkout', { as: await buyer('1 Oak') });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  const later = globalThis.setTimeout;
  const never = ((act: () => void, ms?: number, ...args: []) => {
    const isOfPage = ms === payAfterMs && new Error('who waits').stack?.includes('usePlacing');
    return isOfPage ? 0 : later(act, ms, ...args);
  }) as typeof setTimeout;
  const held = vi.spyOn(globalThis, 'setTimeout').mockImplementation(never);
  onTestFinished(() => held.mockRestore());
  await press('Place Order');
  await see('Order created successfully');
}

test('so is one who returns to it with the browser before that', async () => {
  await placeAndStay();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  await press('Pay now');
  expect(String(leave.mock.calls[0]?.[0])).toContain(shop.sandbox.url);
  await miss('Processing...');
});

test('so is one who leaves it at the moment that the shop accepts the order', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer('1 Oak') });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  const asked = vi.spyOn(toast, 'info');
  onTestFinished(() => asked.mockRestore());
  tab.cache.getMutationCache().subscribe(({ mutation }) => {
    if (mutation?.state.status === 'success') tab.close(); // before the page has rendered it
  });
  await press('Place Order');
  await until(() => asked.mock.calls.some(([sentence]) => sentence === messages.unpaid));
});

test('the next user of the device is not asked to pay the order of the user before, but still to reload', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer('1 Oak') });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  const answerIt = holdPlacing();
  await press('Place Order');
  await tab.go('/contact');
  answerIt();
  await see('Pay now');
  toast.info('The shop has changed.', { label: 'Reload', onPress: () => undefined, isOfPage: true });
  await see('Reload');
  session.clear(true);
  await vi.waitFor(() => expect(document.body.textContent).not.toContain('Pay now'), 10_000); // it would stay for a minute
  await see('Reload');
});

test('after a rejection another address can be chosen, and the order placed', async () => {
  const ana = await buyer('1 Oak', '2 Elm');
  tab = openTab(shop, '/checkout', { as: ana });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  tab.network.breaks = /\/payment\//;
  await press('Place Order');
  await see('Order creation failed. Please try again.');
  tab.network.breaks = undefined;
  (await radio('2 Elm')).click();
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
});

test('a saved address changed on another device is used in its current state; a deleted one is no longer selected', async () => {
  const ana = await buyer('1 Oak', '2 Elm');
  const path = { userId: ana.userId };
  const saved = await shop.db.select().from(addresses).where(eq(addresses.userId, ana.userId));
  const idOf = (street: string) => saved.find((each) => each.street === street)?.id ?? '';
  tab = openTab(shop, '/checkout', { as: ana });
  await see('Subtotal$9.00');
  (await radio('2 Elm')).click();
  await shop.call('removeAddress', { as: ana, path: { ...path, addressId: idOf('2 Elm') } });
  await tab.cache.invalidateQueries();
  await miss('2 Elm');
  expect((await control('Place Order')).getAttribute('aria-disabled')).toBe('true');

  (await radio('1 Oak')).click();
  const body = { street: '7 Ash', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  await shop.call('updateAddress', { as: ana, path: { ...path, addressId: idOf('1 Oak') }, body });
  await tab.cache.invalidateQueries();
  expect((await radio('7 Ash')).checked).toBe(true);
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
  const placed = await shop.db.select().from(orders).where(eq(orders.userId, ana.userId));
  expect(placed).toMatchObject([{ street: '7 Ash' }]);
});

test('a customer who must wait reads how long, keeps the address and the cart, and orders after the wait', async () => {
  const ana = await buyer('1 Oak');
  await placeOrder(shop, ana);
  await endUnpaid(shop, ana, 1);
  tab = openTab(shop, '/checkout', { as: ana });
  await see('Subtotal$9.00');
  (await radio('Add a new address')).click();
  for (const [label, value] of Object.entries({ 'Street Address': '3 Ash', City: 'Atlanta', 'Postal Code': '30303' }))
    await fill(label, value);
  await fill('State', 'GA');
  await press('Use This Address');
  await see(/Selected New Address:.*3 Ash/);
  await press('Place Order');
  const sentence = holdMessages.orderAgainIn(5);
  await until(() => alerts().includes(sentence));
  await see(/Selected New Address:.*3 Ash/);
  await see('Subtotal$9.00');
  shop.clock.advance(5 * 60_000);
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
});

test('without a cart the page says so and reads it again, and placing says what to order', async () => {
  const ana = await buyer('1 Oak');
  const rejection = () =>
    new Response('{"code":"refused"}', { status: 400, headers: { 'content-type': 'application/problem+json' } });
  tab = openTab(shop, '/checkout', { as: ana });
  tab.network.answers = (pathname) => (pathname.startsWith('/api/public/cart/') ? rejection() : undefined);
  await see('Cart data is not available');
  (await radio('1 Oak')).click();
  await press('Place Order');
  await until(() => alerts().includes('No cart available. Please try again.'));
  tab.network.answers = () => undefined;
  await press('Try again');
  await see('Subtotal$9.00');
  expect(alerts()).toEqual([]);
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
});

test('an unreadable response is reported as unexpected, in a toast and at the button', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer('1 Oak') });
  await see('Subtotal$9.00');
  (await radio('1 Oak')).click();
  const broken = () => new Response('{"data":', { status: 200, headers: { 'content-type': 'application/json' } });
  tab.network.answers = (pathname) => (pathname.includes('/payment/') ? broken() : undefined);
  await press('Place Order');
  await until(() => alerts().includes('Something went wrong. Please try again.'));
  await until(() => document.querySelectorAll('[role=alert]').length === 2);
  expect(document.body.textContent).not.toContain('Order creation failed');
});

test('blanks in a new address give one error, in a toast and above the button', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer() });
  await press('Add New Address');
  for (const label of ['Full Name', 'Street Address', 'City', 'Postal Code']) await fill(label, ' ');
  await fill('State', 'GA');
  const use = await control('Use This Address');
  await until(() => !use.hasAttribute('aria-disabled'));
  use.click();
  await until(() => document.querySelectorAll('[role=alert]').length === 2);
  for (const alert of document.querySelectorAll('[role=alert]'))
    expect(alert.textContent).toContain('Please fill in all address fields');
  for (const perField of ['Enter a street address', 'Postal Code is required'])
    expect(document.body.textContent).not.toContain(perField);
  await fill('Postal Code', '3030');
  await see('Postal code must be at least 5 characters');
  for (const label of ['Full Name', 'Street Address', 'City']) await fill(label, 'Oak');
  await fill('Postal Code', '30303');
  await until(() => document.querySelector('[role=dialog] [role=alert]') === null);
  use.click();
  await see('Selected New Address:');
  await miss('Add a New Address');
});
