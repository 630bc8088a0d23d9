// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { placeOrder } from '../support/buying';
import { openShop, type TestShop } from '../support/shop';
import { openTab, see, type Tab } from './openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

test('who has ordered nothing reads so', async () => {
  tab = openTab(shop, '/customer/orders', { as: await shop.signIn() });
  await see('No orders found.');
});

test('an order shows its number, status, items, total and where it goes', async () => {
  const { id: productId } = await shop.stock({ name: 'Black pepper', priceCents: 450 });
  const ana = await shop.signIn();
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity: 2 } });
  const { data } = await placeOrder(shop, ana);
  tab = openTab(shop, '/customer/orders', { as: ana });
  for (const said of [
    `Order #${data.orderNumber}`,
    'Pending payment',
    'Black pepper',
    'Quantity: 2',
    '$9.00',
    '12 Market Street',
  ])
    await see(said);
  expect(document.querySelectorAll('article')).toHaveLength(1);
});
