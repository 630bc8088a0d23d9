import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reachability } from '../../../src/web/server/reachability';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const page = '/customer/view/addresses';
const dialog = () => document.querySelector('[role=dialog], [role=alertdialog]') ?? document;
const cards = () => document.querySelectorAll('main address').length;

async function saveAddress(as: Person, street: string) {
  const body = { street, city: 'Atlanta', state: 'GA', postalCode: '30303' };
  await shop.call('addAddress', { as, path: { userId: as.userId }, body });
}

const kept = async (as: Person) =>
  (await shop.call('getUser', { as, path: { userId: as.userId } })).data.user.addresses.map(({ street }) => street);

test('an address is added by the rules of the registration form, and edited in the same dialog', async () => {
  const as = await shop.signIn();
  tab = openTab(shop, page, { as });
  await see('View User Addresses');
  await see('No saved addresses found.');
  await press('Add Address');
  await press('Save address');
  await see('Enter a street address');
  await see('Postal Code is required');
  await fill('Street address', '12 Market Street');
  await fill('City', 'Atlanta');
  await fill('State', 'GA');
  await fill('ZIP code', '3030');
  await see('Postal code must be at least 5 characters');
  await fill('ZIP code', '30303');
  await press('Save address');
  await see('Address added successfully');
  await until(() => cards() === 1);
  expect(await kept(as)).toEqual(['12 Market Street']);
  await press('Edit 12 Market Street');
  expect((await fieldCalled('Street address')).value).toBe('12 Market Street');
  await fill('Street address', '2 New Road');
  await press('Save address');
  await see('Address updated');
  await see('2 New RoadAtlanta, GA 30303');
  expect(await kept(as)).toEqual(['2 New Road']);
});

test('Remove asks once, and the focus moves to the next Remove, or to the heading after the last card', async () => {
  const as = await shop.signIn();
  for (const street of ['1 Oak', '2 Oak', '3 Oak']) await saveAddress(as, street);
  tab = openTab(shop, page, { as });
  await press('Remove 1 Oak');
  await press('Cancel', dialog());
  await until(() => document.querySelector('[role=alertdialog]') === null);
  expect(await kept(as)).toHaveLength(3);
  await press('Remove 3 Oak');
  await see("We'll remove 3 Oak from your addresses.");
  await press('Remove', dialog());
  await until(() => cards() === 2);
  expect(document.activeElement?.tagName).toBe('H1');
  await press('Remove 1 Oak');
  await see("We'll remove 1 Oak from your addresses.");
  await press('Remove', dialog());
  await see('Address removed successfully');
  await until(() => cards() === 1);
  expect(document.activeElement).toBe(await control('Remove 2 Oak'));
  await press('Remove 2 Oak');
  await see("We'll remove 2 Oak from your addresses.");
  await press('Remove', dialog());
  await see('No saved addresses found.');
  expect(document.activeElement?.tagName).toBe('H1');
});

test('a page shows six addresses, and removing the last of a page shows the page before', async () => {
  const as = await shop.signIn();
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await saveAddress(as, `${number} Elm`);
  tab = openTab(shop, page, { as });
  await until(() => cards() === 6);
  await press('Page 2');
  await until(() => cards() === 1);
  await press('Remove 7 Elm');
  await press('Remove', await until(() => dialog() !== document).then(dialog));
  await until(() => cards() === 6);
  await miss('7 Elm');
});

test('typed text is restored after the page was left, until it is discarded', async () => {
  const as = await shop.signIn();
  tab = openTab(shop, page, { as });
  await press('Add Address');
  await fill('Street address', '5 Long Road');
  await tab.go('/');
  await see('About Us');
  await tab.go(page);
  expect((await fieldCalled('Street address')).value).toBe('5 Long Road');
  await press('Cancel');
  await until(() => dialog() === document);
  await tab.go('/');
  await see('About Us');
  await tab.go(page);
  await press('Add Address');
  expect((await fieldCalled('Street address')).value).toBe('');
});

test('without a connection the saved ones are shown, and the edit buttons say why they wait', async () => {
  const as = await shop.signIn();
  await saveAddress(as, '1 Oak');
  tab = openTab(shop, page, { as });
  await see('1 Oak');
  tab.network.breaks = /./;
  await reachability.probe();
  await see('Go online to change your addresses');
  for (const name of ['Add Address', 'Edit 1 Oak', 'Remove 1 Oak']) {
    const button = await control(name);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Go online');
  }
});
