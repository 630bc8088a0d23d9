import { expect } from 'playwright/test';
import { newAccount } from '../e2e/shop';
import type { AnswerOf } from '../../src/shared/contract';
import { add, payAsTest, signUp } from './people';
import { phone, type Tab, until } from './tab';
import { test, unanswered } from './harness';

test('an order prepared without the server waits, survives a restart of the app, and is one order after a press', async ({
  openBrowser,
  shop,
}) => {
  const { tab, forgive } = await openBrowser(phone);
  const userId = await signUp(tab, newAccount());
  await add(tab, 'savory', 'Afra Grill Rub');
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  await tab.open('/checkout');
  await tab.sees({ text: '12 Market Street' });
  await until('the account on the device', () => tab.run(isKept, '12 Market Street'));

  await test.step('prepares it', async () => {
    await shop.breakOff();
    await tab.open('/cart');
    await tab.press({ role: 'button', name: 'Proceed to Checkout' });
    await tab.sees({ text: 'Get this order ready now' });
    await tab.press({ text: '12 Market Street' });
    await tab.press({ role: 'button', name: 'Order when online' });
    await tab.sees({ text: "Order ready to place when you're online" });
    await tab.reload();
    await tab.sees({ text: "Order ready to place when you're online" });
  });
  await test.step('changes it: its address is selected, after a reload too', async () => {
    await tab.press({ role: 'link', name: 'Change' });
    await tab.sees({ text: 'Get this order ready now' });
    await until('the address', async () => (await tab.run(chosen, null)).includes('12 Market Street'));
    await tab.reload();
    await until('the address', async () => (await tab.run(chosen, null)).includes('12 Market Street'));
    await tab.press({ role: 'button', name: 'Order when online' });
    await tab.sees({ text: "Order ready to place when you're online" });
  });
  await test.step('orders it with a connection, only by a press', async () => {
    await shop.restore();
    await tab.open('/products/savory');
    await tab.sees({ text: 'Your order is ready to place. Nothing has been ordered yet.' });
    expect(await ordersOf(tab, userId)).toEqual([]);
    await tab.press({ role: 'link', name: 'View order' });
    await tab.sees({ role: 'heading', name: 'Your order is ready to place' });
    await tab.press({ role: 'button', name: 'Place Order' });
    await payAsTest(tab);
  });
  await test.step('nothing waits anymore', async () => {
    await tab.open('/cart');
    await tab.sees({ text: 'Cart is Empty' });
    await tab.open('/checkout/waiting');
    await tab.sees({ text: "There's no order waiting on this device." });
    expect(await ordersOf(tab, userId)).toMatchObject([{ orderStatus: 'PAID' }]);
  });
  await forgive(unanswered);
});

/** Runs in the page. */
const isKept = (words: string) => JSON.stringify(localStorage).includes(words);

/** Runs in the page. @returns the text of the selected address */
const chosen = () =>
  [...document.querySelectorAll('main fieldset label')].find((label) => label.querySelector('input:checked'))
    ?.textContent ?? '';

/** @returns what the server has; requested by the page, with its cookie */
function ordersOf(tab: Tab, userId: string): Promise<AnswerOf<'listCustomerOrders'>['data']['orders']['content']> {
  return tab.run(async (id) => {
    const answer = await fetch(`/api/public/order/customerorders/${id}`);
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as AnswerOf<'listCustomerOrders'>).data.orders.content;
  }, userId);
}
