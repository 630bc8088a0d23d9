/** Settings, Brand: the form with its preview, the logo, and an open page that takes over the shop's colors. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import { jpeg } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(async () => {
  tab.close();
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});
afterAll(() => shop.close());

const preview = () => document.querySelector('[aria-label="Preview"]')?.textContent ?? '';

test('the preview shows what is typed, and Save changes the shop', async () => {
  tab = openTab(shop, '/admin/settings/brand', { as: owner });
  await until(() => preview().includes('Savory, Seasoning & Spices'));
  await fill('Shop name', 'Kerr Tools');
  await fill('Banner text', 'Sharpened in Serekunda.');
  await until(() => preview().includes('Sharpened in Serekunda.'));
  expect(preview()).not.toContain('Savory');
  await fill('Store address', '12 Kairaba Avenue\nSerekunda');
  await press('Save');
  await see('Settings saved');
  expect((await shop.call('getShop')).data.shop).toMatchObject({
    name: 'Kerr Tools',
    bannerText: 'Sharpened in Serekunda.',
    storeAddress: '12 Kairaba Avenue\nSerekunda',
  });
});

test('a logo is uploaded when it is chosen, stands in the header, and can be removed', async () => {
  tab = openTab(shop, '/admin/settings/brand', { as: owner });
  await until(() => document.querySelector('input[type=file]') !== null);
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  const file = new File([new Uint8Array(await jpeg(200, 100))], 'logo.jpg', { type: 'image/jpeg' });
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await see('Logo saved');
  const shown = () => [...document.querySelectorAll<HTMLImageElement>('img[src$="-96.webp"]')];
  await until(() => shown().length >= 3); // on the page, in the preview, and beside the navigation
  expect(shown()[0]?.getAttribute('width')).toBe('192');
  await press('Remove logo');
  await see('Logo removed');
  await until(() => shown().length === 0);
  await until(() => document.activeElement?.textContent === 'Choose logo');
});

test('an admin sees the shop’s look and can’t change it', async () => {
  tab = openTab(shop, '/admin/settings/brand', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see('Only the owner can change settings.');
  await see(/Colors\s*Crimson/);
  await see(/Store address\s*None/);
  await miss('Choose logo');
});

test('an open page takes over the shop’s colors, and the initial ones again', async () => {
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, palette: 'plum' } });
  tab = openTab(shop, '/contact');
  const palette = () => document.documentElement.dataset['palette'];
  await until(() => palette() === 'plum');
  tab.close();
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
  tab = openTab(shop, '/contact');
  await until(() => palette() === undefined);
});

test('the fields have the lengths of the contract, and Markdown is explained', async () => {
  tab = openTab(shop, '/admin/settings/brand', { as: owner });
  const about = await fieldCalled('About Us');
  expect(about.tagName).toBe('TEXTAREA');
  await see(/Use Markdown/);
  await fill('About Us', 'x'.repeat(2001));
  await press('Save');
  await see('Use 2000 characters or fewer');
});
