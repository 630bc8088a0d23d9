import type { Page } from 'playwright/test';
import { serverCart } from '../calls';
import { expect, test, visitUntilSaved } from '../offlineShop';
import { endWorkers, signIn } from '../shop';

test('without the server the app opens cold and the cart is edited, with a tab that dies; later the server has the changes, once', async ({
  browser,
  shop,
  viewport,
}) => {
  await shop.start();
  const context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', viewport });
  let page = await context.newPage();
  const add = (name: string) => page.getByRole('button', { name: `Add ${name} to cart` }).click();
  await signIn(page);
  await visitUntilSaved(page);
  await page.goto('/products/savory');
  await add('Afra Grill Rub');
  await add('Peppersoup Blend');
  await expect.poll(() => serverCart(context)).toEqual({ 'Afra Grill Rub': 1, 'Peppersoup Blend': 1 });
  await shop.kill();
  await endWorkers(page);
  await page.close();

  page = await context.newPage();
  await page.goto('/products/spices');
  await expect(page.getByRole('heading', { level: 1, name: 'Spices' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Ground Cayenne Pepper' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ground Cayenne Pepper' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText("Saved. We'll sync it when you're back online.").first()).toBeVisible();
  const stepper = page.getByRole('group', { name: 'Quantity of Ground Cayenne Pepper' });
  for (const _ of [1, 2, 3]) await stepper.getByRole('button', { name: 'Increase' }).click();
  await expect(stepper.getByRole('status')).toHaveText('4');
  await page.goto('/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of Afra Grill Rub' });
  await quantity.getByRole('button', { name: 'Increase' }).click();
  await quantity.getByRole('button', { name: 'Increase' }).click();
  await page.getByRole('button', { name: 'Remove Peppersoup Blend' }).click();
  await expect(page.getByRole('button', { name: 'Remove Peppersoup Blend' })).toHaveCount(0); // what is shown is stored
  await crash(page);

  page = await context.newPage();
  await page.goto('/cart');
  await expect(page.getByText('Ground Cayenne Pepper')).toBeVisible();
  await expect(page.getByText('Peppersoup Blend')).toHaveCount(0);
  await expect(page.getByText('Go online to check out').first()).toBeVisible();
  await shop.start();
  await page.reload();
  const intended = { 'Afra Grill Rub': 3, 'Ground Cayenne Pepper': 4 };
  await expect.poll(() => serverCart(context)).toEqual(intended);
  await expect(page.getByText("Saved. We'll sync it when you're back online.")).toHaveCount(0);
  await page.reload();
  expect(await serverCart(context)).toEqual(intended);
  await context.close();
});

/** The tab dies like one that runs out of memory. */
async function crash(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  debug.send('Page.crash').catch(() => undefined); // never answered
  await crashed;
  await page.close();
}
