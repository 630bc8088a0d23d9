import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { defaultSettings } from '../../../src/shared/settings';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { cartOf, putInCart } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { emptyCatalog, openTab, press, search, see, type Tab } from '../openTab';

let shop: TestShop;
let ana: Person;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
  ana = await shop.signIn();
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(async () => {
  await shop.close();
  await emptyCatalog();
});

/** @returns a product with these facts, in a category of its own */
async function stock(name: string, facts: Partial<typeof products.$inferInsert>) {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, name, priceCents: 836 });
  await shop.db.update(products).set(facts).where(eq(products.id, id));
  return { id, list: `/products/${category.name}`, page: `/customer/view/product/${id}` };
}

const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? '';
const factOf = (name: string) =>
  [...document.querySelectorAll('dl > div')].find((row) => row.querySelector('dt')?.textContent === name)?.lastChild
    ?.textContent;

/** @param word finds the product */
async function seeEverywhere(word: string, path: { list: string; page: string }, price: string): Promise<void> {
  await tab.go(path.list);
  await see('1 product');
  expect(textOf('main li')).toContain(price);
  await tab.go(path.page);
  await see('In your cart'.toLowerCase());
  expect(textOf('main')).toContain(price);
  await tab.go('/cart');
  await see('Clear Cart');
  expect(textOf('main tbody')).toContain(price);
  await search(word);
  await see('1 result');
  expect(textOf('[role=option]')).toContain(price);
  await press('Close search');
}

test('a unit price is the same on card, page, cart line, and search hit, online and offline', async () => {
  const path = await stock('Unseen kombo', { netGrams: 60, unitSize: 'a pouch' });
  await putInCart(shop, ana, path.id);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Clear Cart');
  await syncCatalog(journal);
  await seeEverywhere('kombo', path, '$3.95/oz');
  await tab.setDown(true);
  await seeEverywhere('kombo', path, '$3.95/oz');
  await tab.go(path.page);
  expect(factOf('Size')).toBe('2.1 oz (60 g)');
});

test('a product on sale says what it was, in words, and costs its price', async () => {
  const path = await stock('Former dukkah', { compareAtCents: 950 });
  await putInCart(shop, ana, path.id);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Clear Cart');
  await syncCatalog(journal);
  await seeEverywhere('dukkah', path, 'Was $9.50');
  expect([...document.querySelectorAll('s')].map((former) => former.textContent)).toContain('Was $9.50');
  const { cartItems } = await cartOf(shop, ana);
  expect(cartItems.find(({ productId }) => productId === path.id)).toMatchObject({ price: 8.36, compareAtPrice: 9.5 });
  await tab.setDown(true);
  await seeEverywhere('dukkah', path, 'Was $9.50');
});

test('search engines get the former price as the struck-through one', async () => {
  const path = await stock('Earlier mace', { compareAtCents: 950 });
  tab = openTab(shop, path.page);
  await see('Was $9.50');
  const [product] = [...document.querySelectorAll('script[type="application/ld+json"]')].map(
    ({ textContent }) => JSON.parse(textContent ?? '') as object,
  );
  expect(product).toMatchObject({
    offers: {
      price: '8.36',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/StrikethroughPrice',
        price: '9.50',
        priceCurrency: 'USD',
      },
    },
  });
});

test('a line added offline has its unit price immediately', async () => {
  const path = await stock('Quiet sumac', { netMillilitres: 148 });
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart');
  await syncCatalog(journal);
  await tab.setDown(true);
  await tab.go(path.page);
  await press('Add to cart');
  await see('in your cart');
  await tab.go('/cart');
  await see('Quiet sumac');
  expect(textOf('main tbody')).toContain('$1.67/fl oz');
});

test('in metric units sizes are in grams, and prices per 100 grams', async () => {
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, units: 'metric' } });
  const path = await stock('Plain mahleb', { netGrams: 60 });
  tab = openTab(shop, path.page);
  await see('$13.93/100 g');
  expect(factOf('Size')).toBe('60 g');
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});

test('a product without a net amount shows its size as staff wrote it, and no unit price', async () => {
  const path = await stock('Loose zaatar', { unitSize: 'a handful' });
  tab = openTab(shop, path.page);
  await see('a handful');
  expect(textOf('main')).not.toMatch(/\/(?:oz|100 g)/);
});
