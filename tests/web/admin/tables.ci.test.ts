import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { daysInWords } from '../../../src/web/admin/ui/dates';
import { generateOrders, stockCategory } from '../../support/backOffice';
import { box, bulkBar, dialog, fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const rows = () => [...document.querySelectorAll('main tbody tr')].map((row) => row.querySelector('a')?.textContent);
const currentPages = () =>
  [...document.querySelectorAll('[aria-label=Pages] [aria-current]')].map((link) => link.getAttribute('aria-label'));

test('search, filter and sorting are in the URL, and Back restores them with position and selection', async () => {
  const { name } = await stockCategory(shop, 12);
  tab = openTab(shop, `/products?category=${name}&sort=-price`, { as: owner });
  await see('1–10 of 12');
  expect(rows().slice(0, 2)).toEqual(['Blend 12', 'Blend 11']);
  (await box('Select Blend 12')).click();
  await see('1 selected');
  await press('Page 2');
  await see('11–12 of 12');
  expect(currentPages()).toEqual(['Page 2']);
  expect(tab.path()).toBe(`/products?category=${name}&sort=-price&page=2`);
  await see('1 selected');
  await press('Quantity');
  await until(() => rows()[0] === 'Blend 1');
  expect(tab.path()).toBe(`/products?category=${name}&sort=quantity`);
  window.scrollTo(0, 300);
  document.dispatchEvent(new Event('scroll'));
  await press('Blend 1');
  await until(() => tab.path().startsWith('/view/product/'));
  await until(() => window.scrollY === 0);
  tab.back();
  await see('1–10 of 12');
  await see('1 selected');
  await until(() => window.scrollY === 300);
  expect(rows()[0]).toBe('Blend 1');
});

test.each([
  ['/ordered/products', 'status=FOO&days=2026-99-01_2026-99-02&by=FOO'],
  ['/products', 'category=No+Such&availability=FOO&lowStock=FOO&archived=FOO'],
  ['/user/management', 'role=FOO&state=FOO'],
  ['/admin/messages', 'state=FOO'],
  ['/admin/mail', 'state=FOO'],
  ['/admin/audit', 'actor=FOO&days=FOO'],
])('an unknown filter of %s is ignored', async (path, filters) => {
  tab = openTab(shop, `${path}?${filters}`, { as: owner });
  await until(() => document.querySelector('main table') !== null);
  await until(() => document.querySelector('main [aria-busy=true]') === null);
  expect(document.querySelector('main [aria-label^="Remove filter"]')).toBeNull();
  expect(tab.calls.filter(({ status }) => status >= 400)).toEqual([]);
});

test('a row that is gone is no longer selected, and the others are', async () => {
  const { name, stocked } = await stockCategory(shop, 3);
  tab = openTab(shop, `/products?category=${name}`, { as: owner });
  (await box('Select Blend 1')).click();
  (await box('Select Blend 2')).click();
  await see('2 selected');
  await press('More actions for Blend 1');
  await press('Delete Product');
  await press('Delete', await dialog());
  await see('1 selected');
  await press('Make unavailable', bulkBar());
  await see('1 product made unavailable');
  const path = { id: stocked[1]?.id ?? '' };
  expect((await shop.call('getProductForStaff', { as: owner, path })).data.product.availabilityFlag).toBe(false);
});

test('a message opened from its menu leaves the list’s filter alone', async () => {
  const body = { fullName: 'Writer 1', email: 'writer@example.com', reason: 'Half-kilo bags?' };
  await shop.call('createContactMessage', { body });
  tab = openTab(shop, '/admin/messages?q=writer&state=new', { as: owner });
  await press('More actions for Writer 1');
  await press('View Message');
  await dialog();
  expect(tab.path()).toMatch(/^\/admin\/messages\?q=writer&state=new&message=/);
});

test('orders of any days are listed, and the days are in the URL', async () => {
  await generateOrders(shop.pool, 12, shop.clock.now()); // of a year
  const day = (ago: number) => new Date(shop.clock.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const [from, to] = [day(170), day(50)];
  tab = openTab(shop, '/ordered/products', { as: owner });
  await press('Date');
  await press('Custom');
  await fill('Start date', to);
  await fill('End date', from);
  await press('Apply', await dialog());
  await see("The start date can't be after the end date");
  await fill('Start date', from);
  await fill('End date', to);
  await press('Apply', await dialog());
  await until(() => tab.path() === `/ordered/products?days=${from}_${to}`);
  const { data } = await shop.call('listOrders', { as: owner, query: { from, to } });
  const numbers = data.orders.content.map(({ orderNumber }) => `#${orderNumber}`);
  expect(numbers).toHaveLength(4);
  await until(() => rows().join() === numbers.join());
  const chip = `Remove filter Date: ${daysInWords(from, to)}`;
  await until(() => document.activeElement?.getAttribute('aria-label') === chip);
  await press(chip);
  await until(() => rows().length === 10);
  expect(tab.path()).toBe('/ordered/products');
});

test('a message without a name shows the email once, as its title', async () => {
  await shop.call('createContactMessage', {
    body: { fullName: '', email: 'nameless@example.com', reason: 'Refills?' },
  });
  tab = openTab(shop, '/admin/messages?q=nameless', { as: owner });
  await see('nameless@example.com');
  const cells = [...document.querySelectorAll('tbody tr:first-child td')].map((cell) => cell.textContent);
  expect(cells.filter((text) => text === 'nameless@example.com')).toHaveLength(1);
});

test('an order and a filter chosen while a search is being typed stay', async () => {
  const { name, title } = await stockCategory(shop, 3);
  tab = openTab(shop, `/products?category=${name}`, { as: owner });
  await see('1–3 of 3');
  const field = document.querySelector<HTMLInputElement>('input[type=search]') as HTMLInputElement;
  Reflect.set(HTMLInputElement.prototype, 'value', 'Blend', field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await press('Price');
  await press(`Remove filter Category: ${title}`);
  await until(() => tab.path().includes('q=Blend'));
  expect(tab.path()).toContain('sort=price');
  expect(tab.path()).not.toContain('category=');
});

test('Back reverts a typed search, and what was typed since is not searched for', async () => {
  const { name } = await stockCategory(shop, 3);
  tab = openTab(shop, `/products?category=${name}`, { as: owner });
  await see('1–3 of 3');
  const field = document.querySelector<HTMLInputElement>('input[type=search]') as HTMLInputElement;
  const type = (text: string) => {
    Reflect.set(HTMLInputElement.prototype, 'value', text, field);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  type('Blend 2');
  await until(() => tab.path().includes('q=Blend'));
  await see('1–1 of 1');
  type('Blend 2 and more');
  tab.back();
  await see('1–3 of 3');
  await pause(600); // twice the debounce of the search
  expect(field.value).toBe('');
  expect(tab.path()).not.toContain('q=');
});

test('two people of the same name are two values of a filter', async () => {
  const people = [
    await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Fatou Ceesay' }),
    await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Fatou Ceesay' }),
  ];
  for (const [at, as] of people.entries())
    await shop.call('createCategory', { as, body: { name: `by-fatou-${at}`, description: 'Teas' } });
  tab = openTab(shop, '/admin/audit', { as: owner });
  const values = () =>
    [...document.querySelectorAll<HTMLElement>('[role=menuitemradio]')].filter(
      ({ textContent }) => textContent === 'Fatou Ceesay',
    );
  const chosen = new Set<string>();
  for (const at of [0, 1]) {
    await press('Person');
    await until(() => values().length === 2);
    values()[at]?.click();
    await until(() => tab.path().includes('actor='));
    chosen.add(new URLSearchParams(tab.path().split('?')[1]).get('actor') ?? '');
    await press('Remove filter Person: Fatou Ceesay');
    await until(() => !tab.path().includes('actor='));
  }
  expect([...chosen].sort()).toEqual(people.map(({ userId }) => userId).sort());
});

test('a page past the end of a list leads to the last one, even when its rows have just gone', async () => {
  const { name } = await stockCategory(shop, 11);
  tab = openTab(shop, `/products?category=${name}&sort=price&page=9`, { as: owner });
  await see('11–11 of 11');
  expect(tab.path()).toBe(`/products?category=${name}&sort=price&page=2`);
  await press('More actions for Blend 11');
  await press('Delete Product');
  await press('Delete', await dialog());
  await see('1–10 of 10');
  expect(tab.path()).toBe(`/products?category=${name}&sort=price`);
});
