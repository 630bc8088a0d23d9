import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import { reachability } from '../../../src/web/server/reachability';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { box, control, dialog, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';
import { hurry } from './hurry';
import { buyer, card, isOff, ownerSets, standard } from './selling';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(hurry);
beforeEach(async () => {
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  await set(true);
});
afterEach(async () => {
  tab.close();
  await set(false);
  await ownerSets(shop, {});
});
afterAll(() => shop.close());

const set = (territories: boolean) =>
  shop.call('updateSettings', { as: owner, body: { ...defaultSettings, territories } });
const statesIn = (field: Element) =>
  [...field.querySelectorAll('option')].map(({ value }) => value).filter((code) => code !== '');
const addresses = '/customer/view/addresses';

test('the owner turns it on and off under Checkout', async () => {
  await set(false);
  const isOn = async () => (await shop.call('getSettings', { as: owner })).data.settings.territories;
  tab = openTab(shop, '/admin/settings/checkout', { as: owner });
  await see(/Puerto Rico, .* Delivery methods for all states then serve them too\./);
  for (const [saved, expected] of [true, false].entries()) {
    (await box('Ship to U.S. territories and military addresses')).click();
    await press('Save');
    await until(() => tab.calls.filter(({ method, status }) => method === 'PUT' && status === 200).length > saved);
    expect(await isOn()).toBe(expected);
  }
});

test('every form then lists them after DC, by their full names', async () => {
  const ana = await buyer(shop);
  for (const [path, as, opener] of [
    ['/register', undefined, undefined],
    [addresses, ana, 'Add Address'],
    ['/checkout', ana, undefined],
    ['/new/user', owner, undefined],
  ] as const) {
    tab = openTab(shop, path, { ...(as && { as }) });
    if (opener) await press(opener);
    if (path === '/checkout') (await card('Add a new address')).click();
    const field = await fieldCalled('State');
    await until(() => statesIn(field).length === 59);
    expect(statesIn(field).slice(50)).toEqual(['DC', 'PR', 'VI', 'GU', 'AS', 'MP', 'AA', 'AE', 'AP']);
    expect(field.textContent).toContain('U.S. Virgin Islands (VI)');
    tab.close();
  }
});

test('an order can go to Guam, also prepared without a connection', async () => {
  await ownerSets(shop, { methods: [standard] });
  tab = openTab(shop, '/checkout', { as: await buyer(shop, { states: ['GU'] }) });
  (await card('1 GU Street')).click();
  await see('Delivery (Standard)$5.95Total$37.75');
  tab.network.breaks = /./;
  await reachability.probe();
  await see('Delivery (Standard)$5.95Total$37.75');
});

test('after it was turned off the checkout refuses a saved address there, with and without a connection', async () => {
  await ownerSets(shop, { methods: [standard] });
  const ana = await buyer(shop, { states: ['GU', 'GA'] });
  await set(false);
  tab = openTab(shop, '/checkout', { as: ana });
  (await card('1 GU Street')).click();
  await see("We don't ship to Guam yet");
  expect(isOff(await control('Place Order'))).toBe(true);
  tab.network.breaks = /./;
  await reachability.probe();
  await see('Not available in Guam');
});

test('after it was turned off a saved address is still shown, and its form asks for a state', async () => {
  const ana = await buyer(shop, { states: ['GU'] });
  await set(false);
  tab = openTab(shop, addresses, { as: ana });
  await see('Springfield, GU 30303');
  await press('Edit 1 GU Street');
  const field = await fieldCalled('State');
  expect(statesIn(field)).toHaveLength(51);
  await press('Save address');
  await see('Choose a state');
  await fill('State', 'GA');
  await press('Save address');
  await see('Springfield, GA 30303');
  await press('Remove 1 GU Street');
  await press('Remove', await dialog());
  await see('No saved addresses found.');
});

test('delivery methods and tax rates can be for a territory, and list what they have after it was turned off', async () => {
  await shop.call('setTaxRate', { as: owner, path: { state: 'PR' }, body: { rate: 10.5, taxesDelivery: false } });
  tab = openTab(shop, '/admin/tax', { as: owner });
  await see('Collecting in 1 territory');
  await see('1–10 of 59');
  await see('Puerto Rico');
  tab.close();
  tab = openTab(shop, '/admin/delivery', { as: owner });
  await press('Add method');
  await fill('Name', 'Overseas');
  await fill('Price', '12');
  await press('Select none of the states', await dialog());
  (await fieldCalled('Puerto Rico')).click();
  await press('Save', await dialog());
  await see(/Overseas.*1 territory.*PR/);
  await set(false);
  tab.close();
  tab = openTab(shop, '/admin/tax', { as: owner });
  await see('1–10 of 52');
  await see('Puerto Rico');
  tab.close();
  tab = openTab(shop, '/admin/delivery', { as: owner });
  await press('Overseas');
  expect((await box('Puerto Rico')).checked).toBe(true);
  await miss('Guam');
});
