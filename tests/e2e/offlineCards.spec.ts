/** What a device without a connection shows of sizes and photos. Rules: docs/rules/catalog.md, Cards; docs/rules/offline.md */
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Locator, Page } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { change, makeProduct } from './calls';
import { expect, test, visitUntilSaved } from './offlineShop';

test.describe.configure({ mode: 'serial' }); // one device: it visits the shop, then the server is gone

let context: BrowserContext;
let page: Page;
let seen: string;
let unseen: string;
let sizes: string[] = [];

test.beforeAll(async ({ browser, shop, owner }) => {
  await shop.start();
  const viewport = { width: 390, height: 844 };
  context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', viewport, storageState: owner });
  page = await context.newPage();
  await page.goto('/contact');
  const small = await makeProduct(page, { name: 'Small rub offshore', price: '7.95' });
  const large = await makeProduct(page, { name: 'Large rub offshore', price: '26.50' });
  await change(page, 'PUT', `/admin/products/${large}/size-of`, { data: { sizeOf: small } });
  sizes = [small, large];
  seen = await makePhotographed('Seen pods offshore', ['app-icon-192', 'app-icon-512']);
  unseen = await makePhotographed('Unseen pods offshore', ['app-icon-180', 'app-icon-monochrome-512']);
  await visitUntilSaved(page);
  await page.goto(`/customer/view/product/${seen}`);
  await expect.poll(() => drawn(gallery())).toEqual(['pictures', 'pictures']);
  await shop.kill();
});
test.afterAll(async ({ shop }) => {
  await shop.start(); // other tests count what is sold
  for (const id of [seen, unseen, ...sizes]) await change(page, 'DELETE', `/admin/products/${id}`);
  await context.close();
});

/** @param files of folder public; no other product has them, as equal pictures share their files */
async function makePhotographed(name: string, files: string[]): Promise<string> {
  const id = await makeProduct(page, { name, price: '6.50' });
  for (const file of files) {
    const buffer = await readFile(`public/${file}.png`);
    const multipart = { file: { name: 'photo.png', mimeType: 'image/png', buffer } };
    await change(page, 'POST', `/admin/products/${id}/photos`, { multipart });
  }
  const readyPhotos = async () => {
    const answer = await page.request.get(`/api/public/products/${id}`);
    return ((await answer.json()) as AnswerOf<'getProduct'>).data.product.photos?.length;
  };
  await expect.poll(readyPhotos, { timeout: 120_000 }).toBe(files.length);
  return id;
}

const gallery = () => page.getByRole('region', { name: 'Photo 1 of 2' }).locator('img');

/** Those further along as well. @returns for each the folder or file that it shows, once it is drawn */
const drawn = (pictures: Locator) =>
  pictures.evaluateAll((images: HTMLImageElement[]) =>
    images.map((image) => {
      image.loading = 'eager';
      return image.naturalWidth > 0 ? new URL(image.currentSrc).pathname.split('/')[1] : undefined;
    }),
  );

test('a group is one card, whose sizes open and can be added', async () => {
  await page.goto('/search?q=rub+offshore');
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'from $7.95' });
  await expect(card).toHaveCount(1);
  await card.getByRole('button', { name: /^Choose a size/ }).click();
  const sizes = page.getByRole('dialog', { name: /^Sizes of Small rub/ });
  await sizes.getByRole('button', { name: /^Add Large rub/ }).click();
  await expect(sizes.getByRole('status')).toHaveText('1 in cart');
  await page.keyboard.press('Escape');
  const round = card.getByRole('button', { name: /1 in cart$/ });
  await expect(round).toBeFocused();
  const edge = () =>
    round.evaluate((button) => getComputedStyle(button.parentElement ?? button, '::after').borderStyle);
  expect(await edge()).toBe('dashed');
  await expect(round).toHaveCSS('background-clip', 'content-box'); // so the edge is not on its own color
});

test('the photos that were seen are there, and a placeholder is in the place of others', async () => {
  await page.goto(`/customer/view/product/${seen}`);
  await expect.poll(() => drawn(gallery())).toEqual(['pictures', 'pictures']);
  await page.goto(`/customer/view/product/${unseen}`);
  await expect.poll(() => drawn(gallery())).toEqual(['pictures', 'picture-missing.svg']);
});
