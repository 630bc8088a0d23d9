import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const cards = () => [...document.querySelectorAll('main li h2')].map((name) => name.textContent);

test('the home page says who we are and leads to each category', async () => {
  const titles = [(await shop.category()).title, (await shop.category()).title];
  tab = openTab(shop, '/');
  await see('Flavor your world with our savory sensations!');
  expect(document.querySelector('h1')?.textContent).toBe('Savory, Seasoning & Spices');
  await see('About Us');
  for (const title of titles) await control(title);
});

test('a category shows ten products on a page, and the rest on the next', async () => {
  const { id: categoryId } = await shop.category({ name: 'savory', title: 'Savory & Seasoning' });
  for (let number = 1; number <= 12; number += 1) await shop.stock({ categoryId, name: `Blend ${number}` });
  tab = openTab(shop, '/products/savory');
  await see('1–10 of 12');
  expect(document.querySelector('h1')?.textContent).toBe('Savory & Seasoning');
  expect(cards()).toHaveLength(10);
  await press('Page 2');
  await see('11–12 of 12');
  expect(tab.path()).toBe('/products/savory?page=2');
  expect(cards()).toHaveLength(2);
});

test('a page after the last one is not found inside the app either', async () => {
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
});

test('Add to cart on a card adds one, in place', async () => {
  const { id: categoryId, name } = await shop.category();
  await shop.stock({ categoryId, name: 'Grains of Selim' });
  const ana = await shop.signIn();
  tab = openTab(shop, `/products/${name}`, { as: ana });
  await press('Add to cart: Grains of Selim');
  await see('Item added to cart successfully');
  await control('Cart, 1 item');
  expect(tab.path()).toBe(`/products/${name}`);
});

test('what is out of stock says so and cannot be added', async () => {
  const { id: categoryId, name } = await shop.category();
  const { id } = await shop.stock({ categoryId, name: 'Dried thyme', quantity: 0 });
  tab = openTab(shop, `/products/${name}`);
  await see('Out of Stock');
  expect(document.querySelector('[aria-label="Add to cart: Dried thyme"]')).toBeNull();
  await tab.go(`/customer/view/product/${id}`);
  await until(() => tab.path().includes('/view/product/'));
  const add = await control('Add to cart');
  expect(add.hasAttribute('aria-disabled')).toBe(true);
});

test('the product page tells its facts and adds one', async () => {
  const facts = { name: 'Cubeb', origin: 'Ghana', unitSize: '80 g', heatLevel: 2, allergens: ['mustard'], quantity: 3 };
  const { id } = await shop.stock(facts);
  const ana = await shop.signIn();
  tab = openTab(shop, `/customer/view/product/${id}`, { as: ana });
  for (const said of ['Cubeb', '$4.50', 'Available', 'Only 3 left', '80 g', 'Ghana', 'Heat 2 of 5', 'mustard'])
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

test.each(['/nowhere', '/products/no-such-category', `/customer/view/product/${randomUUID()}`])(
  '%s is not found, with a way home',
  async (path) => {
    tab = openTab(shop, path);
    await see('404 not found');
    await press('Home', document.querySelector('main') ?? document);
    await see('Flavor your world');
  },
);
