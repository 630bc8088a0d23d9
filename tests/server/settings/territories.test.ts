import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import { stateName, statesOf } from '../../../src/shared/usStates';
import { newcomer } from '../../support/auth';
import { buy, placedOrder, putInCart } from '../../support/buying';
import { asFile, form } from '../../support/catalogScenarios';
import { offerDelivery, orderTo, quote, sellPlainly } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(async () => {
  await set(false);
  await sellPlainly(shop);
});

const set = (isOn: boolean) =>
  shop.call('updateSettings', { as: owner, body: { ...defaultSettings, territories: isOn } });
const guam = { street: '1 Marine Corps Drive', city: 'Tamuning', state: 'GU', postalCode: '96913' };
const territories = ['PR', 'VI', 'GU', 'AS', 'MP', 'AA', 'AE', 'AP'];
const isNoState = 'Choose one of the 50 states or DC';
const refused = (field: string, message = isNoState) => ({ status: 400, errors: [{ field, message }] });
const addressesOf = async (as: Person) =>
  (await shop.call('getUser', { as, path: { userId: as.userId } })).data.user.addresses;
const add = (as: Person, address: object) =>
  shop.call('addAddress', { as, path: { userId: as.userId }, body: { ...guam, ...address } });
const newUser = (state: string) =>
  shop.call('createUser', { as: owner, body: { ...newcomer(), state, role: 'ROLE_CUSTOMER' } });
const createMethod = (states: string[] | null) =>
  shop.call('createDeliveryMethod', { as: owner, body: { name: `To ${String(states)}`, price: 12, states } });
const setRate = (state: string, rate = 4) =>
  shop.call('setTaxRate', { as: owner, path: { state }, body: { rate, taxesDelivery: false } });
const importRates = async (csv: string) =>
  shop.call('importTaxRates', { as: owner, ...(await form({ file: asFile(csv) })) });
const exportRates = async () =>
  (
    await shop.app.inject({
      url: '/api/admin/tax-rates/export',
      headers: { authorization: `Bearer ${owner.token}` },
    })
  ).body;

async function withCart(): Promise<Person> {
  const ana = await shop.signIn();
  await putInCart(shop, ana, (await shop.stock({ priceCents: 1000 })).id, 1);
  return ana;
}

describe('without the setting', () => {
  test('no form takes an address in a territory', async () => {
    const ana = await withCart();
    expect(await shop.call('register', { body: { ...newcomer(), state: 'PR' } })).toMatchObject(refused('state'));
    expect(await newUser('AE')).toMatchObject(refused('state'));
    expect(await add(ana, {})).toMatchObject(refused('state'));
    expect(await orderTo(shop, ana, 'Guam')).toMatchObject(refused('deliveryAddress.state'));
  });

  test('no delivery method and no tax rate is for a territory, and the shop does not mention the setting', async () => {
    expect(await createMethod(['GA', 'GU'])).toMatchObject(refused('states', 'Choose from the 50 states and DC'));
    expect(await setRate('PR')).toMatchObject({ status: 404 });
    expect(await importRates('state,rate\nPR,4\n')).toMatchObject({
      status: 409,
      errors: [{ field: '2.state', message: 'Enter one of the 50 states or DC' }],
    });
    expect((await shop.call('getShop')).data.shop).not.toHaveProperty('territories');
  });
});

