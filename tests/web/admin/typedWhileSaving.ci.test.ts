/** Text typed during a save is not part of it, and is not lost when its response arrives. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, box, control, dialog, fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** Holds the responses to changes of a path until they are released. */
function holdAnswers(path: RegExp) {
  const held: (() => void)[] = [];
  tab.network.delays = ({ method, url }) =>
    method !== 'GET' && path.test(url) ? new Promise<void>((resolve) => held.push(resolve)) : undefined;
  return {
    arrived: () => until(() => held.length > 0),
    release: () => {
      tab.network.delays = () => undefined;
      held.forEach((go) => go());
    },
  };
}

const typedInto = async (label: string) => (await box(label)).value;
const isIdle = async (button: string, within: ParentNode = document) => {
  const found = await control(button, within);
  await until(() => found.getAttribute('aria-busy') !== 'true');
};
async function typeRate(state: string, rate: string): Promise<void> {
  const named = () => document.querySelector<HTMLInputElement>(`input[aria-label="Tax rate for ${state} in percent"]`);
  await until(() => named() !== null);
  const input = named() as HTMLInputElement;
  Reflect.set(Object.getPrototypeOf(input) as object, 'value', rate, input);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

test('settings keep it as an unsaved change, and show the rest as saved', async () => {
  tab = openTab(shop, '/admin/settings/general', { as: owner });
  await fill('Shop name', ' Spice Corner ');
  await fill('Low stock', '7');
  const answers = holdAnswers(/settings/);
  await press('Save');
  await answers.arrived();
  await fill('Low stock', '8');
  await fill('Contact phone', '(555) 010-0199');
  answers.release();
  await see('Settings saved');
  await isIdle('Save');
  expect(await typedInto('Shop name')).toBe('Spice Corner');
  expect(await typedInto('Low stock')).toBe('8');
  expect(await typedInto('Contact phone')).toBe('(555) 010-0199');
  const link = document.querySelector<HTMLElement>('nav[aria-label="Settings"]') ?? document;
  await press('Delivery, needs attention', link);
  await press('Stay', await dialog());
  await press('Save');
  await until(() => tab.calls.filter(({ method }) => method === 'PUT').length === 2);
  await isIdle('Save');
  const { settings } = (await shop.call('getSettings', { as: owner })).data;
  expect(settings).toMatchObject({ shopName: 'Spice Corner', lowStockThreshold: 8, contactPhone: '(555) 010-0199' });
  await press('Delivery, needs attention', link);
  await until(() => tab.path() === '/admin/delivery');
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});

test('a note begun while another is being added stays', async () => {
  const { orderId } = await paidOrder(shop);
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: owner });
  await fill('New note', ' Rings at the side door ');
  const answers = holdAnswers(/notes/);
  await press('Add note');
  await answers.arrived();
  await fill('New note', 'Call before');
  answers.release();
  await see(/Example Customer\s*Rings at the side door/);
  await isIdle('Add note');
  expect(await typedInto('New note')).toBe('Call before');
  await press('Add note');
  await see(/Example Customer\s*Call before/);
  await isIdle('Add note');
  expect(await typedInto('New note')).toBe('');
});

test('a reply edited while it is being sent stays, and closing asks', async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await shop.call('createContactMessage', { body: { fullName: 'Lamin Touray', email, reason: 'Half-kilo bags?' } });
  tab = openTab(shop, `/admin/messages?q=${email}`, { as: owner });
  await press('Lamin Touray');
  await fill('Your reply', 'Yes.');
  const answers = holdAnswers(/reply/);
  await press('Send reply');
  await answers.arrived();
  await fill('Your reply', 'Yes. From December on.');
  answers.release();
  await see('Reply sent');
  await isIdle('Send reply', await dialog());
  expect(await typedInto('Your reply')).toBe('Yes. From December on.');
  await press('Close', await dialog());
  await see('Leave without saving?');
});

test('a rate changed again, and another one, wait in the bar', async () => {
  tab = openTab(shop, '/admin/tax', { as: owner });
  await typeRate('Alabama', '4');
  const answers = holdAnswers(/tax-rates/);
  await press('Save');
  await answers.arrived();
  await typeRate('Alabama', '4.5');
  await typeRate('Alaska', '1');
  answers.release();
  await see('1 rate saved');
  await see('2 changes: Alabama and Alaska');
  await press('Save');
  await see('2 rates saved');
  const { taxRates } = (await shop.call('listTaxRates', { as: owner, query: { size: 100 } })).data;
  expect(taxRates.content).toMatchObject([
    { state: 'AK', rate: 1 },
    { state: 'AL', rate: 4.5 },
  ]);
});
