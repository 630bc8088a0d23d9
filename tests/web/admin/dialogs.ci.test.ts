/** A dialog with unsaved input is not closed by accident. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { paidOrder } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, box, control, dialog, fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const question = () => document.querySelector('[role=alertdialog]');
const isClosed = () => until(() => document.querySelector('[role=dialog], [role=alertdialog]') === null);
const pressEscape = () =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }),
  );
async function answer(word: string): Promise<void> {
  await until(() => question() !== null);
  await press(word, question() ?? document);
  await until(() => question() === null);
}

const orderPage = async () => `/admin/orders/${(await paidOrder(shop)).orderId}`;
const productPage = async () => `/view/product/${(await shop.stock()).id}`;
test.each([
  ['an adjustment of stock', productPage, 'Adjust stock', 'Reason', 'Leave'],
  ['a refund', orderPage, 'Refund', 'Reason', 'Discard'],
] as const)('%s with text is closed only after asking', async (_, page, opener, field, leave) => {
  tab = openTab(shop, await page(), { as: owner });
  await press(opener);
  await dialog();
  await fill(field, 'Half a sentence');
  (await box(field)).focus();
  pressEscape();
  await answer('Cancel');
  expect((await box(field)).value).toBe('Half a sentence');
  await press('Cancel', await dialog());
  await answer(leave);
  await isClosed();
  await press(opener);
  expect((await box(field)).value).toBe('');
});

test('an unchanged one is closed immediately', async () => {
  tab = openTab(shop, await productPage(), { as: owner });
  await press('Adjust stock');
  (await box('Reason')).focus();
  await press('Cancel', await dialog());
  await isClosed();
});

test('a delivery method with only its switch changed is closed only after asking', async () => {
  tab = openTab(shop, '/admin/delivery', { as: owner });
  await press('Add method');
  await press('Available at checkout', await dialog());
  await press('Close', await dialog());
  await see('Leave without saving?');
  await answer('Leave');
  await isClosed();
  await control('Add method');
});
