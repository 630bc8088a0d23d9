import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openOwnShop, type TestShop } from '../../support/shop';
import { control, fill, openTab, press, search, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let product: string;
beforeAll(async () => {
  shop = await openOwnShop();
  await shop.category({ name: 'savory', title: 'Savory & Seasoning' });
  await shop.category({ name: 'spices', title: 'Spices' });
  const { id: categoryId } = await shop.category({ name: 'tea-slug', title: 'Teas of Casamance' });
  await shop.category({ name: 'whole-grains' });
  product = `/customer/view/product/${(await shop.stock({ categoryId, name: 'Kinkeliba' })).id}`;
});
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;
const inWords = ['Savory & Seasoning', 'Spices', 'Teas of Casamance', 'Whole grains'];

/** The visible text of the page, without its metadata. */
function words(): string {
  const page = document.body.cloneNode(true) as HTMLElement;
  for (const script of page.querySelectorAll('script')) script.remove();
  return `${document.title} ${page.textContent}`;
}
async function reads(messages: string | RegExp): Promise<void> {
  await see(messages);
  expect(words()).not.toMatch(/tea-slug|whole-grains/);
}

test.each(['/', '/cart'])('a category added later by staff has its link on %s, with its title', async (path) => {
  tab = openTab(shop, path, { as: await shop.signIn() });
  for (const [at, name] of ['savory', 'spices', 'tea-slug', 'whole-grains'].entries()) {
    const link = await control(inWords[at] ?? '', main());
    expect(link.getAttribute('href')).toBe(`/products/${name}`);
  }
});

test('a shopper reads a category’s title everywhere, and never its URL name', async () => {
  tab = openTab(shop, '/');
  await reads('Teas of CasamanceProducts'); // its tile
  await press('Products', document.querySelector('header') ?? document);
  await control('Whole grains', document.querySelector('[role=menu]') ?? document.body);
  await press('Teas of Casamance', document.querySelector('[role=menu]') ?? document.body);
  await until(() => tab.path() === '/products/tea-slug');
  await until(() => document.querySelector('main h1')?.textContent === 'Teas of Casamance');
  await reads('1 product');
  await press('Kinkeliba', main());
  await until(() => tab.path() === product);
  await reads('CategoryTeas of Casamance');
  await tab.go('/search?q=kinkeliba');
  await reads('1 product');
  await search('kinkeliba');
  await until(() => document.querySelector('[role=option]')?.textContent === 'KinkelibaTeas of Casamance$4.50');
  await tab.go('/products/whole-grains');
  await reads('No products found. Try another search or fewer filters.');
  expect(document.querySelector('main h1')?.textContent).toBe('Whole grains');
});

test('a category’s banner shows its title before its products are loaded', async () => {
  tab = openTab(shop, '/');
  await see('Teas of CasamanceProducts');
  tab.network.hangs = /\/products\/category\//;
  await tab.go('/products/tea-slug');
  await until(() => document.querySelector('main h1')?.textContent === 'Teas of Casamance');
});

test('staff read a category’s title in lists, filters, forms and questions', async () => {
  tab = openTab(shop, '/products?category=tea-slug', { as: await shop.signIn({ role: 'ROLE_OWNER' }) });
  const id = product.split('/').at(-1) ?? '';
  await reads(/Category: ?Teas of Casamance/);
  await until(() => document.querySelector('main tbody tr')?.textContent?.includes('Teas of Casamance') ?? false);
  await tab.go(`/view/product/${id}`);
  await reads('CategoryTeas of Casamance');
  await tab.go(`/update/product/${id}`);
  await until(() => document.querySelectorAll('select[name=category] option').length === 5);
  await reads('Teas of Casamance');
  const select = document.querySelector<HTMLSelectElement>('select[name=category]');
  expect([select?.value, select?.selectedOptions[0]?.textContent]).toEqual(['tea-slug', 'Teas of Casamance']);
  await tab.go('/product/category');
  await reads('Teas of Casamance');
  await press('More actions for Teas of Casamance');
  await press('Delete Category', document.body);
  await reads('Delete Teas of Casamance?');
});

test('the audit log names the categories between which a product was moved', async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  tab = openTab(shop, product.replace('/customer/view', '/update'), { as });
  await until(() => document.querySelectorAll('select[name=category] option').length === 5);
  await fill('Category', 'whole-grains');
  await press('Save');
  await until(() => tab.path().startsWith('/view/product/'));
  await tab.go('/admin/audit');
  await see('Category Teas of Casamance to Whole grains');
});
