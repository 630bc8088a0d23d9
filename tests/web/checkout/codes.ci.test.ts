import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { delivery, placeOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { fieldCalled, miss, openTab, press, see, type Tab, until } from '../openTab';
import { announced, buyer, card, type Code, enterCode, ownerSets, place, standard, welcome } from './selling';
import { hurry } from './hurry';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(hurry);
afterEach(async () => {
  tab.close();
  leave.mockClear();
  await ownerSets(shop, {});
});
afterAll(() => shop.close());

async function open(ana: Person, state?: string): Promise<void> {
  tab = openTab(shop, '/checkout', { as: ana });
  if (state !== undefined) (await card(`1 ${state} Street`)).click();
}

test.each<[why: string, code: Code, sentence: string]>([
  ['is unknown', { code: 'OTHER' }, "That code isn't valid"],
  ['has not begun', { startsAt: new Date('2100-12-01T12:00:00Z') }, 'That code starts on Dec 1, 2100'],
])('a code that %s is rejected under its field, and the total stays', async (why, terms, sentence) => {
  const code = { ...welcome, code: `C-${randomUUID().slice(0, 8).toUpperCase()}`, ...terms };
  await ownerSets(shop, { methods: [standard], codes: [code] });
  const ana = await buyer(shop);
  await open(ana, 'GA');
  await see('Total$37.75');
  const field = await enterCode(why === 'is unknown' ? 'NO-SUCH-CODE' : code.code);
  await see(sentence);
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(sentence);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field.value).not.toBe('');
  await see('Total$37.75');
  await place();
  await until(() => leave.mock.calls.length > 0);
});

test('a code that makes the order free is rejected as soon as it is applied, and the total stays', async () => {
  const all = { ...welcome, code: `C-${randomUUID().slice(0, 8).toUpperCase()}`, percent: 100 };
  await ownerSets(shop, { methods: [{ ...standard, priceCents: 0 }], codes: [all] });
  const ana = await buyer(shop);
  await open(ana, 'GA');
  await see('Total$31.80');
  await enterCode(all.code);
  await until(() => document.querySelector('#code-refused') !== null);
  expect(document.querySelector('#code-refused')?.textContent).toBe(
    'With this code your order is under $0.50, the least we can charge. Add an item or use another code.',
  );
  await see('Total$31.80');
  await place();
  await until(() => leave.mock.calls.length > 0);
});

test('a customer who tried too many codes must wait, and can order without one', async () => {
  await ownerSets(shop, { methods: [standard], codes: [welcome] });
  const ana = await buyer(shop);
  const path = { userId: ana.userId, cartId: ana.cartId };
  for (let tried = 0; tried < 20; tried++)
    await shop.call('quoteOrder', { as: ana, path, body: { discountCode: `WRONG-${tried}` } });
  await open(ana, 'GA');
  await enterCode('WELCOME10');
  await until(() => document.querySelector('#code-refused') !== null);
  expect(document.querySelector('#code-refused')?.textContent).toMatch(/^Too many/);
  await see('Total$37.75');
  await place();
  await until(() => leave.mock.calls.length > 0);
});

test('the field replaces its link, and keeps the focus; removing a code returns it', async () => {
  await ownerSets(shop, { codes: [welcome, { code: 'SPRING', kind: 'amount', percent: null, amountCents: 500 }] });
  await open(await buyer(shop), 'GA');
  await press('Add a discount code');
  const field = await fieldCalled('Discount code');
  expect(document.activeElement).toBe(field);
  await enterCode('welcome10');
  await see('WELCOME10 −$3.18minus $3.18');
  await see('Total$28.62');
  await until(() => field.value === '');
  expect(document.activeElement).toBe(field);
  await enterCode('spring');
  await see('SPRING −$5.00');
  await until(() => announced() === 'SPRING replaces WELCOME10. Total $26.80');
  await enterCode('no-such-code');
  await see("That code isn't valid");
  await see('SPRING −$5.00');
  await press('Remove code SPRING');
  expect(document.activeElement).toBe(field);
  await see('Subtotal$31.80Total$31.80');
  await miss("That code isn't valid");
});

test('a code held by another new customer when the order is placed is removed, with its reason under the field', async () => {
  const code = `LAST-${randomUUID().slice(0, 8).toUpperCase()}`;
  await ownerSets(shop, { codes: [{ ...welcome, code, maxUses: 1 }] });
  await open(await buyer(shop), 'GA');
  await enterCode(code);
  await see('Total$28.62');
  await placeOrder(shop, await buyer(shop), { ...delivery, discountCode: code });
  await place();
  await until(() => document.querySelector('#code-refused')?.textContent === 'Try this code again in a few minutes');
  await see('Subtotal$31.80Total$31.80');
  await place();
  await until(() => leave.mock.calls.length > 0);
});
