import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cartItems, carts, orders, products } from '../../../src/server/db/schema/tables';
import { kitchen } from '../../../src/web/device/lists';
import { findIntent, saveIntent } from '../../../src/web/waiting/savedIntent';
import { outbox } from '../../../src/web/outbox/outbox';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, dialog, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';
import { buyer, card, isOff, ownerSets, standard } from './selling';
import { hurry } from './hurry';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(async () => {
  hurry();
  await kitchen.ready();
  await kitchen.intents.clear();
});
afterEach(async () => {
  tab.network.isDown = false;
  tab.close();
  leave.mockClear();
  await ownerSets(shop, {});
});
afterAll(() => shop.close());

const setNetwork = async (isDown: boolean) => {
  await tab.setDown(isDown);
};
/** With a connection again. */
const seeTheOrder = async () => {
  await setNetwork(false);
  await press('View order');
};
const ordersOf = ({ userId }: Person) => shop.db.select().from(orders).where(eq(orders.userId, userId));
const main = () => document.querySelector('main') ?? document;

/** A customer who prepared the order without a connection. */
async function prepared(states = ['GA']): Promise<Person> {
  const ana = await buyer(shop, { states });
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$31.80');
  await tab.go('/checkout');
  await card('1 GA Street');
  await tab.go('/cart');
  await see('Subtotal$31.80Proceed to Checkout');
  await setNetwork(true);
  await press('Proceed to Checkout', main());
  await see('Get this order ready now');
  const button = await control('Order when online');
  (await card('1 GA Street')).click();
  await until(() => !isOff(button));
  button.click();
  await see("Order ready to place when you're online");
  return ana;
}

const change = async (ana: Person, values: Partial<typeof products.$inferInsert>) => {
  const [line] = await shop.db
    .select({ productId: cartItems.productId })
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .where(eq(carts.userId, ana.userId));
  await shop.db
    .update(products)
    .set(values)
    .where(eq(products.id, line?.productId ?? ''));
};

test('without a connection and without an address nothing is called the Total', async () => {
  await ownerSets(shop, { methods: [standard] });
  const ana = await buyer(shop);
  tab = openTab(shop, '/checkout', { as: ana });
  await card('1 GA Street');
  await see('Choose an address to see delivery and tax.');
  await setNetwork(true);
  await see('Get this order ready now');
  expect(main().textContent).not.toMatch(/Total(?! )|Total as of/);
  (await card('1 GA Street')).click();
  await see(/Total as of [^$]*\$37\.75/);
});

test('the sums without a connection equal the shop’s, and the chosen method is ordered', async () => {
  await ownerSets(shop, { methods: [standard], rates: [['GA', 40_000, true]] });
  const ana = await prepared();
  expect(await findIntent(ana.userId)).toMatchObject({
    shown: { total: 39.26, delivery: { name: 'Standard', price: 5.95 } },
  });
  await seeTheOrder();
  await see(/Nothing has changed since/);
  await see('Total$39.26');
  await press('Place Order', main());
  await until(() => leave.mock.calls.length > 0);
  expect(await ordersOf(ana)).toMatchObject([{ totalCents: 3926, deliveryName: 'Standard' }]);
});

test('a shortage is settled first', async () => {
  const ana = await prepared();
  await change(ana, { quantity: 1 });
  await seeTheOrder();
  await see('Only 1 left');
  expect(isOff(await control('Place Order'))).toBe(true);
  await see('Review the highlighted items to continue');
  await press('Take 1 of Afra Grill Rub');
  const place = await control('Place Order');
  await until(() => !isOff(place));
  await see('1 in this order (you asked for 2)');
  place.click();
  await until(() => leave.mock.calls.length > 0);
  expect(await ordersOf(ana)).toMatchObject([{ totalCents: 1590 }]);
});

test('a change after it was seen prevents the order: the new list is shown', async () => {
  const ana = await prepared();
  await seeTheOrder();
  const place = await control('Place Order');
  await see(/Nothing has changed since/);
  await until(() => !isOff(place));
  await change(ana, { priceCents: 1790 });
  place.click();
  await see('The total is now $35.80');
  expect(await ordersOf(ana)).toEqual([]);
  expect(await findIntent(ana.userId)).toBeDefined();
});

test('a first delivery charge set after it was seen is not charged', async () => {
  const ana = await prepared();
  await seeTheOrder();
  const place = await control('Place Order');
  await see(/Nothing has changed since/);
  await see('Subtotal$31.80');
  await until(() => !isOff(place));
  await ownerSets(shop, { methods: [standard] });
  place.click();
  await see('The total is now $37.75');
  expect(await ordersOf(ana)).toEqual([]);
  expect(await findIntent(ana.userId)).toBeDefined();
});

/** The shop's clock, from its responses. */
const shopMessages = (ms: number) => {
  const headers = { 'content-type': 'application/json', date: new Date(ms).toUTCString() };
  tab.network.answers = (path) => (path === '/healthz' ? new Response('{"status":"ok"}', { headers }) : undefined);
};
const comeBack = () => window.dispatchEvent(new Event('focus'));

