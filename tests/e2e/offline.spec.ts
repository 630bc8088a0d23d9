import type { BrowserContext, Locator, Page } from 'playwright/test';
import { expect, expectToOpen, storefrontRoutes, test, visitUntilSaved } from './offlineShop';

test.describe.configure({ mode: 'default' }); // their setup is slow: one after the other

/** One visit to the home page, then the server is gone: what a visitor finds on the device. */
let context: BrowserContext;
let routes: string[];
test.beforeAll(async ({ browser, shop }) => {
  await shop.start();
  context = await browser.newContext({
    baseURL: shop.url,
    serviceWorkers: 'allow',
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await visitUntilSaved(page);
  routes = await storefrontRoutes(page, 'everybody');
  await page.close();
  await shop.kill();
});
test.afterAll(() => context.close());

/** Those further down as well. @returns for each, whether it is visible */
const drawAll = (pictures: Locator) =>
  pictures.evaluateAll((images: HTMLImageElement[]) =>
    Promise.all(
      images.map((image) => {
        image.loading = 'eager';
        return image.decode().then(
          () => image.naturalWidth > 0,
          () => false,
        );
      }),
    ),
  );

const widthOf = (picture: Locator) => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);

async function open(address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test('every storefront page opens cold, with its content or an honest sentence', async () => {
  expect(routes.length).toBeGreaterThanOrEqual(7);
  for (const route of routes) await expectToOpen(context, route);
});

test('all products are there, each with its picture', async () => {
  const names = new Set<string>();
  for (const address of ['savory', 'savory?page=2', 'spices', 'spices?page=2']) {
    const page = await open(`/products/${address}`);
    const cards = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') });
    await expect(cards.first()).toBeVisible();
    for (const name of await cards.getByRole('heading').allInnerTexts()) names.add(name);
    expect(await drawAll(cards.locator('img'))).toEqual(Array.from({ length: await cards.count() }, () => true));
    await page.close();
  }
  expect(names.size).toBe(36);
});

test('search forgives a typo', async () => {
  const page = await open('/search?q=cayene');
  await expect(page.getByRole('main').getByRole('link', { name: 'Ground Cayenne Pepper' })).toBeVisible();
  await page.close();
});

test('a large picture is replaced by the small one, and an unknown URL gets the shop’s own 404', async () => {
  const page = await open('/products/spices');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('main').getByRole('link', { name: 'Ground Cayenne Pepper' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ground Cayenne Pepper' })).toBeVisible();
  const picture = page.getByRole('main').locator('img').first();
  await expect.poll(() => widthOf(picture)).toBeGreaterThan(0);
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc))
    .toMatch(/-(?:640|1280)\.\w+$/);
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
  await page.close();
});
