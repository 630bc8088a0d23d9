import type { BrowserContext, Page } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { expect, test } from './offlineShop';

test.describe.configure({ mode: 'serial' }); // one device, whose owner saves data

let context: BrowserContext;
let page: Page;
const fetched = new Set<string>();
test.beforeAll(async ({ browser, shop }) => {
  await shop.start();
  context = await browser.newContext({
    baseURL: shop.url,
    serviceWorkers: 'allow',
    viewport: { width: 390, height: 844 },
  });
  await context.addInitScript(() => {
    const value = Object.assign(new EventTarget(), { saveData: true });
    Object.defineProperty(navigator, 'connection', { value });
  });
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/pictures/')) fetched.add(pathname);
  });
  page = await context.newPage();
});
test.afterAll(() => context.close());

const footer = () => page.getByRole('contentinfo');
const status = () => footer().getByRole('status');

/** Each stored picture with the bytes of its file. */
const keptPictures = () =>
  page.evaluate(async () => {
    const kept = await caches.open('pictures');
    const sizeOf = async (request: Request) => (await (await kept.match(request))?.blob())?.size ?? 0;
    return Promise.all((await kept.keys()).map(async (request) => [request.url, await sizeOf(request)] as const));
  });

/** Counts the pictures of all products, of archived ones as well: orders show them. */
async function countShopPictures(): Promise<number> {
  const answer = await page.request.get('/api/public/catalog/changes?since=0');
  const { changes } = ((await answer.json()) as AnswerOf<'getCatalogChanges'>).data;
  return new Set(changes.products.flatMap(({ picture }) => picture?.base ?? [])).size;
}

test('a first visit stores the catalog, and fetches only the pictures on its page', async () => {
  await page.goto('/products/savory');
  await expect(status()).toHaveText('Catalog saved without photos', { timeout: 120_000 });
  const shown = await page.evaluate(() => [...document.images].map((image) => new URL(image.currentSrc).pathname));
  expect(shown.length).toBeGreaterThan(0);
  expect([...fetched].filter((pathname) => !shown.includes(pathname))).toEqual([]);
  expect(await keptPictures()).toEqual([]);
});

test('without a connection a product without its picture shows a placeholder, until there is one', async ({ shop }) => {
  await shop.kill();
  await page.goto('/products/spices');
  const picture = page.getByRole('main').getByRole('listitem').locator('img').first();
  const fileOf = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0 && image.currentSrc);
  await expect.poll(fileOf).toContain('/picture-missing.svg');
  expect(await picture.evaluate((image) => image.style.backgroundColor)).toMatch(/^rgb/); // its color stays beneath
  await shop.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(fileOf).toMatch(/\/pictures\/.*avif$/);
});

test('a button shows the download size, and starts the download', async () => {
  const button = footer().getByRole('button');
  await expect(button).toHaveText('Save photos too (0.3 MB)');
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await button.click();
  await expect(status()).toHaveText('Saved for offline');
  const kept = await keptPictures();
  expect(kept).toHaveLength((await countShopPictures()) + 2); // with the home page's own
  const bytes = kept.reduce((sum, [, size]) => sum + size, 0);
  expect((bytes / 1_000_000).toFixed(1)).toBe('0.3');
});

test('the choice is stored on the device, and can be reverted', async () => {
  await page.reload();
  await expect(status()).toHaveText('Saved for offline');
  const button = footer().getByRole('button');
  await expect(button).toHaveText('Stop saving photos');
  await button.press('Enter');
  await expect(button).toHaveText('Save new photos too');
  await expect(button).toBeFocused();
  await page.reload();
  await expect(button).toHaveText('Save new photos too');
  await expect(status()).toHaveText('Saved for offline'); // stored pictures stay
});

test('missing pictures come automatically once data saving is off', async () => {
  await page.evaluate(() => caches.delete('pictures'));
  await page.reload();
  await expect(status()).toHaveText('Catalog saved without photos');
  await page.evaluate(() => {
    const { connection } = navigator as unknown as { connection: EventTarget };
    Object.assign(connection, { saveData: false });
    connection.dispatchEvent(new Event('change'));
  });
  await expect(status()).toHaveText('Saved for offline');
  await expect(footer().getByRole('button')).toHaveCount(0);
  expect(await keptPictures()).toHaveLength((await countShopPictures()) + 2);
});
