import type { Page } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { change, userOf } from './calls';
import { expect, payWith, signIn, test } from './shop';

test('staff ship an order in two packages, undo one, and its customer sees each at once', async ({
  page: shopper,
  browser,
  owner: ownerState,
  shop,
}) => {
  await signIn(shopper);
  const { orderId, orderNumber } = await buy(shopper);
  const staff = await browser.newContext({ baseURL: shop.url, storageState: ownerState, serviceWorkers: 'block' });
  const owner = await staff.newPage();
  const box = (name: string) => owner.getByRole('region', { name, exact: true });
  const dialog = owner.getByRole('dialog');

  await shopper.goto('/customer/orders');
  const order = shopper.getByRole('article').filter({ hasText: orderNumber });
  await expect(order).toContainText('Paid');

  await test.step('a part of the order, with a number that names its carrier', async () => {
    await owner.goto(`/admin/orders/${orderId}`);
    await owner.getByRole('button', { name: 'Ship items' }).click();
    await expect(dialog.getByText('This is the last package. The order becomes On Delivery.')).toBeVisible();
    await dialog
      .getByRole('group', { name: /Afra Grill Rub/ })
      .getByRole('button', { name: 'Decrease' })
      .click();
    await dialog.getByRole('checkbox', { name: /Peppersoup Blend/ }).uncheck();
    await expect(dialog.getByText('This is the last package')).toBeHidden();
    await dialog.getByLabel('Tracking number').fill('1Z 84F 29W 03 5518 2207');
    await expect(dialog.getByText('Recognized as UPS.')).toBeVisible();
    await expect(dialog.getByLabel('Carrier')).toHaveValue('ups');
    await dialog.getByRole('button', { name: 'Ship items' }).click();
    await expect(box('Package 1')).toContainText('UPS 1Z 84F 29W 03 5518 2207');
    await expect(box('Items')).toContainText('2 ordered, 1 shipped, 1 left to ship');
    await expect(owner.getByText('Partially shipped').first()).toBeVisible();
  });

  await test.step('the customer’s open page shows it', async () => {
    await expect(order).toContainText('Partially shipped');
    await expect(order).toContainText('Package 1 of 2 · UPS');
    await expect(order).toContainText('Not shipped yet');
    const track = order.getByRole('link', { name: 'Track package 1' });
    await expect(track).toHaveAttribute('href', 'https://www.ups.com/track?tracknum=1Z84F29W0355182207');
  });

  await test.step('the rest is undone, and then shipped by the status', async () => {
    await owner.getByRole('button', { name: 'Ship items' }).click();
    await dialog.getByRole('button', { name: 'Ship items' }).click();
    await expect(box('Package 2')).toBeVisible();
    const toast = owner.getByRole('status').filter({ hasText: 'Package 2' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect(box('Package 2')).toBeHidden();
    await owner.getByRole('button', { name: 'Status' }).click();
    await owner.getByRole('menuitemradio', { name: 'On Delivery' }).click();
    await expect(box('Package 2')).toContainText('No tracking');
    await expect(order).toContainText('Package 2 of 2');
  });

  await test.step('a number is added later', async () => {
    await owner.getByRole('button', { name: 'Edit tracking of package 2' }).click();
    await dialog.getByLabel('Tracking number').fill('9400 1118 9956 1842 7310 02');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(box('Package 2')).toContainText('USPS 9400 1118 9956 1842 7310 02');
    await expect(order.getByRole('link', { name: 'Track package 2' })).toBeVisible();
    await expect(order).toContainText('On Delivery');
  });
  await staff.close();
});

/** Two units of one product and one of another. */
async function buy(page: Page): Promise<{ orderId: string; orderNumber: string }> {
  const userId = await userOf(page.context());
  const found = await page.request.get('/api/public/catalog/changes?since=0');
  const { products } = ((await found.json()) as AnswerOf<'getCatalogChanges'>).data.changes;
  for (const [name, quantity] of [
    ['Afra Grill Rub', 2],
    ['Peppersoup Blend', 1],
  ] as const) {
    const productId = products.find((product) => product.name === name)?.id;
    await change(page, 'POST', `/public/cart/add/${userId}`, { data: { productId, quantity } });
  }
  await page.goto('/checkout');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await payWith(page, '4242 4242 4242 4242');
  await expect(page).toHaveURL(/\/customer\/order\/success/);
  const list = await page.request.get(`/api/public/order/customerorders/${userId}`);
  const [order] = ((await list.json()) as AnswerOf<'listCustomerOrders'>).data.orders.content;
  if (!order) throw new Error('the order is missing');
  return order;
}
