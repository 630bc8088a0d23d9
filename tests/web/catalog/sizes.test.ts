/** The sizes on a product's page. Rule: docs/rules/catalog.md, Sizes */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { openShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let ids: Record<'small' | 'large' | 'sack', string>;
beforeAll(async () => {
  shop = await openShop();
  const sizeGroup = randomUUID();
  const { id: categoryId } = await shop.category();
  const stock = async (name: string, netGrams: number, priceCents: number, quantity?: number) =>
    (await shop.stock({ sizeGroup, categoryId, name, netGrams, priceCents, ...(quantity === 0 && { quantity }) })).id;
  ids = {
    large: await stock('Afra Rub, large', 450, 2650),
    small: await stock('Afra Rub', 110, 795),
    sack: await stock('Afra Rub, sack', 1000, 5200, 0),
  };
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

const pathOf = (id: string) => `/customer/view/product/${id}`;
const radios = () => [...document.querySelectorAll<HTMLElement>('[role=radio]')];
const chosen = () => radios().filter((radio) => radio.getAttribute('aria-checked') === 'true');
const heading = () => document.querySelector('h1')?.textContent;
const nameOf = (radio: Element | null | undefined) => radio?.getAttribute('aria-label');
const key = (name: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));

test('the page offers the sizes with price and state; choosing one shows its product in the same history entry', async () => {
  tab = openTab(shop, '/contact');
  await tab.go(pathOf(ids.small));
  await control('450 g, $26.50');
  expect(radios().map(nameOf)).toEqual(['110 g, $7.95', '450 g, $26.50', '1,000 g, Sold out']);
  expect(chosen().map(nameOf)).toEqual(['110 g, $7.95']);
  expect(document.querySelector('[role=radiogroup]')?.getAttribute('aria-labelledby')).toBe('sizes');
  await press('450 g, $26.50');
  await until(() => tab.path() === pathOf(ids.large));
  await until(() => heading() === 'Afra Rub, large');
  expect(chosen().map(nameOf)).toEqual(['450 g, $26.50']);
  tab.back();
  await until(() => tab.path() === '/contact');
});

test('the arrow keys choose the next size, and the focus stays on it; a sold-out one can be chosen too', async () => {
  tab = openTab(shop, pathOf(ids.small));
  (await control('110 g, $7.95')).focus();
  expect(radios().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
  key('ArrowLeft');
  await until(() => tab.path() === pathOf(ids.sack));
  await until(() => heading() === 'Afra Rub, sack');
  await until(() => tab.isAtRest());
  expect(nameOf(document.activeElement)).toBe('1,000 g, Sold out');
  expect(chosen()).toEqual([document.activeElement]);
  expect((await control('Add to cart')).getAttribute('aria-disabled')).toBe('true');
  key('ArrowRight');
  key('ArrowDown'); // before the first has loaded
  await until(() => tab.path() === pathOf(ids.large));
  await until(() => tab.isAtRest());
  expect(nameOf(document.activeElement)).toBe('450 g, $26.50');
});

test('another size is shown before its product has loaded, and each size has its own number in the cart', async () => {
  tab = openTab(shop, pathOf(ids.small), { as: await shop.signIn() });
  await press('Add to cart');
  await see('1 in your cart');
  tab.network.hangs = new RegExp(ids.large);
  await press('450 g, $26.50');
  await until(() => heading() === 'Afra Rub, large');
  await control('Add to cart');
  await press('110 g, $7.95');
  await see('1 in your cart');
});

test('search engines get a group with all sizes', async () => {
  tab = openTab(shop, pathOf(ids.small));
  await control('450 g, $26.50');
  const blocks = () => [...document.querySelectorAll('script[type="application/ld+json"]')];
  await until(() => blocks().length > 0);
  const [group] = blocks().map(({ textContent }) => JSON.parse(textContent ?? '') as { hasVariant: object[] });
  expect(group).toMatchObject({ '@type': 'ProductGroup', name: 'Afra Rub' });
  expect(group?.hasVariant).toMatchObject([
    { '@type': 'Product', description: 'Whole berries.', size: '110 g', offers: { price: '7.95' } },
    { name: 'Afra Rub, large', size: '450 g', offers: { price: '26.50' } },
    { name: 'Afra Rub, sack', offers: { availability: 'https://schema.org/OutOfStock' } },
  ]);
});

test('a device that has the catalog offers the sizes offline', async () => {
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  tab.network.breaks = /./;
  await tab.go(pathOf(ids.small));
  await press('1,000 g, Sold out');
  await until(() => heading() === 'Afra Rub, sack');
  expect(radios()).toHaveLength(3);
});

test('a product without other sizes has no choice of sizes', async () => {
  const { id } = await shop.stock({ name: 'Cubeb', netGrams: 80 });
  tab = openTab(shop, pathOf(id));
  await see('Cubeb');
  expect(radios()).toEqual([]);
});
