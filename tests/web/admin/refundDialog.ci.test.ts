import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buy, delivery, placedOrder, putInCart, quantityOf, statusOf } from '../../support/buying';
import { collectTax, makeCode, offerDelivery, sellPlainly } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import {
  allowCallsElsewhere,
  control,
  dialog,
  fieldCalled,
  fill,
  miss,
  openTab,
  press,
  see,
  type Tab,
  until,
} from '../openTab';

/** Rule: docs/rules/orders-and-payment.md, Refunds */
let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // orders are created before the first tab is open
});
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER', fullName: 'Isatou Jallow' })));
afterEach(async () => {
  tab.close();
  await sellPlainly(shop);
});
afterAll(() => shop.close());

/** Two units of $7.95 and one of $8.95, 10 % off, $5.95 for delivery, 4 % tax on all, paid. */
async function sold() {
  await offerDelivery(shop, { name: 'Standard', priceCents: 595 });
  await collectTax(shop, 'GA', 40_000, true);
  const discountCode = await makeCode(shop);
  const as = await shop.signIn();
  const rub = await shop.stock({ name: 'Rub', priceCents: 795, quantity: 5 });
  await putInCart(shop, as, rub.id, 2);
  await putInCart(shop, as, (await shop.stock({ name: 'Blend', priceCents: 895, quantity: 5 })).id);
  const placed = await placedOrder(shop, as, { ...delivery, discountCode, deliveryNote: 'Leave it at the side door' });
  await buy(shop, placed);
  return { ...placed, as, rub, discountCode };
}
const stepperOf = (name: string) => {
  const stepper = document.querySelector(`[aria-label="Quantity of ${name}"]`);
  if (!stepper) throw new Error(`no stepper of ${name}`);
  return stepper;
};

test('staff refund a unit and the delivery; the button says how much, and the receipt what for', async () => {
  const { orderId, rub, discountCode } = await sold();
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: owner });
  await see(`Discount (${discountCode})`);
  await see('Delivery (Standard)');
  await see('Sales tax (GA 4%)');
  await see('Leave it at the side door');
  await press('Refund');
  await see('Items');
  await until(() => document.activeElement?.getAttribute('aria-label') === 'Close');
  await press('Increase', stepperOf('Rub'));
  await control('Refund $7.44', await dialog());
  (await fieldCalled('Restock Rub')).click();
  (await fieldCalled('Delivery')).click();
  await see('$15.81');
  await fill('Reason', 'A lid was cracked');
  await fill('Note to customer', 'Sorry for the lid.');
  await press('Refund $13.63', await dialog());
  await see('Refund issued');
  await see('Rub, 1');
  await see('Restocked: 1 × Rub');
  await see('Note to customer: Sorry for the lid.');
  expect(await quantityOf(shop, rub.id)).toBe(4);
  expect(await statusOf(shop, orderId)).toBe('PAID');

  await press('Refund');
  await see('of 1');
  await press('Increase', stepperOf('Rub'));
  await fill('Reason', 'Both lids were');
  await press('Refund $7.44', await dialog());
  await see('2 ordered, 2 refunded');
  await press('Refund');
  await until(() => stepperOf('Blend').isConnected);
  expect(() => stepperOf('Rub')).toThrow('no stepper of Rub');
});

test('an empty choice refunds nothing, and a choice is not lost by accident', async () => {
  const { orderId } = await sold();
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: owner });
  await press('Refund');
  await see('Items');
  await press('Refund', await dialog());
  await see('Choose what to refund');
  await fill('Reason', 'A lid was cracked');
  await press('Refund', await dialog());
  await see('Choose what to refund');
  await press('Increase', stepperOf('Rub'));
  await miss('Choose what to refund');
  await press('Close');
  await see('Discard this refund?');
  await press('Discard');
  await until(() => document.querySelector('[role=dialog]') === null);
  const read = await shop.call('getOrder', { as: await shop.again(owner), path: { orderId } });
  expect(read.data.orderResponse.refunds).toEqual([]);
});

test('a refund that the provider rejects says so in the dialog, which keeps the choice', async () => {
  const { orderId } = await sold();
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: owner });
  await press('Refund');
  await see('Items');
  await press('Increase', stepperOf('Blend'));
  await fill('Reason', 'A lid was cracked');
  await shop.control('fault', { kind: '400', next: 1, on: 'POST /v1/refunds' });
  await press('Refund $8.37', await dialog());
  await until(() => document.querySelector('[role=dialog]')?.textContent.includes('declined this refund') === true);
  await press('Refund $8.37', await dialog());
  await see('Refund issued');
});
