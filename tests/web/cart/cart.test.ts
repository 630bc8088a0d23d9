import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eq } from 'drizzle-orm';
import { products } from '../../../src/server/db/schema/tables';
import { openShop, type TestShop } from '../../support/shop';
import { cartOf, shopperWith } from '../../support/buying';
import { control, miss, openTab, press, see, type Tab, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A customer with this many units of a product in the cart. */
test('minus on the last unit removes the item', async () => {
  const ana = await shopperWith(shop, 1, await shop.stock());
  tab = openTab(shop, '/cart', { as: ana });
  const quantity = await see('Subtotal').then(() => document.querySelector('fieldset'));
  await press('Remove', quantity ?? document);
  await see('Cart is Empty');
  await see('Item removed from cart');
  expect((await cartOf(shop, ana)).cartItems).toEqual([]);
});

test('many fast presses all count, in order', async () => {
  const ana = await shopperWith(shop, 1, await shop.stock({ quantity: 50 }));
  tab = openTab(shop, '/cart', { as: ana });
  const plus = await control('Increase');
  for (let presses = 0; presses < 6; presses += 1) plus.click();
  await see('Subtotal$31.50');
  await vi.waitFor(async () => expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ quantity: 7 }]), waiting);
});

test('no more than the stock can be chosen', async () => {
  const ana = await shopperWith(shop, 2, await shop.stock({ quantity: 2 }));
  tab = openTab(shop, '/cart', { as: ana });
  expect((await control('Increase')).hasAttribute('aria-disabled')).toBe(true);
});

test('Clear Cart asks once', async () => {
  const ana = await shopperWith(shop, 2, await shop.stock());
  tab = openTab(shop, '/cart', { as: ana });
  await press('Clear Cart');
  await see('This removes everything in your cart.');
  const dialog = document.querySelector('[role=alertdialog]');
  await press('Cancel', dialog ?? document);
  await miss('This removes everything in your cart.');
  expect((await cartOf(shop, ana)).cartItems).toHaveLength(1);
  await press('Clear Cart');
  await see('This removes everything in your cart.');
  await press('Clear Cart', document.querySelector('[role=alertdialog]') ?? document);
  await see('Cart is Empty');
  await see('Cart cleared successfully');
  expect((await cartOf(shop, ana)).cartItems).toEqual([]);
});

test('a changed price is accepted or the item removed before checkout', async () => {
  const pepper = await shop.stock({ priceCents: 450 });
  const ana = await shopperWith(shop, 2, pepper);
  await shop.db.update(products).set({ priceCents: 500 }).where(eq(products.id, pepper.id));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Now $5.00 (was $4.50)');
  await see('Subtotal$10.00'); // counted at the new price already
  const proceed = await control('Proceed to Checkout');
  expect(proceed.hasAttribute('aria-disabled')).toBe(true);
  expect(document.getElementById(proceed.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Review 1 change');
  await press('Review 1 change');
  expect(document.activeElement).toBe(await control('OK, $5.00'));
  await press('OK, $5.00');
  await see('Subtotal$10.00');
  await miss('Now $5.00');
  expect((await control('Proceed to Checkout')).hasAttribute('aria-disabled')).toBe(false);
});

test('an item no longer sold says so and can only be removed', async () => {
  const pepper = await shop.stock();
  const ana = await shopperWith(shop, 1, pepper);
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, pepper.id));
  tab = openTab(shop, '/cart', { as: ana });
  await see('This product is no longer sold');
  expect((await control('Proceed to Checkout')).hasAttribute('aria-disabled')).toBe(true);
});

test('an unresponsive shop leaves the number at the basket as the device knows it, immediately', async () => {
  const ana = await shopperWith(shop, 2, await shop.stock());
  const before = openTab(shop, '/', { as: ana });
  tab = before;
  await control('Cart, 2 items');
  before.close();
  before.network.hangs = /cart/;
  tab = openTab(shop, '/', { as: ana, after: before });
  await vi.waitFor(async () => expect(await control('Cart, 2 items')).toBeTruthy(), { timeout: 3_000 });
});
