import type { BrowserContext, Page } from 'playwright/test';
import type { AnswerOf } from '../../../src/shared/contract';
import { expect, test, visitUntilSaved } from '../offlineShop';
import { signIn, signInAs } from '../shop';

/** A customer prepares an order offline; back online, only a press places it. */
test('an order waits through reloads, shows what changed, and is one order after one press', async ({
  browser,
  shop,
}) => {
  await shop.start();
  const options = { baseURL: shop.url, serviceWorkers: 'allow', viewport: { width: 390, height: 844 } } as const;
  const context = await browser.newContext(options);
  let page = await context.newPage();
  const account = await signIn(page);
  await visitUntilSaved(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await page.goto('/checkout');
  await expect(page.getByText('12 Market Street')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await shop.kill();

  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect(page.getByText('Get this order ready now')).toBeVisible();
  await page.getByText('12 Market Street').click();
  await page.getByRole('button', { name: 'Order when online' }).click();
  await expect(page.getByText("Order ready to place when you're online")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Order ready to place when you're online")).toBeVisible();
  await page.close();

  await shop.start();
  const other = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'block' });
  await addElsewhere(await other.newPage(), account);
  page = await context.newPage();
  await page.goto('/products/savory');
  await expect(page.getByText('Your order is ready to place. Nothing has been ordered yet.')).toBeVisible();
  expect(await ordersOf(context, page)).toEqual([]);
  await page.getByRole('link', { name: 'View order' }).click();
  await expect(page.getByRole('heading', { name: 'Your order is ready to place' })).toBeFocused();
  await expect(page.getByText('1 in this order, added later')).toBeVisible();
  await expect(page.getByText(/^The total is now \$/)).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 in this order, added later')).toBeVisible();
  expect(await ordersOf(context, page)).toEqual([]);

  const place = page.getByRole('button', { name: 'Place Order' });
  await expect(place).toBeEnabled();
  await place.dblclick();
  await page.waitForURL((url) => url.origin !== shop.url);
  await page.goto('/cart');
  await expect(page.getByRole('heading', { name: 'Cart' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByText('Your order is ready to place. Nothing has been ordered yet.')).toHaveCount(0);
  expect(await ordersOf(context, page)).toHaveLength(1);
  await other.close();
  await context.close();
});

/** From another device of the same customer. */
async function addElsewhere(page: Page, account: Parameters<typeof signInAs>[1]): Promise<void> {
  await signInAs(page, account);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Peppersoup Blend to cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible();
  await page.waitForLoadState('networkidle');
}

/** What the server has, requested outside the app with its cookie. */
async function ordersOf(context: BrowserContext, page: Page): Promise<unknown[]> {
  const userId = await page.evaluate(() => (JSON.parse(localStorage.getItem('root') ?? '{}') as { id: string }).id);
  const answer = await context.request.get(`/api/public/order/customerorders/${userId}`);
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as AnswerOf<'listCustomerOrders'>).data.orders.content;
}
