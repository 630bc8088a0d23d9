import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { orders } from '../../../src/server/db/schema/tables';
import { placeOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, fill, miss, openTab, press, see, type Tab, until } from '../openTab';
import { announced, buyer, card, enterCode, express, isOff, ownerSets, place, standard, welcome } from './selling';
import { hurry } from './hurry';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(hurry);
afterEach(async () => {
  tab.close();
  leave.mockClear();
  await ownerSets(shop, {});
});
afterAll(() => shop.close());

async function open(ana: Person, state?: string): Promise<void> {
  tab = openTab(shop, '/checkout', { as: ana });
  if (state !== undefined) (await card(`1 ${state} Street`)).click();
}

/** Holds quotes until they are released. */
function holdQuotes() {
  const held: (() => void)[] = [];
  tab.network.delays = ({ url }) =>
    url.includes('/quote/') ? new Promise<void>((resolve) => held.push(resolve)) : undefined;
  const release = () => {
    tab.network.delays = () => undefined;
    held.forEach((go) => go());
  };
  return { waiting: () => held.length, release };
}

const quotes = () => tab.calls.filter(({ path }) => path.includes('/quote/'));
const orderOf = async ({ userId }: Person) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders.userId, userId));
  return order;
};

test('without any settings only the Subtotal is shown, and no quote is requested', async () => {
  const ana = await buyer(shop);
  await open(ana, 'GA');
  await see('Subtotal$31.80');
  await place();
  await until(() => leave.mock.calls.length > 0);
  expect(document.body.textContent).not.toMatch(/Discount code|discount code|Total\$|Delivery/);
  expect(quotes()).toEqual([]);
  expect(await orderOf(ana)).toMatchObject({ totalCents: 3180, deliveryNote: null });
});

test('the address of the latest order is chosen, otherwise the only one, and the first quote has the whole total', async () => {
  await ownerSets(shop, { methods: [standard, express] });
  tab = openTab(shop, '/checkout', { as: await buyer(shop, { states: ['GA'] }) });
  await see('Delivery (Standard)$5.95Total$37.75');
  expect((await card('1 GA Street')).checked).toBe(true);
  expect(quotes()).toHaveLength(1);
  tab.close();
  const ana = await buyer(shop);
  const toOhio = { street: '1 OH Street', city: 'Springfield', state: 'OH', postalCode: '30303' };
  await placeOrder(shop, ana, { customer: 'Example Customer', deliveryAddress: toOhio });
  tab = openTab(shop, '/checkout', { as: ana });
  await see('Delivery (Standard)$5.95Total$37.75');
  expect((await card('1 OH Street')).checked).toBe(true);
  expect(quotes()).toHaveLength(1);
});

test('without a saved address the form for one is open', async () => {
  tab = openTab(shop, '/checkout', { as: await buyer(shop, { states: [] }) });
  await see('Add a New Address');
  await see('No saved addresses found.');
});

test('from half of the amount on, the checkout says how much is missing for free delivery', async () => {
  await ownerSets(shop, { methods: [standard] });
  await open(await buyer(shop), 'GA');
  await see('Add $28.20 for free delivery');
  tab.close();
  await open(await buyer(shop, { priceCents: 3000 }), 'GA');
  await see('You have free delivery');
  tab.close();
  await open(await buyer(shop, { priceCents: 1400 }), 'GA');
  await see('Total$33.95');
  expect(document.body.textContent).not.toContain('free delivery');
});

