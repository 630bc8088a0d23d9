import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { deliveryMethods } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { messages } from '../../../src/shared/checkout';
import { userMessages } from '../../../src/shared/users';
import { saveDraft } from '../../../src/web/users/drafts';
import { kitchen } from '../../../src/web/device/lists';
import { accessToken } from '../../../src/web/server/accessToken';
import { renewSession } from '../../../src/web/server/client';
import { intentQuery } from '../../../src/web/waiting/intent';
import { findIntent, saveIntent } from '../../../src/web/waiting/savedIntent';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';
import { buyer, card, enterCode, express, ownerSets, type Sets, standard, welcome } from './selling';
import { hurry } from './hurry';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
  await ownerSets(shop, { methods: [standard, express] });
});
beforeEach(() => {
  hurry();
  return kitchen.ready();
});
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A customer whose order waits since an earlier visit, so that this page has none of it in memory. */
async function waits({ codes = [] }: Pick<Sets, 'codes'> = {}): Promise<Person> {
  if (codes.length > 0) await ownerSets(shop, { methods: [standard, express], codes });
  const ana = await buyer(shop);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$31.80');
  await keepWaiting(ana);
  return ana;
}

/** Saves an order on this device: to Georgia, by express, with a note. */
async function keepWaiting(ana: Person, words = 'Ring twice'): Promise<void> {
  const { user } = (await shop.call('getUser', { as: ana, path: { userId: ana.userId } })).data;
  const saved = user.addresses.find(({ state }) => state === 'GA');
  if (!saved) throw new Error('no address is saved');
  const { id: savedId, street, city, state, postalCode } = saved;
  const methods = await shop.db.select().from(deliveryMethods);
  const methodId = methods.find(({ name, isActive }) => isActive && name === express.name)?.id ?? '';
  const [madeAt, address] = [Date.now(), { fullName: user.fullName, street, city, state, postalCode }];
  const shown = { lines: [], delivery: null, total: 46.75 };
  const intent = { id: crypto.randomUUID(), userId: ana.userId, madeAt, asOf: madeAt, savedId, address, shown };
  await saveIntent({ ...intent, wish: { methodId, note: words } });
  window.dispatchEvent(new Event('focus')); // it is read again
}

/** An address typed at the checkout. */
const typed = {
  address: { fullName: 'Awa Cook', street: '9 Typed Lane', city: 'Atlanta', state: 'GA', postalCode: '30303' },
};

const note = () =>
  vi.waitFor(() => {
    [...document.querySelectorAll('button')].find((each) => each.textContent === messages.addNote)?.click();
    const found = document.querySelector('textarea');
    if (!found) throw new Error('there is no note');
    return found;
  }, waiting);
const noteIs = (text: string) => vi.waitFor(async () => expect((await note()).value).toBe(text), waiting);
async function typeNote(text: string): Promise<void> {
  const field = await note();
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', text, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await noteIs(text);
}
const seeWelcome = () => see(/WELCOME10.*3\.18/);
const applyWelcome = () => enterCode('WELCOME10').then(seeWelcome);
const isChosen = (street: string) => vi.waitFor(async () => expect((await card(street)).checked).toBe(true), waiting);
/** Waits until the page looks for a waiting order: the checkout, beside the banner. */
const isWatched = ({ userId }: Person) =>
  until(() => tab.cache.getQueryCache().find(intentQuery(userId))?.getObserversCount() === 2);
/** Chooses that address. @returns when the page has rendered it, with all earlier notifications */
async function isDrawnAnew(street: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve)); // the cache notifies by a timer too
  (await card(street)).click();
  await isChosen(street);
}
const isFound = ({ userId }: Person) => Boolean(tab.cache.getQueryData(intentQuery(userId).queryKey));
const change = () => press('Change', document.querySelector('main') ?? document);

test('without a connection Change in the cart works too, and keeps what was typed at the checkout since', async () => {
  await waits();
  await see('Your order is ready to place. Nothing has been ordered yet.');
  await tab.go('/customer/view/addresses'); // so that the device has them
  await see('1 GA Street');
  await tab.setDown(true);
  await tab.go('/cart');
  await change();
  await isChosen('1 GA Street');
  await noteIs('Ring twice');
  await typeNote('Ring three times');
  await tab.go('/cart');
  await change();
  await noteIs('Ring three times');
});

