import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buy, openOrder, placedOrder, quantityOf, shopperWith, statusOf } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, dialog, fieldCalled, fill, miss, openTab, press, see, type Tab } from '../openTab';

/** Rule: docs/rules/orders-and-payment.md, Canceling by staff */
let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

test('staff cancel a paid order: the dialog says how much goes back, and restocks', async () => {
  const rub = await shop.stock({ name: 'Rub', priceCents: 795, quantity: 5 });
  const placed = await placedOrder(shop, await shopperWith(shop, 2, rub));
  await buy(shop, placed);
  tab = openTab(shop, `/admin/orders/${placed.orderId}`, { as: owner });
  await press('Cancel order');
  await see("This refunds $15.90 to Example. It can't be undone.");
  expect(await fieldCalled('Restock 2 items')).toHaveProperty('checked', true);
  await fill('Reason', 'Ordered twice');
  await fill('Note to customer', 'We kept your other order.');
  await press('Cancel order', await dialog());
  await see('Order canceled');
  expect(await statusOf(shop, placed.orderId)).toBe('REFUNDED');
  expect(await quantityOf(shop, rub.id)).toBe(5);
  await miss('Cancel order');
});

test('a paid order whose items are back in stock has nothing to restock', async () => {
  const rub = await shop.stock({ name: 'Rub', priceCents: 795, quantity: 5 });
  const placed = await placedOrder(shop, await shopperWith(shop, 2, rub));
  await buy(shop, placed);
  const body = { reason: 'Sold out', amount: 5, restock: true };
  await shop.call('refundOrder', { as: owner, path: { orderId: placed.orderId }, body });
  tab = openTab(shop, `/admin/orders/${placed.orderId}`, { as: owner });
  await press('Cancel order');
  await see('This refunds $10.90 to Example.');
  await miss('Restock 0 items');
  await press('Cancel order', await dialog());
  await see('Order canceled');
  expect(await quantityOf(shop, rub.id)).toBe(5);
});

test('staff cancel an unpaid order, which has nothing to refund or restock', async () => {
  const { orderId } = await openOrder(shop);
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: owner });
  await press('Cancel order');
  await see("This order hasn't been paid.");
  await miss('Note to customer');
  await press('Cancel order', await dialog());
  await see('Order canceled');
  expect(await statusOf(shop, orderId)).toBe('CANCELLED');
});