test('the total has delivery and tax for the address, and the order costs what was shown', async () => {
  await ownerSets(shop, { methods: [standard, express], rates: [['GA', 40_000, true]], codes: [welcome] });
  const ana = await buyer(shop);
  await open(ana);
  await see('Choose an address to see delivery and tax.');
  await see('Choose an addressSubtotal$31.80Place Order');
  expect(document.body.textContent).not.toContain('Total$');
  (await card('1 GA Street')).click();
  await see(/Delivery.*Standard3–5 business daysFree over \$60\$5\.95Express/);
  expect((await card('Standard')).checked).toBe(true);
  await enterCode('  welcome10 ');
  await see(
    'Subtotal$31.80Discount (WELCOME10)−$3.18minus $3.18Delivery (Standard)$5.95Sales tax (GA 4%)$1.38Total$35.95',
  );
  await until(() => announced() === 'Total $35.95');
  (await card('Express')).click();
  await see('Delivery (Express)$14.95');
  await see('Total$45.31');
  await until(() => announced() === 'Total $45.31');
  await press('Add delivery instructions');
  await fill('Delivery instructions', 'Behind the shed');
  await place();
  await until(() => leave.mock.calls.length > 0);
  expect(await orderOf(ana)).toMatchObject({
    totalCents: 4531,
    discountCode: 'WELCOME10',
    deliveryName: 'Express',
    deliveryCents: 1495,
    deliveryNote: 'Behind the shed',
  });
});

test('the cart says only that more is added to the Subtotal, and only where it is', async () => {
  await ownerSets(shop, { codes: [welcome] });
  const ana = await buyer(shop);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$31.80');
  await until(() => tab.calls.some(({ path }) => path === '/public/shop'));
  expect(document.body.textContent).not.toContain('calculated at checkout');
  tab.close();
  await ownerSets(shop, { rates: [['GA', 40_000]] });
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$31.80Delivery and tax are calculated at checkout');
});

test('a single method is a card too, selected; another address keeps the chosen method where it serves', async () => {
  await ownerSets(shop, { methods: [{ ...standard, states: ['GA'] }, express] });
  await open(await buyer(shop), 'OH');
  await see('Total$46.75');
  expect((await card('Express')).checked).toBe(true);
  expect(document.querySelectorAll('input[name=delivery]')).toHaveLength(1);
  (await card('Express')).click();
  (await card('1 GA Street')).click();
  await card('Standard');
  await see('Total$46.75');
  expect((await card('Express')).checked).toBe(true);
});

test('where no method serves the address nothing can be ordered, until another one is chosen', async () => {
  await ownerSets(shop, { methods: [{ ...standard, states: ['GA'] }], rates: [['HI', 40_000]], codes: [welcome] });
  await open(await buyer(shop, { states: ['HI', 'GA'] }), 'HI');
  await see("We don't ship to Hawaii yetChoose another address, or write to us. Your cart stays as it is.");
  await see('Subtotal$31.80DeliveryNot available in HawaiiSubtotal$31.80Place Order');
  expect(document.body.textContent).not.toMatch(/Total\$|Sales tax/);
  const button = await control('Place Order');
  expect(isOff(button)).toBe(true);
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe("We don't ship to Hawaii yet");
  const other = await card('1 GA Street');
  other.focus();
  other.click();
  await see('Total$37.75');
  await miss("We don't ship");
  expect(document.activeElement).toBe(other);
  await until(() => !isOff(button));
});

test('until the total of an address arrives, nothing is called the Total, and no delivery is announced where none is set', async () => {
  await ownerSets(shop, { rates: [['GA', 40_000]] });
  await open(await buyer(shop));
  await see('Subtotal$31.80Choose an address to see delivery and tax.');
  const asks = holdQuotes();
  (await card('1 OH Street')).click();
  await until(() => asks.waiting() === 1);
  await until(() => document.querySelector('dl[aria-busy=true]') !== null);
  expect(document.body.textContent).not.toMatch(/Total\$31|Sales tax|Delivery(?! and tax)/);
  asks.release();
  await see('Subtotal$31.80Total$31.80');
});

test('while the total of another address is loading, the shown tax is labeled with its own state', async () => {
  await ownerSets(shop, { rates: [['GA', 40_000]] });
  await open(await buyer(shop), 'GA');
  await see('Sales tax (GA 4%)$1.27Total$33.07');
  const asks = holdQuotes();
  (await card('1 OH Street')).click();
  await until(() => document.querySelector('dl[aria-busy=true]') !== null);
  expect(document.body.textContent).toContain('Sales tax (GA 4%)$1.27Total$33.07');
  asks.release();
  await see('Subtotal$31.80Total$31.80');
});

