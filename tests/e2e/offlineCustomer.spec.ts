import { expect, expectToOpen, storefrontRoutes, test, visitUntilSaved } from './offlineShop';
import { signIn } from './shop';

test('a customer’s own pages open cold', async ({ browser, shop }) => {
  await shop.start();
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', viewport });
  const page = await context.newPage();
  await signIn(page);
  await visitUntilSaved(page);
  const routes = await storefrontRoutes(page, 'customers');
  await page.goto('/customer/orders');
  await expect(page.getByText('No orders found.')).toBeVisible();
  await shop.kill();
  for (const route of routes) await expectToOpen(context, route);
  await context.close();
});
