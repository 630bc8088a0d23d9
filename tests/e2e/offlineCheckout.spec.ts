import type { BrowserContext } from 'playwright/test';
import { expect, test, visitUntilSaved } from './offlineShop';
import { signIn } from './shop';

/**
 * With a publishable key the checkout is the server's own page: it bypasses the service worker, and only it has the
 * script.
 */
test('the payment provider’s script is loaded on /checkout only, also from the cart and with an active worker', async ({
  shop,
  browser,
}) => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  };
  await shop.start(keys);
  const context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow' });
  const asked = await stubProvider(context);
  const page = await context.newPage();
  const policies: string[] = [];
  page.on('console', (message) => message.text().includes('Content Security Policy') && policies.push(message.text()));
  await signIn(page);
  await visitUntilSaved(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await page.goto('/cart');
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  expect(asked).toEqual([]);

  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await expect(page.getByRole('heading', { name: 'Cart Summary' })).toBeVisible();
  await expect.poll(() => asked).toEqual(['https://js.stripe.com/endive/stripe.js from /checkout']);
  expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name)).toBe(`${shop.url}/checkout`);
  await expect.poll(() => page.evaluate(() => 'Stripe' in window)).toBe(true);

  await page.getByRole('button', { name: 'Back to Cart' }).click();
  await expect(page.getByRole('button', { name: 'Proceed to Checkout' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => 'Stripe' in window).catch(() => true)).toBe(false);
  expect(asked).toHaveLength(1);

  await shop.kill();
  await page.goto('/checkout');
  await expect(page.getByText('Get this order ready now')).toBeVisible();
  expect(asked).toHaveLength(1);
  expect(policies).toEqual([]);
  await context.close();
});

/** The provider's host is unreachable from here. @returns the requests to it, and from which page */
async function stubProvider(context: BrowserContext): Promise<string[]> {
  const asked: string[] = [];
  await context.route('https://js.stripe.com/**', (route) => {
    const request = route.request();
    asked.push(`${request.url()} from ${new URL(request.frame().url()).pathname}`);
    return route.fulfill({ contentType: 'text/javascript', body: 'window.Stripe = () => ({})' });
  });
  return asked;
}
