/** Cards of several sizes. Rule: docs/rules/catalog.md, Cards */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { products } from '../../../src/server/db/schema/tables';
import { outbox } from '../../../src/web/outbox/outbox';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { cartOf } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { choose, control, dialog, emptyCatalog, fill, openTab, press, search, see, type Tab, until } from '../openTab';

let shop: TestShop;
let ana: Person;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop())); // changes a stock without a movement
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A category with a rub in three sizes, the largest sold out, and a product in one. */
async function stockSizes() {
  const { id: categoryId, name: category } = await shop.category();
  const sizeGroup = randomUUID();
  const word = `rub${randomUUID().slice(0, 8)}`; // finds only these
  const stock = (name: string, facts: object) =>
    shop.stock({ categoryId, name, quantity: 40, otherNames: [word], ...facts });
  const large = await stock('Afra Rub, large', { sizeGroup, netGrams: 450, priceCents: 2650 });
  const small = await stock('Afra Rub', { sizeGroup, netGrams: 110, priceCents: 795 });
  await stock('Afra Rub, sack', { sizeGroup, netGrams: 1000, priceCents: 5190, quantity: 0 });
  await stock('Cubeb', { netGrams: 80, otherNames: [] });
  return { path: `/products/${category}`, word, small, large };
}

/** A list with them, of a customer with an empty cart. */
async function openList() {
  const stocked = await stockSizes();
  ana = await shop.signIn();
  tab = openTab(shop, stocked.path, { as: ana });
  await control('Add to list: Cubeb'); // the parts of the cards that are loaded later
  await control('Cart, 0 items');
  return stocked;
}

const openerName = 'Choose a size of Afra Rub';
const opener = () => control(openerName);
const cards = () => [...document.querySelectorAll('main li h2')].map(({ textContent }) => textContent);
const panel = () => document.querySelector<HTMLElement>('[role=dialog]');
const rows = () => [...(panel()?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent);
const nameOf = (element: Element | null) => element?.getAttribute('aria-label');
const changes = () => tab.calls.filter(({ method, path }) => method !== 'GET' && path.includes('cart'));
const key = (name: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));

async function openSizes() {
  await press(openerName);
  await until(() => panel() !== null);
}

test('a group of sizes is one card with its lowest price, the number of sizes, and the lowest unit price', async () => {
  await openList();
  await see('2 products');
  expect(cards()).toEqual(['Afra Rub', 'Cubeb']);
  await see('3 sizes, from $1.67/oz'); // the sold-out size costs less per ounce
  await see('from $7.95');
});

test('the plus opens the sizes; a sold-out one says so and cannot be added', async () => {
  await openList();
  expect((await opener()).getAttribute('aria-expanded')).toBe('false');
  await openSizes();
  expect((await opener()).getAttribute('aria-expanded')).toBe('true');
  expect(nameOf(panel())).toBe('Sizes of Afra Rub');
  expect(rows()).toEqual(['3.9 oz$2.05/oz$7.95', '15.9 oz$1.67/oz$26.50', '2.2 lbSold out']);
  expect([...(panel()?.querySelectorAll('button') ?? [])].map(nameOf)).toEqual([
    'Add Afra Rub, 3.9 oz to cart',
    'Add Afra Rub, large, 15.9 oz to cart',
  ]);
});

test('quick presses on a size make one change of that size, and the circle holds the number of all sizes', async () => {
  const { small, large } = await openList();
  await openSizes();
  const plus = await control('Add Afra Rub, 3.9 oz to cart');
  for (const _ of [1, 2, 3]) plus.click();
  await see('Afra Rub · 3 in cart');
  expect(changes()).toHaveLength(1);
  await press('Add Afra Rub, large, 15.9 oz to cart');
  await see('Afra Rub, large · 1 in cart');
  await until(() => document.querySelector(`[aria-label="${openerName}, 4 in cart"]`)?.textContent === '4');
  const { cartItems } = await cartOf(shop, ana);
  expect(cartItems.map(({ productId, quantity }) => [productId, quantity])).toEqual([
    [small.id, 3],
    [large.id, 1],
  ]);
  await press('Remove Afra Rub, large, 15.9 oz');
  await until(() => document.querySelector(`[aria-label="${openerName}, 3 in cart"]`)?.textContent === '3');
});

