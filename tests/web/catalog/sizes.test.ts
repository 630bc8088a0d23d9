/** The sizes on a product's page. Rule: docs/rules/catalog.md, Sizes */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { productSlugs } from '../../../src/server/db/schema/tables';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { openShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let ids: Record<'small' | 'large' | 'sack', string>;
const mark = randomUUID().slice(0, 8);
const slugOf = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${mark}`;
beforeAll(async () => {
  shop = await openShop();
  const sizeGroup = randomUUID();
  const { id: categoryId } = await shop.category();
  const stock = async (name: string, netGrams: number, priceCents: number, quantity?: number) => {
    const facts = { sizeGroup, categoryId, name, slug: slugOf(name), netGrams, priceCents };
    const { id } = await shop.stock({ ...facts, ...(quantity === 0 && { quantity }) });
    await shop.db.insert(productSlugs).values({ slug: facts.slug, productId: id, createdAt: shop.clock.now() });
    return id;
  };
  ids = {
    large: await stock('Afra Rub, large', 450, 2650),
    small: await stock('Afra Rub', 110, 795),
    sack: await stock('Afra Rub, sack', 1000, 5200, 0),
  };
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

/** What the choices are called. */
const small = '3.9 oz (110 g), $7.95, $2.05/oz';
const large = '15.9 oz (450 g), $26.50, $1.67/oz';
const sack = '2.2 lb (1 kg), Sold out';

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
  await control(large);
  expect(radios().map(nameOf)).toEqual([small, large, sack]);
  expect(chosen().map(nameOf)).toEqual([small]);
  expect(document.querySelector('[role=radiogroup]')?.getAttribute('aria-labelledby')).toBe('sizes');
  await press(large);
  await until(() => tab.path() === pathOf(ids.large));
  await until(() => heading() === 'Afra Rub, large');
  expect(chosen().map(nameOf)).toEqual([large]);
  tab.back();
  await until(() => tab.path() === '/contact');
});

test('the arrow keys choose the next size, and the focus stays on it; a sold-out one can be chosen too', async () => {
  tab = openTab(shop, pathOf(ids.small));
  (await control(small)).focus();
  expect(radios().map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
  key('ArrowLeft');
  await until(() => tab.path() === pathOf(ids.sack));
  await until(() => heading() === 'Afra Rub, sack');
  await until(() => tab.isAtRest());
  expect(nameOf(document.activeElement)).toBe(sack);
  expect(chosen()).toEqual([document.activeElement]);
  expect((await control('Add to cart')).getAttribute('aria-disabled')).toBe('true');
  key('ArrowRight');
  key('ArrowDown'); // before the first has loaded
  await until(() => tab.path() === pathOf(ids.large));
  await until(() => tab.isAtRest());
  expect(nameOf(document.activeElement)).toBe(large);
});

test('another size is shown before its product has loaded, and each size has its own number in the cart', async () => {
  tab = openTab(shop, pathOf(ids.small), { as: await shop.signIn() });
  await press('Add to cart');
  await see('1 in your cart');
  tab.network.hangs = new RegExp(ids.large);
  await press(large);
  await until(() => heading() === 'Afra Rub, large');
  await control('Add to cart');
  await press(small);
  await see('1 in your cart');
});

test('at its readable address, the other sizes are at theirs, and the chosen one keeps the focus', async () => {
  tab = openTab(shop, `/p/${slugOf('Afra Rub')}`);
  (await control(small)).focus();
  key('ArrowRight');
  await until(() => tab.path() === `/p/${slugOf('Afra Rub, large')}`);
  await until(() => heading() === 'Afra Rub, large' && tab.isAtRest());
  expect(nameOf(document.activeElement)).toBe(large);
});

test('search engines get a group with all sizes', async () => {
  tab = openTab(shop, pathOf(ids.small));
  await control(large);
  const blocks = () => [...document.querySelectorAll('script[type="application/ld+json"]')];
  await until(() => blocks().length > 0);
  const [group] = blocks().map(({ textContent }) => JSON.parse(textContent ?? '') as { hasVariant: object[] });
  expect(group).toMatchObject({ '@type': 'ProductGroup', name: 'Afra Rub' });
  expect(group?.hasVariant).toMatchObject([
    { '@type': 'Product', description: 'Whole berries.', size: '3.9 oz (110 g)', offers: { price: '7.95' } },
    { name: 'Afra Rub, large', size: '15.9 oz (450 g)', offers: { price: '26.50' } },
    { name: 'Afra Rub, sack', offers: { availability: 'https://schema.org/OutOfStock' } },
  ]);
});

test('a device that has the catalog offers the sizes offline', async () => {
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  tab.network.breaks = /./;
  await tab.go(pathOf(ids.small));
  await press(sack);
  await until(() => heading() === 'Afra Rub, sack');
  expect(radios()).toHaveLength(3);
});

test('a product without other sizes has no choice of sizes', async () => {
  const { id } = await shop.stock({ name: 'Cubeb', netGrams: 80 });
  tab = openTab(shop, pathOf(id));
  await see('Cubeb');
  expect(radios()).toEqual([]);
});
