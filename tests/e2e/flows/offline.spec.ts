import type { BrowserContext, Page } from 'playwright/test';
import { expect, expectToOpen, storefrontRoutes, test, visitUntilSaved } from '../offlineShop';
import { signIn } from '../shop';

test.describe.configure({ mode: 'default' }); // what they start with takes long: one after the other

/** A customer whose connection breaks, and comes back. */
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ browser, shop }) => {
  await shop.start();
  const viewport = { width: 390, height: 844 };
  context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', viewport });
  page = await context.newPage();
  await signIn(page);
  await visitUntilSaved(page);
});
test.afterAll(() => context?.close());

const add = (name: string) => page.getByRole('button', { name: `Add to cart: ${name}` }).click();

test('the cart is edited without the server and with a tab that dies; later the server has it so, once', async ({
  shop,
}) => {
  await page.goto('/products/savory');
  await add('Afra Grill Rub');
  await add('Peppersoup Blend');
  await expect.poll(() => serverCart(context)).toEqual({ 'Afra Grill Rub': 1, 'Peppersoup Blend': 1 });
  await shop.kill();

  await page.goto('/products/spices');
  await add('Ground Cayenne Pepper');
  await expect(page.getByText('queued: will sync when online').first()).toBeVisible();
  await page.goto('/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of Afra Grill Rub' });
  await quantity.getByRole('button', { name: 'Increase' }).click();
  await quantity.getByRole('button', { name: 'Increase' }).click();
  await page.getByRole('button', { name: 'Remove Peppersoup Blend' }).click();
  await expect(page.getByRole('button', { name: 'Remove Peppersoup Blend' })).toHaveCount(0); // what is shown is kept
  await crash(page);

  page = await context.newPage();
  await page.goto('/cart');
  await expect(page.getByText('Ground Cayenne Pepper')).toBeVisible();
  await expect(page.getByText('Peppersoup Blend')).toHaveCount(0);
  await expect(page.getByText('Checkout needs a connection').first()).toBeVisible();
  await shop.start();
  await page.bringToFront();
  await page.reload();
  const intended = { 'Afra Grill Rub': 3, 'Ground Cayenne Pepper': 1 };
  await expect.poll(() => serverCart(context)).toEqual(intended);
  await expect(page.getByText('queued: will sync when online')).toHaveCount(0);
  await page.reload();
  expect(await serverCart(context)).toEqual(intended);
});

test('a customer’s own pages open cold too', async ({ shop }) => {
  const routes = await storefrontRoutes(page, 'customers');
  await page.goto('/customer/orders');
  await expect(page.getByText('No orders found.')).toBeVisible();
  await shop.kill();
  for (const route of routes) await expectToOpen(context, route);
});

/** What the server has, by name and quantity; asked beside the app, with its cookie. */
async function serverCart(context: BrowserContext): Promise<Record<string, number>> {
  const { origins } = await context.storageState();
  const root = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'root');
  const { id } = JSON.parse(root?.value ?? '{}') as { id: string };
  const answer = await context.request.get(`/api/public/cart/${id}`);
  const { data } = (await answer.json()) as {
    data: { cartResponse: { cartItems: { productName: string; quantity: number }[] } };
  };
  return Object.fromEntries(data.cartResponse.cartItems.map(({ productName, quantity }) => [productName, quantity]));
}

/** The tab dies as one that runs out of memory does. */
async function crash(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  debug.send('Page.crash').catch(() => undefined); // never answered
  await crashed;
  await page.close();
}
