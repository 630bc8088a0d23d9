/** 'Goes well with' on a product's page. Rule: docs/rules/catalog.md, Goes well with */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { productPairs } from '../../../src/server/db/schema/tables';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { openShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let pepper: string;
let cumin: string;
beforeAll(async () => {
  shop = await openShop();
  const { id: categoryId } = await shop.category();
  pepper = (await shop.stock({ name: 'Pepper of Penja', categoryId })).id;
  await shop.stock({ name: 'Cubeb of Java', categoryId, quantity: 0 });
  cumin = (await shop.stock({ name: 'Cumin of Kerala', categoryId, netGrams: 60 })).id;
  const lime = (await shop.stock({ name: 'Lime of Oman' })).id;
  await shop.db.insert(productPairs).values({ key: pepper, others: [lime] });
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

const page = () => `/customer/view/product/${pepper}`;
const shown = () => [...document.querySelectorAll('section li h3')].map(({ textContent }) => textContent);

test('the page shows what is ordered with it, then others of its category, with one call', async () => {
  tab = openTab(shop, '/contact');
  await tab.go(page());
  await see('Goes well with');
  expect(shown()).toEqual(['Lime of Oman', 'Cumin of Kerala', 'Cubeb of Java']);
  expect(tab.calls.filter(({ path }) => path.includes('/public/products'))).toHaveLength(1);
});

test('a card there opens its product, and its plus adds it', async () => {
  tab = openTab(shop, page(), { as: await shop.signIn() });
  await press('Add Cumin of Kerala to cart');
  await see('Item added to cart successfullyCumin of Kerala · 1 in cart');
  await press('Cumin of Kerala');
  await until(() => tab.path() === `/customer/view/product/${cumin}`);
  await see('1 in your cart');
});

test('offline, the page shows others of the category', async () => {
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  tab.network.breaks = /./;
  await tab.go(page());
  await control('Add Cumin of Kerala to cart');
  expect(shown()).toEqual(['Cumin of Kerala', 'Cubeb of Java']);
});

test('without others there is no heading', async () => {
  const { id } = await shop.stock({ name: 'Saffron of Taliouine' });
  tab = openTab(shop, `/customer/view/product/${id}`);
  await see('Saffron of Taliouine');
  expect(document.body.textContent).not.toContain('Goes well with');
});
