import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** Its entries, and '—' for a separator. */
const menu = () =>
  vi.waitFor(() => {
    const found = document.querySelector('[role=menu]');
    if (!found) throw new Error('no menu is open');
    return [...found.querySelectorAll('[role=menuitem], [role=separator]')].map(
      ({ textContent }) => textContent || '—',
    );
  }, waiting);
const topBar = () => document.querySelector('header') ?? document;
const tabBar = () => document.querySelector('nav[aria-label=Shop]') ?? document;

test('staff get from the shop to the back office and back, and stay logged in', async () => {
  tab = openTab(shop, '/contact', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await press('Account settings', tabBar());
  expect((await menu())[0]).toBe('Back office');
  await press('Back office');
  await until(() => tab.path() === '/dashboard');
  await press('Account');
  expect(await menu()).toEqual(['Shop', '—', 'View Profile', 'Logout']);
  await press('Shop');
  await see('Flavor your world');
  expect(tab.path()).toBe('/');
  await press('Account settings', topBar());
  expect(await menu()).toEqual([
    'Back office',
    '—',
    'Profile',
    'Edit Profile',
    'View Addresses',
    'Orders',
    'My lists',
    'Updates',
    '—',
    'Logout',
  ]);
});

test('a customer’s account menu shows their initials and no back office, and Orders is one tap away', async () => {
  tab = openTab(shop, '/contact', { as: await shop.signIn() });
  await see('Contact');
  for (const bar of [topBar(), tabBar()])
    expect((await control('Account settings', bar)).textContent).toBe('ECAccount settings');
  expect((await control('Orders', topBar())).getAttribute('href')).toBe('/customer/orders');
  await press('Account settings', topBar());
  expect(await menu()).toEqual([
    'Profile',
    'Edit Profile',
    'View Addresses',
    'Orders',
    'My lists',
    'Updates',
    '—',
    'Logout',
  ]);
});

test('the footer offers a visitor the login, and in the same position a customer their orders', async () => {
  const links = () =>
    [...(document.querySelector('footer ul')?.querySelectorAll('a') ?? [])].map((link) => [
      link.textContent,
      link.getAttribute('href'),
    ]);
  tab = openTab(shop, '/contact');
  await see('Contact');
  expect(links().at(-1)).toEqual(['Login', '/login']);
  expect(links()).toHaveLength(4);
  tab.close();
  tab = openTab(shop, '/contact', { as: await shop.signIn() });
  await see('Contact');
  expect(links().at(-1)).toEqual(['Orders', '/customer/orders']);
  expect(links()).toHaveLength(4);
  await control('Orders', document.querySelector('footer') ?? document);
});
