import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { deliveryMethods } from '../../../src/server/db/schema';
import { kitchen } from '../../../src/web/device/kitchen';
import { session } from '../../../src/web/server/session';
import { saveIntent } from '../../../src/web/waiting/savedIntent';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { openTab, press, see, type Tab, until, waiting } from '../openTab';
import { buyer, card, enterCode, express, ownerSets, standard, welcome } from './selling';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openShop();
  await ownerSets(shop, { methods: [standard, express] });
});
beforeEach(() => kitchen.ready());
afterEach(() => tab.close());
afterAll(() => shop.close());

/** Somebody whose order waits since an earlier visit, so that this page has nothing of it in its memory. */
async function waits(): Promise<Person> {
  const ana = await buyer(shop);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$31.80');
  const { user } = (await shop.call('getUser', { as: ana, path: { userId: ana.userId } })).data;
  const saved = user.addresses.find(({ state }) => state === 'GA');
  if (!saved) throw new Error('no address is saved');
  const { id: savedId, street, city, state, postalCode } = saved;
  const methods = await shop.db.select().from(deliveryMethods);
  const methodId = methods.find(({ name }) => name === express.name)?.id ?? '';
  const [madeAt, address] = [Date.now(), { fullName: user.fullName, street, city, state, postalCode }];
  const shown = { lines: [], delivery: null, total: 46.75 };
  const intent = { id: crypto.randomUUID(), userId: ana.userId, madeAt, asOf: madeAt, savedId, address, shown };
  await saveIntent({ ...intent, wish: { methodId, note: 'Ring twice' } });
  window.dispatchEvent(new Event('focus')); // it is read anew
  return ana;
}

const note = () =>
  vi.waitFor(() => {
    const found = document.querySelector('textarea');
    if (!found) throw new Error('there is no note');
    return found;
  }, waiting);
const noteIs = (text: string) => vi.waitFor(async () => expect((await note()).value).toBe(text), waiting);
const isChosen = (street: string) => vi.waitFor(async () => expect((await card(street)).checked).toBe(true), waiting);
const change = () => press('Change', document.querySelector('main') ?? document);

test('Change begins the checkout with the address, the method and the note of the order that waited', async () => {
  await waits();
  await tab.go('/checkout/waiting');
  await press('Change the address');
  await until(() => tab.path() === '/checkout');
  await isChosen('1 GA Street');
  const method = await card(express.name);
  await until(() => method.checked);
  await noteIs('Ring twice');
});

test('without a connection Change in the cart does so too, and keeps what was typed at the checkout since', async () => {
  await waits();
  await see('Your order is ready. Nothing has been ordered yet.');
  await tab.go('/customer/view/addresses'); // so that the device has them
  await see('1 GA Street');
  await tab.setDown(true);
  await tab.go('/cart');
  await change();
  await isChosen('1 GA Street');
  await noteIs('Ring twice');
  const field = await note();
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', 'Ring three times', field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await noteIs('Ring three times');
  await tab.go('/cart');
  await change();
  await noteIs('Ring three times');
});

test('so does a checkout that is opened first, and no longer when the order is given up', async () => {
  const ana = await waits();
  tab.close();
  tab = openTab(shop, '/checkout', { as: ana, after: tab });
  await noteIs('Ring twice');
  await isChosen('1 GA Street');
  await tab.go('/checkout/waiting');
  await press('Do not order');
  await until(() => tab.path() === '/cart');
  await tab.go('/checkout');
  expect((await card('1 GA Street')).checked).toBe(false);
});

test('what is chosen in place of it at the checkout stays chosen, also beside the page of the order', async () => {
  await waits();
  await tab.go('/checkout/waiting');
  await press('Change the address');
  await noteIs('Ring twice');
  (await card('1 OH Street')).click();
  await tab.go('/checkout/waiting');
  await see('1 GA Street');
  await press('Change the address');
  await isChosen('1 OH Street');
  await noteIs('Ring twice');
});

test('a code that is applied on the page of the order goes along with Change', async () => {
  await ownerSets(shop, { methods: [standard, express], codes: [welcome] });
  await waits();
  await tab.go('/checkout/waiting');
  await enterCode('WELCOME10');
  await see(/WELCOME10.*3\.18/);
  await press('Change the address');
  await until(() => tab.path() === '/checkout');
  await see(/WELCOME10.*3\.18/);
  await noteIs('Ring twice');
});

test('what the checkout showed of the order is there again after the session ended by itself', async () => {
  const ana = await waits();
  await tab.go('/checkout/waiting');
  await press('Change the address');
  await noteIs('Ring twice');
  session.clear();
  tab.close();
  tab = openTab(shop, '/checkout', { as: ana, after: tab });
  await noteIs('Ring twice');
  await isChosen('1 GA Street');
});
