import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAccount } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let other: string;
const list = '/products/rubs-to-come-back-to?page=2&origin=The+Gambia';

beforeAll(async () => {
  shop = await openShop();
  const { id: categoryId } = await shop.category({ name: 'rubs-to-come-back-to' });
  for (let at = 1; at <= 12; at += 1) await shop.stock({ categoryId, name: `Backrub ${at}`, origin: 'The Gambia' });
  other = `/customer/view/product/${(await shop.stock({ name: 'Another one' })).id}`;
});
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;

/** Opens the first product that the page shows. @returns its link's URL */
async function openFirst(): Promise<string> {
  const link = await until(() => document.querySelector('main a[href^="/customer/view/product/"]') !== null).then(() =>
    document.querySelector<HTMLElement>('main a[href^="/customer/view/product/"]'),
  );
  link?.click();
  await see('Available');
  return link?.getAttribute('href') ?? '';
}

test.each([
  ['a page of a filtered list', list, '11–12 of 12'],
  ['the home page', '/', 'Flavor your world'],
])('Back from a product leads to %s, to the product looked at before', async (_, path, messages) => {
  tab = openTab(shop, '/contact');
  await see('Contact');
  await tab.go(path);
  await see(messages);
  const product = await openFirst();
  expect((await control('Back', main())).getAttribute('href')).toBe(path);
  await press('Back', main());
  await until(() => tab.path() === path);
  await until(() => document.activeElement?.getAttribute('href') === product);
  tab.back(); // the list is loaded once
  await until(() => tab.path() === '/contact');
});

test('a second press on Back does not lead to the page before the list', async () => {
  tab = openTab(shop, '/contact');
  await see('Contact');
  await tab.go(list);
  await openFirst();
  const back = await control('Back', main());
  back.click();
  back.click();
  await until(() => !back.isConnected);
  expect(tab.path()).toBe(list);
});

test('Back from a product opened directly leads to the spices', async () => {
  tab = openTab(shop, other);
  await see('Another one');
  await press('Back', main());
  await until(() => tab.path() === '/products/spices');
});

test('Back from a product skips the product before it', async () => {
  tab = openTab(shop, list);
  await openFirst();
  await tab.go(other);
  await see('Another one');
  await press('Back', main());
  await until(() => tab.path() === list);
});

test('Back from a product still leads to its list after a login in between', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, list);
  const product = await openFirst();
  await press('Add to cart', main());
  await fill('Email', awa.email);
  await fill('Password', awa.password);
  await press('Log in', main());
  await until(() => tab.path() === product);
  await press('Back', main());
  await until(() => tab.path() === list);
});

test('Back from a product that is no longer sold leads to the page before it, too', async () => {
  const { id } = await shop.stock({ name: 'An old one', archivedAt: shop.clock.now() });
  tab = openTab(shop, list);
  await see('11–12 of 12');
  await tab.go(`/customer/view/product/${id}`);
  await see('This product is no longer sold');
  await press('Back', main());
  await until(() => tab.path() === list);
});
