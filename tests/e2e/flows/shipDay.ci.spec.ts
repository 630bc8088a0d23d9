import type { Locator, Page } from 'playwright/test';
import type { AnswerOf } from '../../../src/shared/contract';
import { change, makeProduct, userOf } from '../calls';
import { createShop } from '../runningShop';
import { expect, ownerAccount, signIn, signInAs, test } from '../shop';

const howMany = 40;
/**
 * Presses beside the numbers. A press is a click, a key, or a choice in a select. A scanner types a number and Enter:
 * both count as the number.
 */
const mostPresses = 60;
/** Lets the test pay without the page of the provider. */
const token = 'of the test';

test.use({ viewport: { width: 1440, height: 900 } });

test(`${howMany} orders are picked, packed, and shipped with numbers in at most ${mostPresses} presses`, async ({
  browser,
}) => {
  const shop = await createShop(); // without orders of other tests
  await shop.start({ SANDBOX_CONTROL_TOKEN: token });
  const open = () => browser.newPage({ baseURL: shop.url, serviceWorkers: 'block' });
  const [shopper, page] = [await open(), await open()];
  await signInAs(page, ownerAccount);
  const products: string[] = [];
  for (const name of ['Day Rub', 'Day Pepper', 'Day Salt'])
    products.push(await makeProduct(page, { name, price: '4.50', quantity: 400 }));
  const units = await buyForADay(shopper, products);
  await page.goto('/dashboard');

  let presses = 0;
  const press = async (target: Locator) => {
    await target.click();
    presses += 1;
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  await test.step('the orders of the day are chosen', async () => {
    await press(page.getByRole('link', { name: 'Orders', exact: true }).first());
    await press(button(`To ship ${howMany}`));
    await page.getByLabel('Rows per page').selectOption('50');
    presses += 2; // opening it and choosing
    await expect(page.getByText(`1–${howMany} of ${howMany}`)).toBeVisible();
    await press(page.getByLabel('Select all rows on this page'));
    await expect(page.getByText(`${howMany} selected`)).toBeVisible();
  });

  await page.evaluate(() => (window.print = () => undefined)); // no dialog of the browser
  await test.step('they are picked by the list', async () => {
    await press(button('Pick list'));
    await expect(page.getByText(`${howMany} orders, 3 products, ${units} units.`)).toBeVisible();
    for (const box of await page.getByRole('main').getByRole('checkbox').all()) await press(box);
    await press(button('Print pick list'));
  });

  await test.step('they are packed by the slips', async () => {
    await press(page.getByRole('link', { name: `Packing slips (${howMany})` }));
    const slips = page.getByRole('article', { name: /^Packing slip for order / });
    await expect(slips).toHaveCount(howMany);
    const packed = await slips.locator('tbody td:last-child').allInnerTexts();
    expect(packed.reduce((sum, some) => sum + Number(some), 0)).toBe(units);
    await press(button(/^Print \d+ /));
  });

  const numbers = Array.from({ length: howMany }, (_, index) =>
    index % 4 === 3 ? `1Z84F29W03${55180000 + index}` : `94001118995618427${31000 + index}`,
  );
  await test.step('they are shipped with the numbers that a scanner reads', async () => {
    await page.goBack();
    await page.goBack();
    presses += 2;
    await press(button('Ship orders'));
    await press(page.getByLabel(/^Tracking number of/).first());
    for (const number of numbers) {
      await page.keyboard.insertText(number);
      await page.keyboard.press('Enter');
    }
    await expect(page.getByText(`${howMany} orders ready to ship.`)).toBeVisible();
    await expect(button('Save')).toBeFocused();
    await page.keyboard.press('Enter');
    presses += 1;
    await expect(page.getByText(`${howMany} orders shipped`)).toBeVisible();
    await expect(page.getByText('Everything here is shipped.')).toBeVisible();
  });

  const query = 'size=100&sort=orderNumber&direction=asc';
  const list = await page.request.get(`/api/admin/orders?${query}`);
  const shipped = ((await list.json()) as AnswerOf<'listOrders'>).data.orders.content;
  expect(shipped.map(({ parcels = [] }) => parcels.map(({ trackingNumber }) => trackingNumber))).toEqual(
    numbers.map((number) => [number]),
  );
  expect(shipped.map(({ parcels = [] }) => parcels[0]?.carrier)).toEqual(
    numbers.map((number) => (number.startsWith('1Z') ? 'ups' : 'usps')),
  );
  const inParcels = shipped.flatMap(({ parcels = [] }) => parcels.flatMap(({ lines }) => lines));
  expect(inParcels.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(units);
  expect(shipped.map(({ orderStatus }) => orderStatus)).toEqual(numbers.map(() => 'OUT_FOR_DELIVERY'));
  for (const { id } of shipped) {
    const read = await page.request.get(`/api/admin/orders/${id}`);
    const { emails = [] } = ((await read.json()) as AnswerOf<'getOrderForStaff'>).data.details;
    expect(emails.filter(({ kind }) => kind === 'out_for_delivery')).toHaveLength(1);
  }
  expect(presses).toBeLessThanOrEqual(mostPresses);
  await shopper.close();
  await page.close();
  await shop.stop();
});

/** A day's paid orders of one to three products each. @returns how many units they have */
async function buyForADay(page: Page, products: readonly string[]): Promise<number> {
  await signIn(page);
  const userId = await userOf(page.context());
  const cart = await page.request.get(`/api/public/cart/${userId}`);
  const { cartId } = ((await cart.json()) as AnswerOf<'getCart'>).data.cartResponse;
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  let units = 0;
  for (let made = 0; made < howMany; made++) {
    for (const [at, productId] of products.slice(0, 1 + (made % 3)).entries()) {
      const quantity = 1 + ((made + at) % 2);
      await change(page, 'POST', `/public/cart/add/${userId}`, { data: { productId, quantity } });
      units += quantity;
    }
    const data = { customer: 'Day Cook', deliveryAddress };
    const placed = await change<'placeOrder'>(page, 'POST', `/public/order/${userId}/payment/${cartId}`, { data });
    const session = /cs_test_\w+/.exec(placed.paymentUrl)?.[0];
    const paid = await page.request.post(`${new URL(placed.paymentUrl).origin}/_sandbox/pay`, {
      data: { session },
      headers: { 'x-sandbox-token': token },
    });
    expect(paid.ok(), await paid.text()).toBe(true);
    await expect
      .poll(async () => {
        const read = await page.request.get(`/api/public/order/${placed.orderId}`);
        return ((await read.json()) as AnswerOf<'getOrder'>).data.orderResponse.orderStatus;
      })
      .toBe('PAID');
  }
  return units;
}
