import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { users } from '../../../src/server/db/schema/tables';
import { logIn, openAccount } from '../../support/auth';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import {
  choose,
  control,
  dialog,
  fieldCalled,
  fill,
  logInAgain,
  openTab,
  press,
  see,
  until,
  type Tab,
} from '../openTab';

let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
beforeEach(async () => (admin = await shop.signIn({ role: 'ROLE_ADMIN' })));
afterEach(async () => {
  tab.close();
  await shop.pool.query('delete from delivery_methods');
  await shop.pool.query('delete from tax_rates');
});
afterAll(() => shop.close());

const create = (body: object) => shop.call('createDeliveryMethod', { as: admin, body });
const methods = async () =>
  (await shop.call('listDeliveryMethods', { as: admin, query: { size: 100 } })).data.deliveryMethods.content;
const names = async () => (await methods()).map(({ name }) => name);
const rates = async () => (await shop.call('listTaxRates', { as: admin, query: { size: 100 } })).data.taxRates.content;

/** A field without a visible label, by its name. */
const named = async (name: string) => {
  await until(() => document.querySelector(`input[aria-label="${name}"]`) !== null);
  return document.querySelector<HTMLInputElement>(`input[aria-label="${name}"]`) as HTMLInputElement;
};
async function type(name: string, value: string): Promise<void> {
  const input = await named(name);
  Reflect.set(Object.getPrototypeOf(input) as object, 'value', value, input); // bypasses React, which watches the element's own setter
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

describe('delivery methods', () => {
  test('are added, with errors shown under the fields', async () => {
    await create({ name: 'Standard', price: 5 });
    tab = openTab(shop, '/admin/delivery', { as: admin });
    await press('Add method');
    await press('Save', await dialog());
    await see(/Enter a name.*Enter a price, such as 5.95, or 0 for free/);
    await fill('Name', 'standard');
    await fill('Price', '5,95');
    await press('Select none of the states', await dialog());
    await press('Save', await dialog());
    await see('Choose at least one state');
    (await fieldCalled('Georgia')).click();
    await press('Save', await dialog());
    await see("There's already a method with this name");
    await fill('Name', 'Express');
    await press('Save', await dialog());
    await see('Delivery method added');
    await see(/Express.*1 state.*GA.*\$5\.95.*–/);
    expect(await methods()).toMatchObject([{}, { name: 'Express', price: 5.95, freeFrom: null, states: ['GA'] }]);
  });

  test('are left unchanged by the close button of the dialog, which asks and does not take the focus', async () => {
    await create({ name: 'Standard', price: 5 });
    tab = openTab(shop, '/admin/delivery', { as: admin });
    await press('Standard');
    await until(() => document.activeElement === document.querySelector('[role=dialog] input'));
    await fill('Name', 'Express');
    await press('Close', await dialog());
    await see('Leave without saving?');
    await press('Leave', document.querySelector('[role=alertdialog]') ?? document);
    await until(() => document.querySelector('[role=dialog]') === null);
    expect(await names()).toEqual(['Standard']);
  });

  test('are moved by the menu and by the grip with the keyboard', async () => {
    for (const name of ['One', 'Two', 'Three']) await create({ name, price: 1 });
    tab = openTab(shop, '/admin/delivery', { as: admin });
    await press('More actions for Three');
    await choose('Move up');
    await expect.poll(names).toEqual(['One', 'Three', 'Two']);
    const grip = await control('Move One, now position 1');
    const key = (name: string) => grip.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    key(' ');
    await see('One, position 1 of 3');
    key('ArrowDown');
    await see('One, position 2 of 3');
    key('ArrowDown');
    await see('One, position 3 of 3');
    key(' ');
    await expect.poll(names).toEqual(['Three', 'Two', 'One']);
    await control('Move One, now position 3');
  });

  test('are turned off and archived, and Undo reverts it', async () => {
    await create({ name: 'Standard', price: 5, states: ['GA', 'FL'] });
    tab = openTab(shop, '/admin/delivery', { as: admin });
    await see(
      /No delivery method covers Alabama, .* and 43 more\. At checkout, customers there see "We don't ship to Alabama yet"/,
    );
    await press('Standard is available at checkout');
    await see('Standard is no longer available at checkout');
    await expect.poll(methods).toMatchObject([{ isActive: false }]);
    await press('Undo');
    await expect.poll(methods).toMatchObject([{ isActive: true, states: ['FL', 'GA'] }]);
    await press('More actions for Standard');
    await choose('Archive');
    await see('No delivery methods yet.');
    await press('Undo');
    await see('Delivery method restored');
    expect(await methods()).toMatchObject([{ name: 'Standard', states: ['FL', 'GA'] }]);
  });

  describe('changed by a colleague since the page was read', () => {
    /** The page is open and shows the earlier state. */
    const changedBehind = async (change: object) => {
      const { id } = (await create({ name: 'Standard', price: 5 })).data.deliveryMethod;
      await create({ name: 'Express', price: 9 });
      tab = openTab(shop, '/admin/delivery', { as: admin });
      await see(/Standard.*\$5\.00/);
      const byColleague = (body: object) =>
        shop.call('updateDeliveryMethod', { as: admin, path: { id }, body: { name: 'Standard', ...body } });
      await byColleague(change);
      return { id, byColleague };
    };

    test('keep that change when they are switched, and when that is undone', async () => {
      const { byColleague } = await changedBehind({ price: 7, description: '3 days' });
      await press('Standard is available at checkout');
      await see('Standard is no longer available at checkout');
      expect(await methods()).toMatchObject([{ isActive: false, price: 7, description: '3 days' }, {}]);
      await byColleague({ price: 8, isActive: false });
      await press('Undo');
      await expect.poll(methods).toMatchObject([{ isActive: true, price: 8 }, {}]);
    });

    test('keep that change when they are moved', async () => {
      await changedBehind({ price: 7, isActive: false });
      await press('More actions for Standard');
      await choose('Move down');
      await expect.poll(names).toEqual(['Express', 'Standard']);
      expect(await methods()).toMatchObject([{}, { price: 7, isActive: false }]);
    });

    test('get from the dialog only what was changed in it', async () => {
      const { byColleague } = await changedBehind({ price: 5 });
      await press('Standard');
      await byColleague({ price: 7, states: ['GA'], isActive: false });
      await fill('Name', 'Slow');
      await press('Save', await dialog());
      await see('Delivery method saved');
      expect(await methods()).toMatchObject([{ name: 'Slow', price: 7, states: ['GA'], isActive: false }, {}]);
    });

    test('stay as a colleague restored and changed them when their archiving is undone', async () => {
      const { byColleague } = await changedBehind({ price: 5 });
      await press('More actions for Standard');
      await choose('Archive');
      await see('Delivery method archived');
      await byColleague({ price: 7 });
      await press('Undo');
      await see('Delivery method restored');
      expect(await methods()).toMatchObject([{ name: 'Standard', price: 7 }, {}]);
    });
  });
});

describe('sales tax', () => {
  test('is changed in a bar that lists the changes and saves them', async () => {
    await shop.call('setTaxRate', { as: admin, path: { state: 'OH' }, body: { rate: 5.5 } });
    tab = openTab(shop, '/admin/tax', { as: admin });
    await see(/Collecting in 1 state.*StateRateTax on deliveryOhio OH.*Alabama AL/);
    await type('Tax rate for Ohio in percent', '5,75');
    await see('1 change: Ohio 5.5% to 5.75%');
    await type('Tax rate for Alaska in percent', '31');
    await see('Alaska: Enter a rate from 0 to 30 with up to 4 decimals');
    await type('Tax rate for Alaska in percent', '1.25');
    await press('Charge tax on delivery in Alaska');
    await see('2 changes: Alaska and Ohio');
    await press('Save');
    await see('2 rates saved');
    expect(await rates()).toEqual([
      { state: 'AK', rate: 1.25, taxesDelivery: true },
      { state: 'OH', rate: 5.75, taxesDelivery: false },
    ]);
    await type('Tax rate for Ohio in percent', '');
    await see('1 change: Ohio 5.75% to none');
    await press('Save');
    await see('1 rate saved');
    expect(await rates()).toMatchObject([{ state: 'AK' }]);
  });

  test('keeps unsaved rates when the session ends and the same user logs in again', async () => {
    const account = await openAccount(shop);
    await shop.db.update(users).set({ role: 'ROLE_ADMIN' }).where(eq(users.id, account.id));
    const as = await logIn(shop, account);
    tab = openTab(shop, '/admin/tax', { as });
    await type('Tax rate for Alabama in percent', '4');
    await type('Tax rate for Alaska in percent', '1');
    await shop.call('logout', { body: {}, headers: { authorization: `Bearer ${as.jwt}` } });
    await press('Save');
    await logInAgain(tab, account, '/admin/tax');
    await see('2 changes: Alabama and Alaska');
    await press('Save');
    await see('2 rates saved');
    expect(await rates()).toMatchObject([
      { state: 'AK', rate: 1 },
      { state: 'AL', rate: 4 },
    ]);
  });

  test('is searched by name or letters', async () => {
    tab = openTab(shop, '/admin/tax?q=oh', { as: admin });
    await see(/Ohio OH.*1–1 of 1/);
    expect((await named('Search states')).value).toBe('oh');
    await type('Search states', 'nowhere');
    await see('No states found.');
  });
});
