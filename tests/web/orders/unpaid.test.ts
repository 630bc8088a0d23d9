import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { payingKey } from '../../../src/shared/deviceNames';
import { buy, capture, cartOf, openOrder, putInCart, statusOf } from '../../support/buying';
import { openOwnShop, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, control, miss, openTab, press, see, type Tab, until } from '../openTab';

/** Orders that were left unpaid, and the page after the payment. */
let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => {
  tab.close();
  sessionStorage.clear();
});
afterAll(() => shop.close());

test('an order that awaits payment says until when its items are held, and can be paid or canceled', async () => {
  const order = await openOrder(shop, { name: 'Black pepper', quantity: 5 }, 3);
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await see(/We're holding these items until .*\d:\d\d\s[AP]M\./);
  const pay = await control(`Pay now for order ${order.orderNumber}`);
  expect(pay.getAttribute('href')).toContain('/c/pay/');
  expect(document.body.textContent).not.toContain('Reorder');
  await press(`Cancel order ${order.orderNumber}`);
  await see('Order canceled');
  expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
  await miss('Pay now');
  const path = { userId: order.userId, cartItemId: (await cartOf(shop, order.as)).cartItems[0]?.id ?? '' };
  await shop.call('removeCartItem', { as: order.as, path });
  await tab.cache.invalidateQueries();
  await press('Add items to cart');
  await until(() => tab.path() === '/cart');
  await expect
    .poll(async () => (await cartOf(shop, order.as)).cartItems)
    .toMatchObject([{ productName: 'Black pepper', quantity: 3 }]);
});

test('back from the payment page without paying, the cart says so and offers to pay or to cancel', async () => {
  const order = await openOrder(shop, { name: 'Black pepper' });
  tab = openTab(shop, '/cart', { as: order.as });
  sessionStorage.setItem(payingKey, `${order.userId} ${order.orderId}`);
  await see('Payment canceled. Your cart is still here.');
  await see(`Order #${order.orderNumber}`);
  await control(`Pay now for order ${order.orderNumber}`);
  await press(`Cancel order ${order.orderNumber}`);
  await see('Order canceled');
  await miss('Payment canceled.');
  await see('Black pepper');
  expect(sessionStorage.getItem(payingKey)).toBeNull();
});

test.each(['/checkout', '/checkout/waiting'])(
  'Back from the payment page to %s without paying: it says so too, and offers the same',
  async (path) => {
    const order = await openOrder(shop, { name: 'Black pepper' });
    tab = openTab(shop, path, { as: order.as });
    await see(path === '/checkout' ? 'Place Order' : "There's no order waiting on this device.");
    expect(document.body.textContent).not.toContain('Payment canceled.');
    sessionStorage.setItem(payingKey, `${order.userId} ${order.orderId}`); // set when the page is left
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await see('Payment canceled. Your cart is still here.');
    await control(`Pay now for order ${order.orderNumber}`);
    await press(`Cancel order ${order.orderNumber}`);
    await see('Order canceled');
    await miss('Payment canceled.');
  },
);

test('the payment page may be left without paying after Pay now in the orders, too', async () => {
  const order = await openOrder(shop, { name: 'Black pepper' });
  tab = openTab(shop, '/customer/orders', { as: order.as });
  const pay = await control(`Pay now for order ${order.orderNumber}`);
  const stay = (event: Event) => event.preventDefault(); // the simulated browser cannot leave
  pay.addEventListener('click', stay);
  pay.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
  expect(sessionStorage.getItem(payingKey)).toBeNull(); // another tab opens it
  pay.click();
  await tab.go('/cart');
  await see('Payment canceled. Your cart is still here.');
});

test.each(['/cart', '/checkout'])('with an emptied cart, %s offers the unpaid order all the same', async (path) => {
  const order = await openOrder(shop, { name: 'Black pepper' });
  await shop.call('clearCart', { as: order.as, path: { userId: order.userId } });
  tab = openTab(shop, path, { as: order.as });
  sessionStorage.setItem(payingKey, `${order.userId} ${order.orderId}`);
  await see('Payment canceled. You can still pay for this order.');
  await see('Cart is Empty');
  await control(`Pay now for order ${order.orderNumber}`);
});

test('an order that was paid meanwhile is not offered for payment again', async () => {
  const order = await openOrder(shop, { name: 'Black pepper' });
  await buy(shop, order);
  await capture(shop, order.as, order);
  await putInCart(shop, order.as, (await shop.stock({ name: 'Cubeb' })).id);
  tab = openTab(shop, '/cart', { as: order.as });
  sessionStorage.setItem(payingKey, `${order.userId} ${order.orderId}`);
  await see('Cubeb');
  await until(() => sessionStorage.getItem(payingKey) === null);
  expect(document.body.textContent).not.toContain('Payment canceled.');
});

test('the page after the payment thanks by name, with the number, the receipt, the items, and the address', async () => {
  const order = await openOrder(shop, { name: 'Black pepper', priceCents: 450 }, 2);
  await buy(shop, order);
  const query = `session_id=${order.sessionId}&user_id=${order.userId}&cart_id=${order.cartId}`;
  tab = openTab(shop, `/customer/order/success?${query}`, { as: order.as });
  await see('Thank you, Example!');
  await until(() => document.activeElement?.textContent === 'Thank you, Example!');
  await see(
    new RegExp(`Order #${order.orderNumber} is confirmed\\. We're sending the receipt to \\S+@example\\.com\\.`),
  );
  await see('Ship to');
  await see('Black pepperQuantity: 2$9.00');
  await see('Total amount$9.00');
  expect((await control('View order')).getAttribute('href')).toBe('/customer/orders');
  expect((await control('Keep shopping')).getAttribute('href')).toBe('/');
  await press('Save as list');
  await see('Name');
});

test('a thank-you page whose items cannot be read keeps the number and the ways on, and tries again', async () => {
  const order = await openOrder(shop, { name: 'Black pepper', priceCents: 450 }, 2);
  await buy(shop, order);
  tab = openTab(shop, '/contact', { as: order.as });
  tab.network.answers = (pathname) =>
    pathname === `/api/public/order/${order.orderId}`
      ? new Response('{"code":"refused"}', { status: 409, headers: { 'content-type': 'application/problem+json' } })
      : undefined;
  await tab.go(`/customer/order/success?session_id=${order.sessionId}&user_id=${order.userId}&cart_id=${order.cartId}`);
  await see(`Order #${order.orderNumber} is confirmed.`);
  await see("Your order is safe. We couldn't load its items.");
  await see('Total amount$9.00');
  await control('View order');
  expect(document.querySelector('[aria-busy]')).toBeNull();
  tab.network.answers = () => undefined;
  await press('Try again');
  await see('Black pepperQuantity: 2$9.00');
});
