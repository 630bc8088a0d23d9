import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const currentPages = () =>
  [...document.querySelectorAll('[aria-label=Pages] [aria-current]')].map((link) => link.getAttribute('aria-label'));

test('a page after the last one is not found inside the app, and one page is marked as current', async () => {
  const { id: categoryId, name } = await shop.category();
  for (let number = 1; number <= 11; number += 1) await shop.stock({ categoryId, name: `Blend ${number}` });
  tab = openTab(shop, `/products/${name}`);
  await see('1–10 of 11');
  await tab.go(`/products/${name}?page=3`);
  await see('404 not found');
  tab.back();
  await see('1–10 of 11');
  await press('Page 2');
  await see('11–11 of 11');
  expect(currentPages()).toEqual(['Page 2']);
  await press('Page 1');
  await see('1–10 of 11');
  expect(currentPages()).toEqual(['Page 1']);
});

test('a sold-out product says so and cannot be added', async () => {
  const { id: categoryId, name } = await shop.category();
  const { id } = await shop.stock({ categoryId, name: 'Dried thyme', quantity: 0 });
  tab = openTab(shop, `/products/${name}`);
  await see('Out of Stock');
  expect(document.querySelector('[aria-label="Add Dried thyme to cart"]')).toBeNull();
  await tab.go(`/customer/view/product/${id}`);
  await until(() => tab.path().includes('/view/product/'));
  const add = await control('Add to cart');
  expect(add.hasAttribute('aria-disabled')).toBe(true);
});

test('the product page shows its details and adds one', async () => {
  const facts = { name: 'Cubeb', origin: 'Ghana', unitSize: '80 g', heatLevel: 2, allergens: ['mustard'], quantity: 3 };
  const { id } = await shop.stock(facts);
  const ana = await shop.signIn();
  tab = openTab(shop, `/customer/view/product/${id}`, { as: ana });
  for (const said of ['Cubeb', '$4.50', 'Available', 'Only 3 left', '80 g', 'Ghana', 'Medium, 2 of 5', 'mustard'])
    await see(said);
  await press('Add to cart');
  await see('Item added to cart successfully');
});

test('a product that is no longer sold says so, with a way back', async () => {
  const { id } = await shop.stock();
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, id));
  tab = openTab(shop, `/customer/view/product/${id}`);
  await see('This product is no longer sold');
  expect((await control('Back')).getAttribute('href')).toBe('/products/spices');
});

test('an unknown product is not found, with ways on to search, categories, and home', async () => {
  tab = openTab(shop, '/products/no-such-category');
  await see('404 not found');
  const main = () => document.querySelector('main') ?? document;
  expect((await control('Search', main())).getAttribute('href')).toBe('/search');
  expect(main().querySelectorAll('a[href^="/products/"]').length).toBeGreaterThan(0);
  await tab.go('/contact');
  await tab.go(`/customer/view/product/${randomUUID()}`);
  await see('404 not found');
  await press('Home', document.querySelector('main') ?? document);
  await see('Flavor your world');
});
