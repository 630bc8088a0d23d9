import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { buy, ledger, openOrder, placeOrder } from '../../support/buying';
import { openShop, type TestShop } from '../../support/shop';
import { personalKey, refetchAll } from '../../../src/web/server/queries';
import { allowCallsElsewhere, control, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => tab.close());
afterAll(() => shop.close());

test('a page past the last one leads to the last one, and does not say that nothing was ordered', async () => {
  const { as, orderNumber } = await openOrder(shop);
  tab = openTab(shop, '/customer/orders?page=7', { as });
  await see(`Order #${orderNumber}`);
  await until(() => tab.path() === '/customer/orders');
});

test('the receipt shows what was charged, to the cent, and the refunds', async () => {
  const order = await openOrder(shop, { name: 'Black pepper', priceCents: 1435 }, 3);
  await buy(shop, order);
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await press(`Receipt for order ${order.orderNumber}`);
  await see('Total charged$43.05');
  await see('Black pepper3 × $14.35$43.05');
  const session = (await ledger(shop)).sessions.find(({ id }) => id === order.sessionId);
  expect(session).toMatchObject({ payment_status: 'paid', amount_total: 4305 });
  expect(tab.path()).toBe(`/customer/orders/${order.orderId}/receipt`);
  await control('Print');

  const body = { amount: 10.01, reason: 'one jar broke' };
  await shop.call('refundOrder', {
    as: await shop.signIn({ role: 'ROLE_ADMIN' }),
    path: { orderId: order.orderId },
    body,
  });
  refetchAll(tab.cache, [...personalKey(order.as.userId), 'orders']); // as the shop's notification makes the page do
  await see(/Refunded \w+ \d+, 20\d\d, \d+:\d\d\s[AP]M E[SD]T−\$10\.01minus \$10\.01Total after refunds\$33\.04/);
  expect(document.body.textContent).not.toContain('one jar broke');
});

test('an order with refunded units says so in the history, on the receipt and on the packing slip', async () => {
  const order = await openOrder(shop, { name: 'Black pepper', priceCents: 1250 }, 3);
  await buy(shop, order);
  const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  const path = { orderId: order.orderId };
  const read = await shop.call('getOrder', { as: admin, path });
  const lines = read.data.orderResponse.orderItems.map(({ orderItemId }) => ({ orderItemId, quantity: 1 }));
  await shop.call('refundOrder', { as: admin, path, body: { lines, reason: 'one jar broke' } });
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await see('3 ordered, 1 refunded, 2 left to ship');
  await see('Partially refunded');
  await see('Refunded−$12.50minus $12.50Total after refunds$25.00');
  await press(`Receipt for order ${order.orderNumber}`);
  await see('Black pepper3 × $12.503 ordered, 1 refunded, 2 left to ship');
  await press('Print');
  expect(document.title).toBe(`Receipt ${order.orderNumber}`);
  tab.close();

  tab = openTab(shop, `/admin/orders/${order.orderId}`, { as: admin });
  await see('3 ordered, 1 refunded, 2 left to ship');
  await press('Print');
  const titles: string[] = [];
  const print = vi.spyOn(window, 'print').mockImplementation(() => void titles.push(document.title));
  await press('Packing slip', document.body);
  await see('Black pepper32');
  await see('Black pepper1Refunded');
  const { title } = document;
  window.dispatchEvent(new Event('afterprint'));
  await until(() => document.title !== title);
  expect(titles).toEqual([`Packing slip ${order.orderNumber}`]);
  print.mockRestore();
});

test('an unpaid order has no receipt, and another user’s looks missing', async () => {
  const { as, orderId, orderNumber } = await openOrder(shop);
  tab = openTab(shop, '/customer/orders', { as });
  await see(`Order #${orderNumber}`);
  await miss('Receipt');
  await tab.go(`/customer/orders/${orderId}/receipt`);
  await see("This order hasn't been paid, so there's no receipt yet.");
  tab.close();
  tab = openTab(shop, `/customer/orders/${orderId}/receipt`, { as: await shop.signIn() });
  await see('Order not found');
  await miss('Print');
});

test('Reorder lists what changed before anything is added, and then fills the cart', async () => {
  const as = await shop.signIn();
  const ids: string[] = [];
  for (const name of ['Cumin', 'Mace', 'Saffron', 'Thyme']) {
    const { id } = await shop.stock({ name, priceCents: 500, quantity: name === 'Saffron' ? 4 : 6 });
    ids.push(id);
    await shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId: id, quantity: 3 } });
  }
  const { data } = await placeOrder(shop, as);
  await buy(shop, { sessionId: /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '' });
  const [, dearer, , gone] = ids;
  await shop.pool.query('update products set price_cents = 650 where id = $1', [dearer]);
  await shop.pool.query('update products set archived_at = $2 where id = $1', [gone, shop.clock.now()]);

  tab = openTab(shop, '/customer/orders', { as });
  await press(`Reorder order ${data.orderNumber}`);
  await see('Some items have changed. Review before adding.');
  await see('MaceQuantity: 3Was $5.00');
  await see('SaffronQuantity: 11 instead of 3: only 1 left');
  await see("ThymeNo longer sold, so it won't be added");
  const cart = async () => (await shop.call('getCart', { as, path: { userId: as.userId } })).data.cartResponse;
  expect((await cart()).cartItems).toEqual([]);
  await press('Add 7 items');
  await see('Added to your cart');
  await until(() => tab.path() === '/cart');
  expect((await cart()).cartItems.map((line) => [line.productName, line.quantity, line.price, line.notice])).toEqual([
    ['Cumin', 3, 5, null],
    ['Mace', 3, 6.5, null],
    ['Saffron', 1, 5, null],
  ]);
});

test('Reorder offers another size of a product that is sold out, and adds it only after a press', async () => {
  const sizeGroup = randomUUID();
  const order = await openOrder(shop, { sizeGroup, name: 'Afra Rub', netGrams: 110, priceCents: 795, quantity: 1 });
  await buy(shop, order);
  await shop.stock({ sizeGroup, name: 'Afra Rub', netGrams: 450, priceCents: 2650 });
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await press(`Reorder order ${order.orderNumber}`);
  await see('Afra Rub, 3.9 oz (110 g) is sold out. Add 15.9 oz instead?');
  await miss('Add 1 item');
  await press('Add 15.9 oz, $26.50');
  await control('Leave out 15.9 oz');
  await press('Add 1 item');
  await until(() => tab.path() === '/cart');
  await see('Afra Rub15.9 oz (450 g)');
  const { data } = await shop.call('getCart', { as: order.as, path: { userId: order.as.userId } });
  expect(data.cartResponse.cartItems).toMatchObject([{ quantity: 1, price: 26.5, netGrams: 450 }]);
});

test('reordering needs a connection and says so', async () => {
  const order = await openOrder(shop);
  await buy(shop, order);
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await control(`Reorder order ${order.orderNumber}`);
  await tab.setDown(true);
  await see('Go online to reorder');
  const button = await control(`Reorder order ${order.orderNumber}`);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Go online');
});
