import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { defaultSettings } from '../../../src/shared/settings';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, control, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

test('each figure of the dashboard opens exactly the list that it counts', async () => {
  await paidOrder(shop);
  tab = openTab(shop, '/dashboard?period=today', { as: owner });
  await see('Revenue');
  const { data } = await shop.call('getDashboard', { as: owner, query: { period: 'today' } });
  await see(`Sales${data.dashboard.sales}`);
  await press('View all sales for Sales');
  await see(`of ${data.dashboard.sales}`);
  const day = data.dashboard.from;
  expect(tab.path()).toContain(`days=${day}_${day}&by=paid`);
});

test('while no product has a unit cost the expenses are a dash, with a link to set costs', async () => {
  tab = openTab(shop, '/dashboard', { as: owner });
  await see('Expenses—Unknown. No product has a unit cost yet.');
  await see('Revenue over time'); // the chart has no line of them
  await press('Set unit costs');
  await until(() => tab.path() === '/products');
  tab.close();
  const { id } = await shop.stock({ unitCostCents: 120 });
  tab = openTab(shop, '/dashboard', { as: owner });
  await see('Expenses$');
  await control('View orders for Expenses');
  await miss('Set unit costs');
  await shop.db.update(products).set({ unitCostCents: null }).where(eq(products.id, id));
});

test('the dashboard says that the contact details are the sample’s, until the owner changes them', async () => {
  const example = 'Customers still see the sample contact info: hello@example.com, (555) 010-0142';
  tab = openTab(shop, '/dashboard', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see(example);
  await see('Only the owner can change settings.');
  tab.close();
  tab = openTab(shop, '/dashboard', { as: owner });
  await see(example);
  await press('Update contact info');
  await fill('Contact email', 'isatou@shop.example.com');
  await press('Save');
  await see('Settings saved');
  tab.close();
  tab = openTab(shop, '/dashboard', { as: owner });
  await see('Customers still see the sample contact info: (555) 010-0142');
  tab.close();
  const mine = { contactEmail: 'isatou@shop.example.com', contactPhone: '(404) 555-0123' };
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...mine } });
  tab = openTab(shop, '/dashboard', { as: owner });
  await until(() => tab.calls.some(({ path }) => path === '/admin/go-live') && tab.isAnswered());
  await see('Revenue');
  await miss('sample contact info');
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});
