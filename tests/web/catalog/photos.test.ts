/** The gallery on the product page. Rule: docs/rules/catalog.md, Product page */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { photographed } from '../../support/photographed';
import { openShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(emptyCatalog);
beforeEach(() => {
  // the strip is as wide as its frame, which the test's browser does not lay out
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, value: 390 });
  vi.spyOn(HTMLElement.prototype, 'scrollTo').mockImplementation(function scrollTo(this: Element, to?: unknown) {
    scrollBy(this, (to as ScrollToOptions).left ?? 0);
  });
});
afterEach(() => {
  tab.close();
  vi.restoreAllMocks();
  delete (HTMLElement.prototype as { clientWidth?: number }).clientWidth;
});
afterAll(() => shop.close());

function scrollBy(element: Element, left: number) {
  element.scrollLeft = left;
  element.dispatchEvent(new Event('scroll'));
}
const strip = () => document.querySelector('section[aria-label^="Photo "]') as HTMLElement;
const key = (on: Element, name: string) => on.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
const now = () => document.querySelector('main button[aria-current]')?.getAttribute('aria-label');
const isNow = (name: string) => until(() => now() === name && strip().getAttribute('aria-label') === name);

async function open(...alts: string[]) {
  const { id, hashes } = await photographed(shop, ...alts);
  tab = openTab(shop, `/customer/view/product/${id}`);
  await see('Black pepper');
  return hashes;
}

test('arrow keys, Home, and End move through the photos, and say which one is shown', async () => {
  await open('The jar', 'The label', 'Close up');
  await isNow('Photo 1 of 3');
  key(strip(), 'ArrowRight');
  await isNow('Photo 2 of 3');
  await see('Photo 2 of 3: The label');
  key(strip(), 'ArrowLeft');
  key(strip(), 'ArrowLeft');
  await isNow('Photo 1 of 3');
  key(strip(), 'End');
  await isNow('Photo 3 of 3');
  key(strip(), 'ArrowRight');
  key(strip(), 'Home');
  await isNow('Photo 1 of 3');
});

test('a thumbnail shows its photo, and the arrow keys go on from it with the focus', async () => {
  await open('The jar', 'The label', 'Close up');
  await press('Photo 2 of 3');
  await isNow('Photo 2 of 3');
  key(await control('Photo 2 of 3'), 'ArrowRight');
  await isNow('Photo 3 of 3');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Photo 3 of 3');
});

test('a swipe marks the photo that it ends at', async () => {
  await open('The jar', 'The label', 'Close up');
  strip().dispatchEvent(new Event('pointerdown', { bubbles: true }));
  scrollBy(strip(), 2 * 390 - 3);
  await isNow('Photo 3 of 3');
  scrollBy(strip(), 390 + 10);
  await isNow('Photo 2 of 3');
});

test('the first photo is loaded first, each photo is described, and search engines get all of them', async () => {
  const hashes = await open('The jar', 'The label');
  const images = [...strip().querySelectorAll('img')];
  expect(images.map(({ alt }) => alt)).toEqual(['The jar', 'The label']);
  expect(images.map((image) => image.getAttribute('loading'))).toEqual(['eager', 'lazy']);
  const data = [...document.querySelectorAll('script[type="application/ld+json"]')].map(
    ({ textContent }) => textContent,
  );
  for (const hash of hashes) expect(data.join('')).toContain(`/pictures/${hash}-`);
});

test('a product with one photo has no gallery', async () => {
  await open('The jar');
  await until(() => document.querySelector('main img') !== null);
  await miss('Photo 1 of 1');
  expect(document.querySelector('main button[aria-current]')).toBeNull();
});

test('offline the page has all photos of a product, with their places and descriptions', async () => {
  const { id } = await photographed(shop, 'The jar', 'The label', 'Close up');
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
  await tab.setDown(true);
  await tab.go(`/customer/view/product/${id}`);
  await isNow('Photo 1 of 3');
  const shown = [...strip().querySelectorAll('img')];
  expect(shown.map(({ alt }) => alt)).toEqual(['The jar', 'The label', 'Close up']);
  expect(shown.every(({ width, height }) => width === 640 && height === 640)).toBe(true);
});