test('its 24 hours follow the shop’s clock, however wrong this device’s is', async () => {
  const hourMs = 60 * 60_000;
  const ana = await prepared();
  const madeAt = Date.now() - 48 * hourMs; // by the shop's clock: this device is two days ahead
  shopMessages(madeAt);
  await setNetwork(false);
  await see('Your order is ready to place. Nothing has been ordered yet.');
  comeBack();
  await vi.waitFor(async () => expect(await findIntent(ana.userId)).toMatchObject({ isServerTime: true }), waiting);
  expect(Math.abs(((await findIntent(ana.userId))?.madeAt ?? 0) - madeAt)).toBeLessThan(hourMs);
  shopMessages(madeAt + 23 * hourMs);
  comeBack();
  await until(() => tab.cache.isFetching() === 0);
  await tab.go('/checkout/waiting');
  await see(/Nothing has changed since/);
  expect(await findIntent(ana.userId)).toBeDefined();
  shopMessages(madeAt + 25 * hourMs);
  comeBack();
  await see("The order on this device expired after 24 hours. Your cart hasn't changed.");
  expect(await findIntent(ana.userId)).toBeUndefined();
});

test('two devices have an order each: both pressed are one order, and an emptied cart leaves none', async () => {
  const ana = await prepared();
  const first = await findIntent(ana.userId);
  if (!first) throw new Error('nothing waits');
  await press('Discard order'); // the second device has different storage
  await press('Proceed to Checkout', main());
  await see('Get this order ready now');
  (await card('1 GA Street')).click();
  await press('Order when online');
  await see("Order ready to place when you're online");
  const order = async () => {
    await press('View order');
    await see(/Nothing has changed since/);
    await press('Place Order', main());
    await until(() => leave.mock.calls.length > 0);
    leave.mockClear();
    tab.close();
    tab = openTab(shop, '/', { as: ana, after: tab }); // back from the payment page
  };
  await setNetwork(false);
  await order();
  expect(await findIntent(ana.userId)).toBeUndefined();
  await saveIntent(first);
  comeBack();
  await order();
  expect(await ordersOf(ana)).toHaveLength(1);

  await saveIntent(first);
  comeBack();
  await see('Your order is ready to place. Nothing has been ordered yet.');
  await shop.call('clearCart', { as: ana, path: { userId: ana.userId } });
  await press('View order');
  await see('Cart is Empty');
  await vi.waitFor(async () => expect(await findIntent(ana.userId)).toBeUndefined(), waiting);
  await tab.go('/');
  await miss('Your order is ready to place. Nothing has been ordered yet.');
});

test('once it is placed nothing waits, even if its page was left before the response', async () => {
  const ana = await prepared();
  await seeTheOrder();
  await see(/Nothing has changed since/);
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  tab.network.delays = ({ url }) => (url.includes('/payment/') ? released : undefined);
  await press('Place Order', main());
  await vi.waitFor(async () => expect(await ordersOf(ana)).toHaveLength(1), waiting);
  await tab.go('/contact');
  await see('Your order is ready to place. Nothing has been ordered yet.');
  release();
  await miss('Your order is ready to place. Nothing has been ordered yet.');
  expect(await findIntent(ana.userId)).toBeUndefined();
});

test('cart changes that the shop rejected are settled on its page', async () => {
  const ana = await prepared();
  const ginger = await shop.stock({ name: 'Ground Ginger', priceCents: 800 });
  const item = { productId: ginger.id, name: 'Ground Ginger', price: 8, quantity: 1, image: null };
  await outbox.send('addCartItem', { userId: ana.userId, item });
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, ginger.id));
  await setNetwork(false);
  await outbox.flush();
  await tab.go('/checkout/waiting');
  await see('Review the highlighted items to continue');
  const place = await control('Place Order');
  expect(isOff(place)).toBe(true);
  await press('Discard', main());
  await see(/Nothing has changed since/);
  await until(() => !isOff(place));
  place.click();
  await until(() => leave.mock.calls.length > 0);
  expect(await ordersOf(ana)).toMatchObject([{ totalCents: 3180 }]);
});

test('without a connection its page waits for one, and reads nothing', async () => {
  const ana = await prepared();
  await tab.go('/checkout/waiting');
  await see('Go online to check out');
  expect(main().querySelector('[aria-busy=true]')).toBeNull();
  expect(isOff(await control('Place Order'))).toBe(true);
  await setNetwork(false);
  await see(/Nothing has changed since/);
  expect(await findIntent(ana.userId)).toBeDefined();
});

test('it is discarded by a press, and the logout asks about it and deletes it', async () => {
  const ana = await prepared();
  await press('Discard order');
  await miss("Order ready to place when you're online");
  expect(await findIntent(ana.userId)).toBeUndefined();
  await setNetwork(false);
  tab.close();

  const awa = await prepared();
  await setNetwork(false);
  await press('Account settings');
  await press('Logout');
  await see('Log out and delete your unplaced order?');
  await press('Delete order and log out', await dialog());
  await until(() => tab.path() === '/');
  await miss('Log out and delete your unplaced order?');
  expect(await findIntent(awa.userId)).toBeUndefined();
});
