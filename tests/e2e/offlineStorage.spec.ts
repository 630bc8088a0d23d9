import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright/test';
import { expect, type OfflineShop, test, visitUntilSaved } from './offlineShop';
import { signIn } from './shop';

/** A device without free space, and a public network that intercepts the shop. */
const newPage = (browser: Browser, shop: OfflineShop) =>
  browser.newPage({ baseURL: shop.url, serviceWorkers: 'allow', viewport: { width: 390, height: 844 } });

test.describe.configure({ mode: 'serial' });
test.beforeAll(({ shop }) => shop.start());

/** @param quotaSize in bytes; without one the browser's own */
async function limitStorage(page: Page, quotaSize?: number): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await debug.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== undefined && { quotaSize }) });
}

test('a device without free space says so, and the shop works with a connection', async ({ browser, shop }) => {
  const page = await newPage(browser, shop);
  await page.goto('/robots.txt');
  await limitStorage(page, 200_000);
  await page.goto('/');
  await expect(page.getByText("There isn't enough space on this device")).toBeVisible({ timeout: 120_000 });
  await page
    .getByRole('link', { name: 'Ground Cayenne Pepper' })
    .or(page.getByRole('link', { name: 'Spices' }))
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Saved for offline')).toHaveCount(0);
  await page.context().close();
});

let page: Page;
test.afterAll(() => page?.context().close());

test('unsent changes stay when space runs out, and are sent later', async ({ browser, shop }) => {
  page = await newPage(browser, shop);
  await signIn(page);
  await visitUntilSaved(page);
  await shop.kill();
  await page.goto('/products/spices');
  await page.getByRole('button', { name: 'Add Ground Cayenne Pepper to cart' }).click();
  await expect(page.getByText("Saved. We'll sync it when you're back online.").first()).toBeVisible();
  await page.goto('/cart');
  await expect(page.getByRole('table').getByText("Saved. We'll sync it when you're back online.")).toBeVisible();
  await limitStorage(page, 1);
  await page.evaluate(() =>
    caches
      .open('pictures-seen')
      .then((seen) => seen.put('/x', new Response('x'.repeat(9999))))
      .catch(() => undefined),
  );
  await page.reload();
  await expect(page.getByRole('table').getByText('Ground Cayenne Pepper')).toBeVisible();
  await shop.start();
  await page.reload();
  await expect(page.getByText("Saved. We'll sync it when you're back online.")).toHaveCount(0);
  await expect(page.getByRole('table').getByText('Ground Cayenne Pepper')).toBeVisible();
  await limitStorage(page);
});

test('the login page of a public network is shown instead of a page, and cached nowhere', async ({ shop }) => {
  await page.goto('/products/spices');
  await shop.kill();
  const portal = await openPortal(Number(new URL(shop.url).port));
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const looked = registration?.update().catch(() => undefined);
    await Promise.race([looked, new Promise((resolve) => setTimeout(resolve, 3000))]); // a busy browser delays it
  });
  // a user who cannot see it cannot log in to the network
  await expect(async () => {
    await page.goto('/products/savory', { timeout: 15_000 });
    await expect(page.getByText('Accept the terms of this network')).toBeVisible();
  }).toPass();
  await closePortal(portal);
  await page.goto('/products/savory');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const cached = await page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) texts.push((await (await cache.match(request))?.text()) ?? '');
    }
    return texts.filter((text) => text.includes('terms of this network')).length;
  });
  expect(cached).toBe(0);
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
});

const openPortal = (port: number) =>
  new Promise<Server>((resolve) => {
    const portal = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>Accept the terms of this network</h1>');
    });
    portal.listen(port, 'localhost', () => resolve(portal));
  });

const closePortal = (portal: Server) =>
  new Promise((resolve) => {
    portal.close(resolve);
    portal.closeAllConnections();
  });
