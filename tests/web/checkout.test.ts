// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { buy } from '../support/buying';
import { type SignedIn, newCustomer } from '../support/auth';
import { openShop, type TestShop } from '../support/shop';
import { control, fill, miss, openTab, press, see, type Tab, until } from './openTab';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openShop()));
afterEach(() => {
  tab.close();
  leave.mockClear();
});
afterAll(() => shop.close());

/** Somebody with a saved address (from the registration) and two of a product in the cart. */
async function buyer(): Promise<SignedIn> {
  const { id: productId } = await shop.stock({ name: 'Black pepper', priceCents: 450 });
  const awa = await newCustomer(shop);
  const headers = { authorization: `Bearer ${awa.jwt}` };
  await shop.call('addCartItem', { headers, path: { userId: awa.user.id }, body: { productId, quantity: 2 } });
  return awa;
}

const chooseSavedAddress = () =>
  vi.waitFor(() => {
    const radio = document.querySelector<HTMLInputElement>('fieldset input[type=radio]');
    if (!radio) throw new Error('no saved address');
    radio.click();
  });

const posts = () => tab.calls.filter(({ method, path }) => method === 'POST' && path.startsWith('/public/order'));

test('an order goes to the saved address and on to the payment page, after a second', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer() });
  await see('Cart Summary');
  await see('Subtotal$9.00');
  const place = await control('Place Order');
  expect(place.hasAttribute('aria-disabled')).toBe(true);
  await chooseSavedAddress();
  await until(() => !place.hasAttribute('aria-disabled'));
  place.click();
  place.click();
  await see('Processing...');
  await see('Order created successfully');
  expect(leave).not.toHaveBeenCalled();
  await until(() => leave.mock.calls.length > 0);
  expect(String(leave.mock.calls[0]?.[0])).toContain(shop.sandbox.url);
  expect(posts()).toHaveLength(1);
});

test('a new address is asked for in a dialog, which waits for all five fields', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer() });
  await see('Add a new address');
  document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')[1]?.click();
  await see('Add a New Address');
  const use = await control('Use This Address');
  expect(use.hasAttribute('aria-disabled')).toBe(true);
  await fill('Full Name', 'Bakary Jallow');
  await fill('Street Address', '905 Marigold Lane');
  await fill('City', 'Charlotte');
  await fill('State', 'NC');
  await fill('Postal Code', ' ');
  await until(() => !use.hasAttribute('aria-disabled'));
  use.click();
  await see('Please fill in all address fields');
  await fill('Postal Code', '28205');
  use.click();
  await see('Selected New Address:');
  await see('905 Marigold Lane');
  await miss('Add a New Address');
});

test('Cancel closes the dialog and leaves the choice as it was', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer() });
  await see('Add a new address');
  document.querySelectorAll<HTMLInputElement>('fieldset input[type=radio]')[1]?.click();
  await press('Cancel', (await control('Use This Address')).closest('[role=dialog]') ?? document);
  await miss('Use This Address');
  expect((await control('Place Order')).hasAttribute('aria-disabled')).toBe(true);
});

test('what cannot be ordered is said in a toast and at the button, and can be tried again', async () => {
  const awa = await buyer();
  tab = openTab(shop, '/checkout', { as: awa });
  await chooseSavedAddress();
  await shop.pool.query(
    'update products set price_cents = 600 where id in (select product_id from cart_items where cart_id in (select id from carts where user_id = $1))',
    [awa.user.id],
  );
  await press('Place Order');
  await until(() => document.querySelectorAll('[role=alert]').length === 2);
  expect((await control('Place Order')).hasAttribute('aria-disabled')).toBe(false);
  expect(leave).not.toHaveBeenCalled();
});

test('the return page shows the order once it is paid, and the cart is empty', async () => {
  const awa = await buyer();
  tab = openTab(shop, '/checkout', { as: awa });
  await chooseSavedAddress();
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
  const sessionId = /cs_test_\w+/.exec(String(leave.mock.calls[0]?.[0]))?.[0] ?? '';
  await buy(shop, { sessionId });
  const { cartId } = (
    await shop.call('getCart', { headers: { authorization: `Bearer ${awa.jwt}` }, path: { userId: awa.user.id } })
  ).data.cartResponse;
  await tab.go(`/customer/order/success?session_id=${sessionId}&user_id=${awa.user.id}&cart_id=${cartId}`);
  await see('Order created successfully');
  await see('Total amount$9.00');
  expect(tab.calls.filter(({ path }) => path === '/public/order/payment/success').length).toBeLessThan(2);
  await control('Cart, 0 items');
  await press('Orders', document.querySelector('main') ?? document);
  await see('Paid');
  await see('Black pepper');
});

test.each(['', '?session_id=cs_test_1', '?user_id=u&cart_id=c'])(
  'a return page with %j says what is missing',
  async (query) => {
    tab = openTab(shop, `/customer/order/success${query}`, { as: await shop.signIn() });
    await see('Payment Processing Error');
    await see('Missing required payment information');
    await control('Back to Cart');
    expect(tab.calls.filter(({ path }) => path.startsWith('/public/order'))).toEqual([]);
  },
);

test('an unpaid session is captured once, and refused', async () => {
  const ana = await shop.signIn();
  tab = openTab(shop, `/customer/order/success?session_id=cs_test_1&user_id=${ana.userId}&cart_id=${ana.cartId}`, {
    as: ana,
  });
  await see('Payment Processing Error');
  expect(tab.calls.filter(({ path }) => path === '/public/order/payment/success')).toHaveLength(1);
});
