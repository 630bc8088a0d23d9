/** Sizes on the lines of carts and orders, on every page. Rule: docs/rules/orders-and-payment.md, An order */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { buy, placedOrder, shopperWith } from '../../support/buying';
import { openShop, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, control, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => tab.close());
afterAll(() => shop.close());

async function stockSizes() {
  const same = { sizeGroup: randomUUID(), name: 'Afra Grill Rub' };
  return [
    await shop.stock({ ...same, netGrams: 110 }),
    await shop.stock({ ...same, netMillilitres: 237 }),
    await shop.stock({ ...same, unitSize: 'Family sack' }),
  ];
}

const full = ['3.9 oz (110 g)', '8 fl oz (237 ml)', 'Family sack'];
const short = ['3.9 oz', '8 fl oz', 'Family sack'];
/** Waits until the page shows each of the texts. */
const seeAll = async (texts: string[]) => {
  for (const text of texts) await see(text);
};

test('the cart and the checkout tell three sizes of a product apart', async () => {
  const as = await shopperWith(shop, 1, ...(await stockSizes()));
  tab = openTab(shop, '/cart', { as });
  await seeAll(full.map((size) => `Afra Grill Rub${size}`));
  for (const size of full) await control(`Remove Afra Grill Rub, ${size}`);
  await press('Proceed to Checkout');
  await seeAll(short.map((size) => `Afra Grill Rub${size} · Quantity: 1`));
});

test('a product just added shows its size in the cart while the shop has not answered', async () => {
  const [jar] = await stockSizes();
  const as = await shop.signIn();
  tab = openTab(shop, `/customer/view/product/${jar?.id}`, { as });
  await control('Add to cart');
  await tab.go('/cart');
  await see('Cart is Empty');
  await tab.go(`/customer/view/product/${jar?.id}`);
  tab.network.hangs = /\/cart/;
  await press('Add to cart');
  await tab.go('/cart');
  await see('3.9 oz (110 g)');
});

test('the order history, the receipt, staff’s page, and the packing slip tell them apart', async () => {
  const as = await shopperWith(shop, 2, ...(await stockSizes()));
  const order = await placedOrder(shop, as);
  await buy(shop, order);
  tab = openTab(shop, '/customer/orders', { as });
  await seeAll(short.map((size) => `${size} · Quantity: 2`));
  await press(`Receipt for order ${order.orderNumber}`);
  await seeAll(full.map((size) => `Afra Grill Rub, ${size}2 × $4.50`));
  tab.close();

  const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  tab = openTab(shop, `/admin/orders/${order.orderId}`, { as: admin });
  await seeAll(short.map((size) => `${size} · Quantity: 2`));
  await press('Print');
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await press('Packing slip', document.body);
  await seeAll(full.map((size) => `Afra Grill Rub${size}22`));
  const { title } = document;
  window.dispatchEvent(new Event('afterprint'));
  await until(() => document.title !== title);
  print.mockRestore();
  expect(title).toBe(`Packing slip ${order.orderNumber}`);
});
