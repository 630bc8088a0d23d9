import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { transact } from '../../../src/server/db/core/transact';
import { searchMessages } from '../../../src/shared/search';
import { saved } from '../../../src/web/device/saved';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { readCatalog } from '../../../src/web/device/catalog';
import { deleteRowsOf } from '../../../src/web/device/endedSession';
import { noteRecent, readRecent } from '../../../src/web/search/recent';
import { excerpt, markHits } from '../../../src/web/search/marks';
import { createProductIndex, type Search } from '../../../src/web/search/productIndex';
import { openOwnShop, type TestShop } from '../../support/shop';
import { makeTypos } from '../../support/typos';
import { control, emptyCatalog, miss, openTab, press, search, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab | undefined;
beforeAll(async () => {
  shop = await openOwnShop();
  await transact(shop.db, (tx) => seedDemoCatalog(tx, { now: shop.clock.now() }));
});
beforeEach(emptyCatalog);
afterEach(() => {
  tab?.close();
  tab = undefined;
});
afterAll(() => shop.close());

const field = () => document.querySelector<HTMLInputElement>('[role=combobox]');
const options = () => [...document.querySelectorAll('[role=option]')];
const activeOption = () => document.querySelector('[role=option][aria-selected=true]');

const key = (name: string, on: Element | null = field()) =>
  on?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
const searchCalls = () => tab?.calls.filter(({ path }) => path.startsWith('/public/search')) ?? [];

describe('on the device', () => {
  let find: Search;
  let products: Awaited<ReturnType<typeof readCatalog>>;
  beforeAll(async () => {
    const reader = openTab(shop, '/contact');
    await syncCatalog(journal);
    products = await readCatalog();
    find = await createProductIndex(products?.products ?? []);
    reader.close();
  });
  const names = (text: string) => find(text).map(({ name }) => name);

  test.each([
    ['an exact word of a name', 'nutmeg', 'Whole Nutmeg'],
    ['the beginning of a word', 'gin', 'Ginger-Garlic Seasoning'],
    ['another name', 'djar', 'Grains of Selim (Djar)'],
    ['another name of the plant', 'kani', 'Scotch Bonnet (Kani) Flakes'],
    ['another name that is written nowhere on the page', 'bissap', 'Hibiscus Flowers (Wonjo)'],
    ['accents and capitals', 'CÚMÎN', 'Cumin Seeds'],
    ['two words, one of them half', 'bay lea', 'Bay Leaves'],
    ['a mistake in a word that is still being typed', 'cinamo', 'Cinnamon Sticks (Cassia)'],
    ['two letters swapped', 'tumreric', 'Turmeric Powder'],
  ])('%s finds it first', (_what, text, name) => {
    expect(names(text)[0]).toBe(name);
  });

  test('a name comes before a description, and both are found', () => {
    expect(names('ginger').slice(0, 2)).toEqual(['Ginger-Garlic Seasoning', 'Ground Ginger']);
    expect(names('ginger')).toContain('Suya Yaji Rub');
  });

  test('where no product has all the words, those with the most of them are found', () => {
    expect(names('wonjo motorcycle')).toEqual(['Hibiscus Flowers (Wonjo)']);
    expect(names('motorcycle')).toEqual([]);
    expect(names('  ')).toEqual([]);
  });

  test('for a hundred typing mistakes the product is among the first three at least 95 times', () => {
    const typos = makeTypos(products?.products ?? [], 100, 20_261_114);
    const missed = typos.filter(
      ({ typed, productId }) =>
        !find(typed)
          .slice(0, 3)
          .some(({ id }) => id === productId),
    );
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(5);
  });

  test('the dialog sends no request, and works without a connection', async () => {
    tab = openTab(shop, '/contact');
    await syncCatalog(journal);
    await search('wonjo');
    await see('Hibiscus Flowers (Wonjo)');
    expect(searchCalls()).toEqual([]);
    tab.network.breaks = /./;
    await search('netetu');
    await see('Netetu Fermented Locust Beans');
    await miss('Hibiscus Flowers (Wonjo)');
  });
});

test('before the device has the catalog the server is asked', async () => {
  tab = openTab(shop, '/contact');
  await search('djar');
  await see('Grains of Selim (Djar)');
  expect(searchCalls().length).toBeGreaterThan(0);
});

test('the search says that it works offline only where the shop opens offline', async () => {
  tab = openTab(shop, '/contact');
  await search('djar');
  await see('1 result');
  await miss(searchMessages.worksOffline);
  for (const part of ['catalog', 'worker'] as const) saved.set(part, true);
  await see(searchMessages.worksOffline);
  for (const part of ['catalog', 'worker'] as const) saved.set(part, false);
});

test('the key / opens the search, except while typing', async () => {
  tab = openTab(shop, '/contact');
  await see('Full Name');
  key('/', document.querySelector('textarea'));
  expect(field()).toBeNull();
  await until(() => {
    key('/', document.body);
    return field() !== null;
  });
});

test('the magnifier opens it over the page, and gets the focus back', async () => {
  tab = openTab(shop, '/contact');
  await search('djar');
  await press('Close search');
  await until(() => field() === null);
  await until(isMagnifierFocused);
  await press('Search');
  await until(() => field() !== null);
  expect(tab.path()).toBe('/contact');
});

test('arrows move over the results, and Enter opens the selected one', async () => {
  tab = openTab(shop, '/contact');
  const input = await search('pepper');
  await until(() => options().length > 2);
  expect(input.getAttribute('aria-expanded')).toBe('true');
  expect(activeOption()).toBeNull();
  key('ArrowUp');
  await until(() => activeOption() === options().at(-1));
  key('ArrowDown');
  key('ArrowDown');
  await until(() => activeOption() === options()[1]);
  expect(input.getAttribute('aria-activedescendant')).toBe(options()[1]?.id);
  key('ArrowUp');
  key('ArrowUp');
  await until(() => activeOption() === options().at(-1));
  const name = activeOption()?.querySelector('span > span')?.textContent ?? '';
  key('Enter');
  await until(() => tab?.path().startsWith('/customer/view/product/') ?? false);
  await until(() => document.querySelector('h1')?.textContent === name);
  expect(field()).toBeNull();
});

const isMagnifierFocused = () => document.activeElement?.getAttribute('aria-label') === 'Search';
const dialog = () => document.querySelector('[role=dialog]') ?? document;
const recent = () => [...document.querySelectorAll('section[aria-label=Recent] li')].map((row) => row.textContent);

test('an opened search offers the categories, the bestsellers, and the last eight searches', async () => {
  tab = openTab(shop, '/search');
  await search('');
  await until(() => options().length === 2);
  await control('Spices', dialog());
  expect(recent()).toEqual([]);
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'Two']) {
    await search(text);
    key('Enter');
    await until(() => tab?.path() === `/search?q=${text}`);
    await until(isMagnifierFocused); // closing gives the focus back a moment later, which would close the next search
  }
  await search('');
  await until(() => recent().length > 0);
  expect(recent()).toEqual(['Two', 'nine', 'eight', 'seven', 'six', 'five', 'four', 'three']);
  await press('Remove nine from recent searches');
  await until(() => !recent().includes('nine') && document.activeElement === field());
  await press('eight', dialog());
  await until(() => field()?.value === 'eight');
  await search('');
  await press('Clear');
  await until(() => recent().length === 0);
  key('ArrowDown');
  await until(() => activeOption() === options()[0]);
  key('Enter');
  await until(() => tab?.path().startsWith('/customer/view/product/') ?? false);
});