describe('with the setting', () => {
  beforeEach(() => set(true));

  test('the shop says so, and each form takes the eight by code or name, after the 50 states and DC', async () => {
    expect((await shop.call('getShop')).data.shop).toMatchObject({ territories: true });
    const ana = await shop.signIn();
    for (const code of territories) {
      expect(await add(ana, { state: code.toLowerCase() })).toMatchObject({ status: 200 });
      expect(await add(ana, { state: stateName(code) })).toMatchObject({ status: 200 });
    }
    const states = (await addressesOf(ana)).map(({ state }) => state);
    expect(states).toEqual(territories.flatMap((code) => [code, code]));
    const path = { userId: ana.userId, addressId: (await addressesOf(ana))[0]?.id ?? '' };
    const changed = await shop.call('updateAddress', { as: ana, path, body: { ...guam, state: 'Puerto Rico' } });
    expect(changed.data.user.addresses[0]).toMatchObject({ state: 'PR', country: 'United States' });
    expect(await newUser('AP')).toMatchObject({ data: { user: { addresses: [{ state: 'AP' }] } } });
    const registered = await shop.call('register', { body: newcomer({ state: 'VI' }) });
    expect(registered.data.user.addresses).toMatchObject([{ state: 'VI' }]);
  });

  test('another place is rejected with a message that names what the list has', async () => {
    const message = 'Choose a U.S. state or territory';
    expect(await add(await shop.signIn(), { state: 'Banjul' })).toMatchObject(refused('state', message));
    expect(await createMethod(['ZZ'])).toMatchObject(refused('states', 'Choose from the U.S. states and territories'));
    expect(await setRate('ZZ')).toMatchObject({ status: 404 });
    expect(await importRates('state,rate\nZZ,4\n')).toMatchObject({
      errors: [{ message: 'Enter a U.S. state or territory' }],
    });
  });

  test('an order to Puerto Rico has its tax, and its delivery by a method for all states', async () => {
    await offerDelivery(shop, { states: ['GA'], priceCents: 300 });
    await offerDelivery(shop, { states: null, priceCents: 900 });
    await setRate('PR', 10.5);
    const ana = await withCart();
    const { data } = await quote(shop, ana, { deliveryAddress: { state: 'Puerto Rico' } });
    expect(data.quote).toMatchObject({ delivery: 9, tax: { rate: 10.5, amount: 1.05 }, total: 20.05 });
    expect(await orderTo(shop, ana, 'PR', { expectedTotal: 20.05 })).toMatchObject({ status: 201 });
  });

  test('a method can be for territories alone', async () => {
    expect((await createMethod(['AE', 'GU', 'GA'])).data.deliveryMethod.states).toEqual(['GA', 'GU', 'AE']);
    const ana = await withCart();
    const { data } = await quote(shop, ana, { deliveryAddress: { state: 'GU' } });
    expect(data.quote).toMatchObject({ delivery: 12, total: 22 });
    const elsewhere = await quote(shop, ana, { deliveryAddress: { state: 'PR' } });
    expect(elsewhere.data.quote).toMatchObject({ deliveryMethods: [], total: null });
  });

  test('rates of every state and territory are exported, and imported unchanged', async () => {
    const all = statesOf({ territories: true }).map((code) => `${code},4`);
    expect(await importRates(['state,rate', ...all].join('\n'))).toMatchObject({ data: { changed: 59 } });
    const csv = await exportRates();
    expect(csv).toContain('"WY","Wyoming","4","false"\n');
    expect(csv).toContain('"VI","U.S. Virgin Islands","4","false"\n');
    expect(csv.trim().split('\n')).toHaveLength(60);
    expect(await importRates(csv)).toMatchObject({ data: { changed: 0 } });
  });
});

describe('after the setting was turned off', () => {
  test('a saved address is readable and can be deleted, but not used or saved again', async () => {
    await set(true);
    const ana = await withCart();
    await offerDelivery(shop, { states: null });
    await add(ana, {});
    await set(false);
    const [saved] = await addressesOf(ana);
    expect(saved).toMatchObject(guam);
    const path = { userId: ana.userId, addressId: saved?.id ?? '' };
    expect(await shop.call('updateAddress', { as: ana, path, body: guam })).toMatchObject(refused('state'));
    const { data } = await quote(shop, ana, { deliveryAddress: { state: 'GU' } });
    expect(data.quote).toMatchObject({ deliveryMethods: [], total: null });
    expect(await orderTo(shop, ana, 'GU')).toMatchObject(refused('deliveryAddress.state'));
    expect(await shop.call('removeAddress', { as: ana, path })).toMatchObject({ status: 200 });
    expect(await addressesOf(ana)).toEqual([]);
  });

  test('an order placed before keeps its address and its state in the figures', async () => {
    await set(true);
    const ana = await withCart();
    await setRate('PR', 10);
    const deliveryAddress = { ...guam, state: 'PR' };
    const order = await placedOrder(shop, ana, { customer: 'Example Customer', deliveryAddress });
    await buy(shop, order);
    await set(false);
    const { orderId } = order;
    const { data } = await shop.call('getOrder', { as: ana, path: { orderId } });
    expect(data.orderResponse.deliveryAddress).toMatchObject({ state: 'PR' });
    const { collected } = (await shop.call('getTaxCollected', { as: owner, query: {} })).data;
    expect(collected).toMatchObject([{ state: 'PR' }]);
  });

  test('a rate stays in the list until it is removed, and a method keeps its states until they are taken out', async () => {
    await set(true);
    await setRate('PR', 10.5);
    const { id } = (await createMethod(['GA', 'GU'])).data.deliveryMethod;
    await set(false);
    expect(await exportRates()).toContain('"PR","Puerto Rico","10.5","false"\n');
    expect(await importRates(await exportRates())).toMatchObject({ data: { changed: 0 } });
    expect(await shop.call('removeTaxRate', { as: owner, path: { state: 'PR' } })).toMatchObject({ status: 200 });
    expect(await exportRates()).not.toContain('Puerto Rico');
    expect(await setRate('PR')).toMatchObject({ status: 404 });
    const update = (states: string[]) =>
      shop.call('updateDeliveryMethod', { as: owner, path: { id }, body: { name: 'Far', price: 9, states } });
    expect((await update(['GU', 'GA'])).data.deliveryMethod.states).toEqual(['GA', 'GU']);
    expect(await update(['GU', 'PR'])).toMatchObject({ status: 400 });
    expect(await update(['GA'])).toMatchObject({ status: 200 });
    expect(await update(['GA', 'GU'])).toMatchObject({ status: 400 });
  });
});