test('so does a checkout that is opened first, and no longer when the order is discarded', async () => {
  const ana = await waits();
  tab.close();
  tab = openTab(shop, '/checkout', { as: ana, after: tab });
  await noteIs('Ring twice');
  await isChosen('1 GA Street');
  await tab.go('/checkout/waiting');
  await press('Discard order');
  await until(() => tab.path() === '/cart');
  await tab.go('/checkout');
  expect((await card('1 GA Street')).checked).toBe(false);
});

test('changing and discarding the order leaves none of it at the checkout, except a code', async () => {
  await waits({ codes: [welcome] });
  await tab.go('/checkout/waiting');
  await applyWelcome();
  await press('Change address');
  await noteIs('Ring twice');
  await tab.go('/checkout/waiting');
  await press('Discard order');
  await until(() => tab.path() === '/cart');
  await tab.go('/checkout');
  (await card('1 OH Street')).click();
  await noteIs('');
  expect((await card(standard.name)).checked).toBe(true);
  await seeWelcome();
});

test('the order shown at the checkout is restored after the session expired', async () => {
  const ana = await waits();
  await tab.go('/checkout/waiting');
  await press('Change address');
  await noteIs('Ring twice');
  const method = await card(express.name);
  await until(() => method.checked);
  await transact(shop.db, (tx) => shop.sessions.endAllOf(tx, ana.userId, 'password_changed'));
  await renewSession();
  await until(() => tab.path().startsWith('/login'));
  await vi.waitFor(async () => expect(await findIntent(ana.userId)).toBeUndefined(), waiting);
  tab.close();
  tab = openTab(shop, '/checkout', { as: await shop.again(ana), after: tab });
  await noteIs('Ring twice');
  await isChosen('1 GA Street');
});

test('where the account cannot be read, nothing is ordered to the order’s address, which is not shown', async () => {
  const ana = await waits();
  tab.close();
  tab.network.breaks = /\/public\/users\/[^/]+$/;
  tab = openTab(shop, '/checkout', { as: ana, after: tab });
  await see(userMessages.getUser.failure);
  await until(() => isFound(ana));
  expect((await control('Place Order')).matches('[disabled], [aria-disabled=true]')).toBe(true);
});

test('an order found while another one is being placed does not change that one', async () => {
  const ana = await buyer(shop);
  tab = openTab(shop, '/checkout', { as: ana });
  (await card('1 OH Street')).click();
  await see('Total$37.75');
  await isWatched(ana);
  let answer = () => undefined as void;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  tab.network.delays = ({ url }) => (url.includes('/payment/') ? isAnswered : undefined);
  tab.network.passes = ({ url }) => !url.includes('/payment/');
  await press('Place Order');
  await see('Processing...');
  await keepWaiting(ana);
  await until(() => isFound(ana));
  answer();
  await see('Order creation failed. Please try again.');
  await isDrawnAnew('1 GA Street');
  await noteIs('');
  await see('Total$37.75');
});

test('a code removed on the order’s page does not return with Change', async () => {
  await waits({ codes: [welcome] });
  await tab.go('/checkout/waiting');
  await applyWelcome();
  await press('Change address');
  await seeWelcome();
  await tab.go('/checkout/waiting');
  await applyWelcome();
  await press('Remove code WELCOME10');
  await miss('WELCOME10');
  await press('Change address');
  await noteIs('Ring twice');
  await see('Total$46.75');
});

test('a newly typed address is shown as chosen even while the account cannot be read', async () => {
  const ana = await buyer(shop);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Subtotal$31.80');
  saveDraft(ana.userId, 'delivery', typed);
  tab.network.breaks = /\/public\/users\/[^/]+$/;
  await tab.go('/checkout');
  await see(userMessages.getUser.failure);
  await see('9 Typed Lane');
});

test('the next user of a page restored by the browser sees nothing of the former user’s choice', async () => {
  const [ana, ben] = [await buyer(shop), await buyer(shop)];
  tab = openTab(shop, '/cart', { as: ana });
  saveDraft(ana.userId, 'delivery', typed);
  await tab.go('/checkout');
  await see('9 Typed Lane');
  await typeNote('Ring twice');
  localStorage.setItem('root', JSON.stringify({ id: ben.userId, fullName: 'Somebody else', role: ben.role }));
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  accessToken.set(ben.token);
  await until(() => tab.calls.some(({ path }) => path === `/public/users/${ben.userId}`));
  await miss('9 Typed Lane');
  await see('1 OH Street');
  (await card('1 OH Street')).click();
  await noteIs('');
});