test('a logout takes the last searches off the device', async () => {
  noteRecent('netetu');
  expect(readRecent()).toEqual(['netetu']);
  await deleteRowsOf('nobody');
  expect(readRecent()).toEqual([]);
});

test('Enter shows all results while no row was chosen', async () => {
  tab = openTab(shop, '/contact');
  await search('pepper');
  await until(() => options().length > 2);
  key('Enter');
  await until(() => tab?.path() === '/search?q=pepper');
  expect(field()).toBeNull();
});

test('a search for an unsold product says so and leads on', async () => {
  tab = openTab(shop, '/contact');
  await search('motorcycle');
  await see('No products found. Try another search or fewer filters.');
  await control('Savory & Seasoning', document.querySelector('[role=dialog]') ?? document);
});

test('See all leads to the page of results, which has pages', async () => {
  tab = openTab(shop, '/contact');
  await search('powder');
  await press('See all');
  await until(() => tab?.path() === '/search?q=powder');
  await see(/\d products/);
  expect(document.querySelector('h1')?.textContent).toBe('Search');
  expect(document.querySelector<HTMLInputElement>('main input[name=q]')?.value).toBe('powder');
});

test('the page of results works without a connection too', async () => {
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  tab.network.breaks = /./;
  await tab.go('/search?q=pepper&page=2');
  await see(/11–\d+ of \d+/);
});

test('the page of results says what to do without a query', async () => {
  tab = openTab(shop, '/search');
  await see('Search by name, ingredient, or dish');
});

test('the typed part is underlined, or the whole word where it was mistyped', () => {
  const hits = (text: string, typed: string) =>
    markHits(text, typed)
      .filter(({ isHit }) => isHit)
      .map((piece) => piece.text);
  expect(hits('Ginger-Garlic Seasoning', 'gin')).toEqual(['Gin']);
  expect(hits('Ground Ginger', 'gigner')).toEqual(['Ginger']);
  expect(hits('Crème d’épices', 'epi')).toEqual([]);
  expect(hits('Crème brûlée', 'brulee')).toEqual(['brûlée']);
  expect(hits('Whole Nutmeg', 'pepper')).toEqual([]);
});

test('a hit in the description shows the words around it', () => {
  const text = 'A rub of roasted peanut cake, ginger, chili and cloves.';
  expect(excerpt(text, 'gin')).toBe('roasted peanut cake, ginger, chili and');
  expect(excerpt(text, 'salt')).toBeUndefined();
});
