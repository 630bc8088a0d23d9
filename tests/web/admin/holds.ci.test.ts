import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buy, openOrder, placedOrder, quantityOf, shopperWith, statusOf } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, choose, dialog, miss, openTab, press, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are placed before the first tab is open
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

test('a hold shows its share of the stock, and is ended after asking', async () => {
  const shelf = await Promise.all(
    ['Cubeb', 'Sumac', 'Fenugreek', 'Mahlab'].map((name) => shop.stock({ name, quantity: 8 })),
  );
  const thief = await shopperWith(shop, 6, ...shelf);
  const { orderId, orderNumber } = await placedOrder(shop, thief);
  tab = openTab(shop, '/dashboard', { as: admin });
  await see(/Large share of stock reserved.*more than half the stock of 4 products/);
  await press('Reserved stock', document.querySelector('main') ?? document);
  await see(/New customer.*Since.*Until.*Over half of 4 products.*6 of 8.*1 more/);
  await press('1 more');
  await see(/Stock reserved for Example Customer.*Mahlab6 of 875 %/);
  await press('Close', await dialog());
  await press(`More actions for Example Customer, order #${orderNumber}`);
  await choose('Release Stock');
  await see("If it's paid first, the order stays.");
  await press('Release Stock', await dialog());
  await see('Stock released. The order was canceled.');
  await see('No reserved stock.');
  expect(await statusOf(shop, orderId)).toBe('CANCELLED');
  expect(await quantityOf(shop, shelf[0]?.id ?? '')).toBe(8);
});

test('a hold whose order was paid while staff looked at it says so', async () => {
  const order = await openOrder(shop);
  tab = openTab(shop, '/admin/holds', { as: admin });
  await press(`More actions for Example Customer, order #${order.orderNumber}`);
  await choose('Release Stock');
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  await press('Release Stock', await dialog());
  await see("This order was just paid, so it wasn't canceled");
  await miss(`#${order.orderNumber}`);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
  await shop.control('deliveries', { mode: 'normal' });
});

test('while the provider is down the hold is shown as ending', async () => {
  const order = await openOrder(shop);
  tab = openTab(shop, '/admin/holds', { as: admin });
  await press(`More actions for Example Customer, order #${order.orderNumber}`);
  await choose('Release Stock');
  const ending = `POST /v1/checkout/sessions/${order.sessionId}/expire`;
  await shop.control('fault', { next: 2, kind: '503', on: ending }); // the SDK tries twice
  await press('Release Stock', await dialog());
  await see('The stock is released as soon as the payment provider responds');
  await see('Releasing');
});