test('a total that changed meanwhile is shown with the old one, and ordered only with another press', async () => {
  await ownerSets(shop, { methods: [standard], rates: [['GA', 40_000]] });
  const ana = await buyer(shop);
  await open(ana, 'GA');
  await see('Total$39.02');
  await ownerSets(shop, { methods: [{ ...standard, name: 'Parcel' }], rates: [['GA', 80_000]] });
  await place();
  await see('That delivery option is no longer available.');
  await see('The total changed from $39.02 to $40.29');
  await see('Delivery (Parcel)$5.95Sales tax (GA 8%)$2.54Total$40.29');
  expect(await orderOf(ana)).toBeUndefined();
  await place();
  await until(() => leave.mock.calls.length > 0);
  expect(await orderOf(ana)).toMatchObject({ totalCents: 4029, deliveryName: 'Parcel' });
});

test('a setting changed while the checkout is open is shown before it is charged', async () => {
  const ana = await buyer(shop);
  await open(ana, 'GA');
  await see('Subtotal$31.80');
  await control('Place Order');
  await ownerSets(shop, { methods: [standard] });
  await place();
  await see('The total changed from $31.80 to $37.75');
  await see('Delivery (Standard)$5.95Total$37.75');
  expect((await card('Standard')).checked).toBe(true);
  await place();
  await until(() => leave.mock.calls.length > 0);
  expect(await orderOf(ana)).toMatchObject({ totalCents: 3775 });
});

test('a failed quote keeps the last total, says so above the button, and can be retried', async () => {
  await ownerSets(shop, { methods: [standard, express] });
  await open(await buyer(shop), 'GA');
  await see('Total$37.75');
  tab.network.breaks = /\/quote\//;
  (await card('Express')).click();
  await see("We couldn't calculate the total. Try again. Try again");
  await see('Total$37.75');
  expect(isOff(await control('Place Order'))).toBe(true);
  tab.network.breaks = undefined;
  await press('Try again');
  await see('Total$46.75');
  await miss("We couldn't calculate the total. Try again.");
  await until(() => announced() === 'Total $46.75');
});

test('an item added on another device is ordered once its line was seen', async () => {
  await ownerSets(shop, { methods: [standard] });
  const ana = await buyer(shop);
  await open(ana, 'GA');
  await see('Total$37.75');
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  tab.network.delays = ({ method, url }) =>
    method === 'GET' && url.includes('/public/cart/') && !url.includes('items') ? released : undefined;
  const { id: productId } = await shop.stock({ name: 'Ground Ginger', priceCents: 800 });
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity: 1 } });
  (await card('1 OH Street')).click();
  await see('Total$45.75');
  expect(isOff(await control('Place Order'))).toBe(true);
  expect(document.querySelector('main')?.textContent).not.toContain('Ground Ginger');
  release();
  await see('Ground Ginger');
  await place();
  await until(() => leave.mock.calls.length > 0);
  expect(await orderOf(ana)).toMatchObject({ totalCents: 4575 });
});

test('while a quote is loading the last good one stays, and an older response that comes late changes nothing', async () => {
  await ownerSets(shop, { methods: [standard, express] });
  await open(await buyer(shop), 'GA');
  await see('Total$37.75');
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let given = 0;
  tab.network.delays = ({ url, signal }) => {
    if (!url.includes('/quote/')) return undefined;
    signal.addEventListener('abort', () => (given += 1));
    return released;
  };
  (await card('Express')).click();
  await until(() => document.querySelector('dl[aria-busy=true]') !== null);
  await see('Total$37.75');
  expect((await card('Express')).checked).toBe(true);
  expect(isOff(await control('Place Order'))).toBe(true);
  await until(() => tab.isAnswered());
  tab.network.delays = () => undefined;
  (await card('1 OH Street')).click();
  (await card('Standard')).click();
  await until(() => document.querySelector('dl[aria-busy=true]') === null);
  release();
  await see('Delivery (Standard)$5.95Total$37.75');
  expect(given).toBe(1);
  expect((await card('Standard')).checked).toBe(true);
});