test('the first size has the focus, the arrow keys move between them, and Escape leads back', async () => {
  await openList();
  await openSizes();
  expect(nameOf(document.activeElement)).toBe('Add Afra Rub, 3.9 oz to cart');
  key('ArrowDown');
  expect(nameOf(document.activeElement)).toBe('Add Afra Rub, large, 15.9 oz to cart');
  key('ArrowDown');
  expect(nameOf(document.activeElement)).toBe('Add Afra Rub, 3.9 oz to cart');
  key('Escape');
  await until(() => panel() === null);
  expect(nameOf(document.activeElement)).toBe(openerName);
});

test('a visitor who chooses a size logs in first', async () => {
  const { path } = await stockSizes();
  tab = openTab(shop, path);
  await openSizes();
  await press('Add Afra Rub, large, 15.9 oz to cart');
  await see('You need to be logged in to add items to your cart');
  await until(() => tab.path().startsWith('/login'));
  await until(() => panel() === null);
});

test('a card pressed before its later parts have loaded opens its sizes when they have', async () => {
  const { path } = await stockSizes();
  tab = openTab(shop, path);
  (await opener()).click();
  await until(() => rows().length === 3);
});

test('a card follows a price and a stock that staff change, while its sizes are open', async () => {
  const { small } = await openList();
  await openSizes();
  const now = { priceCents: 855, quantity: 3 };
  await transact(shop.db, (tx) => tx.update(products).set(now).where(eq(products.id, small.id)));
  await shop.untilTold();
  await tab.cache.invalidateQueries({ queryKey: ['products'] });
  await see('from $8.55');
  expect(rows()[0]).toBe('3.9 oz$2.20/oz · Only 3 left$8.55');
});

test('offline the list shows the same cards, and a size can be added', async () => {
  const { path, large } = await openList();
  await syncCatalog(journal);
  await tab.setDown(true);
  tab.cache.removeQueries({ queryKey: ['products'] });
  await tab.go('/contact');
  await tab.go(path);
  await see('2 products');
  expect(cards()).toEqual(['Afra Rub', 'Cubeb']);
  await openSizes();
  expect(rows()).toHaveLength(3);
  await press('Add Afra Rub, large, 15.9 oz to cart');
  await until(() => document.querySelector(`[aria-label="${openerName}, 1 in cart"]`) !== null);
  expect(outbox.waiting(ana.userId)).toMatchObject([{ input: { item: { productId: large.id, price: 26.5 } } }]);
  key('Escape');
  await tab.setDown(false);
  await until(() => outbox.waiting(ana.userId).length === 0);
});

test('a size of a card is put on a list, with and without a connection', async () => {
  const { small, large } = await openList();
  await press('Add to list: Afra Rub');
  await choose('15.9 oz (450 g)');
  await choose('New list');
  await fill('Name', 'Dry store');
  await press('Create', await dialog());
  await see('Added to Dry store');
  await syncCatalog(journal);
  await tab.setDown(true);
  await press('Add to list: Afra Rub');
  await choose('3.9 oz (110 g)');
  await choose('Dry store');
  await until(() => outbox.waiting(ana.userId).length === 1);
  await tab.setDown(false);
  await until(() => outbox.waiting(ana.userId).length === 0);
  const { lists } = (await shop.call('listLists', { as: ana, path: { userId: ana.userId } })).data;
  expect(lists[0]?.items.map(({ productId }) => productId)).toEqual([large.id, small.id]);
});

test('the menu of a card begins with its sizes each time', async () => {
  await openList();
  for (const _ of ['first', 'again']) {
    await press('Add to list: Afra Rub');
    await see('Choose a size for your list');
    await choose('2.2 lb (1 kg)'); // sold out: the kitchen lists what it needs
    await control('New list', document.body);
    await until(() => document.activeElement?.getAttribute('role') === 'menu');
    key('Escape');
    await until(() => document.querySelector('[role=menu]') === null);
  }
});

test('a search hit of several sizes says so, before and after the device has the catalog', async () => {
  const { word } = await openList();
  const hits = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent);
  for (const readFeed of [emptyCatalog, () => syncCatalog(journal)]) {
    await readFeed();
    await search(word);
    await until(() => hits().length > 0);
    expect(hits()).toEqual([expect.stringContaining('from $7.953 sizes, from $1.67/oz')]);
    await see('1 result');
    await press('Close search');
  }
});
