/** Filters and order of a list. Rule: docs/rules/catalog.md, Filters, Sorting */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { openShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let path: string;
beforeAll(async () => {
  shop = await openShop();
  const { id: categoryId, name } = await shop.category();
  path = `/products/${name}`;
  const rows = [
    { name: 'Yassa', heatLevel: 1, origin: 'Casamance, Senegal', allergens: ['mustard'], priceCents: 900 },
    { name: 'Suya', heatLevel: 3, origin: 'Nigeria', allergens: ['peanuts'], priceCents: 300 },
    { name: 'Cubeb', heatLevel: 0, origin: 'Senegal', allergens: [], priceCents: 600, quantity: 0 },
  ];
  for (const [second, row] of rows.entries())
    await shop.stock({ ...row, categoryId, createdAt: new Date(2026, 0, 1, 0, 0, second) });
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

const names = () => [...document.querySelectorAll('main li h2')].map((name) => name.textContent);
const dialog = () => document.querySelector('[role=dialog]');
const rows = () => [...(dialog()?.querySelectorAll('label') ?? [])].map((row) => row.textContent);
const tick = (word: string) => {
  const row = [...(dialog()?.querySelectorAll('label') ?? [])].find((each) => each.textContent?.startsWith(word));
  row?.querySelector('input')?.click();
};

async function openFilters() {
  await press('Filters');
  await until(() => rows().includes('In stock only2'));
}

test('each filter says how many products it would leave, and they apply together', async () => {
  tab = openTab(shop, `${path}?sort=name`);
  await see('3 products');
  await openFilters();
  expect(rows()).toEqual([
    'No heat1',
    'Mild1',
    'Hot1',
    'No mustard2',
    'No peanuts2',
    'Nigeria1',
    'Senegal2',
    'In stock only2',
  ]);
  tick('Senegal');
  await control('Show 2 products');
  expect(rows()).not.toContain('Hot1');
  expect(names()).toHaveLength(3);
  tick('Mild');
  await press('Show 1 product');
  await until(() => tab.path() === `${path}?heat=1&origin=Casamance%2C+Senegal,Senegal&sort=name`);
  await see('1 product');
  await until(() => names().join() === 'Yassa' && dialog() === null);
  await control('Filters 2');
  await press('Remove Origin: Senegal');
  await until(() => tab.path() === `${path}?heat=1&sort=name`);
  await press('Remove Heat: mild');
  await until(() => tab.path() === `${path}?sort=name`);
});

test('forms and On sale are filters where a product has them, online and offline', async () => {
  const { id: categoryId, name } = await shop.category();
  await shop.stock({ categoryId, name: 'Whole cubeb', form: 'whole', compareAtCents: 900 });
  await shop.stock({ categoryId, name: 'Ground cubeb', form: 'ground' });
  tab = openTab(shop, `/products/${name}`);
  await see('2 products');
  await syncCatalog(journal);
  for (const isDown of [false, true]) {
    await tab.setDown(isDown);
    await press('Filters');
    await until(() => rows().join() === ['Ground1', 'Whole1', 'On sale1', 'In stock only2'].join());
    tick('Whole');
    tick('On sale');
    await press('Show 1 product');
    await until(() => tab.path() === `/products/${name}?form=whole&onSale=true`);
    await until(() => names().join() === 'Whole cubeb');
    await press('Remove On sale');
    await press('Remove Form: whole');
    await see('2 products');
  }
});

test('filters that leave nothing offer to clear them', async () => {
  tab = openTab(shop, `${path}?heat=5`);
  await see('No products found.');
  await press('Filters 1');
  await press('No products. Clear all');
  await control('Show 3 products');
  await press('Close');
  await until(() => dialog() === null);
  expect((await control('Show all products')).getAttribute('href')).toBe(path);
});

test('Back closes the filters without applying them', async () => {
  tab = openTab(shop, path);
  await openFilters();
  tick('Mild');
  tab.back();
  await until(() => dialog() === null);
  expect(tab.path()).toBe(path);
  await openFilters();
  await press('Close');
  await until(() => dialog() === null);
  expect(tab.path()).toBe(path);
  expect(names()).toHaveLength(3);
});

test('a second press on Close, or after the products were shown, does not lead to the page before the list', async () => {
  tab = openTab(shop, '/contact');
  await see('Contact');
  await tab.go(path);
  await openFilters();
  const close = await control('Close');
  close.click();
  close.click();
  await until(() => dialog() === null);
  await openFilters();
  tick('Mild');
  const closeAgain = await control('Close');
  await press('Show 1 product');
  closeAgain.click();
  await until(() => dialog() === null);
  expect(tab.path()).toBe(`${path}?heat=1`);
});

test('without a connection the filters count on the device', async () => {
  tab = openTab(shop, path);
  await see('3 products');
  await syncCatalog(journal);
  const before = tab.calls.length;
  tab.network.breaks = /./;
  await openFilters();
  tick('Mild');
  await press('Show 1 product');
  await see('1 product');
  expect(tab.calls.slice(before).filter(({ status }) => status === 200)).toEqual([]);
});

test('the menu of orders marks the current one, and the chosen one is in the URL', async () => {
  tab = openTab(shop, path);
  await press('Sort: Featured');
  const chosen = await control('Featured');
  expect(chosen.getAttribute('role')).toBe('menuitemradio');
  expect(chosen.getAttribute('aria-checked')).toBe('true');
  await press('Price, low to high');
  await until(() => tab.path() === `${path}?sort=price_asc`);
  await until(() => names()[0] === 'Suya');
  expect(names()).toEqual(['Suya', 'Cubeb', 'Yassa']);
  await control('Sort: Price, low to high');
});
