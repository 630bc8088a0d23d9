import type { Page } from 'playwright/test';
import { expect, login, newAccount, register, test } from './shop';

/** Public pages as the server draws them and the browser takes them over. Console errors fail every test (shop.ts). */
const product = '/customer/view/product/7ff42bbf-cce2-5263-98b5-d41cb2a4c1ce';
const pages: [what: string, url: string, text: string | RegExp][] = [
  ['home', '/', 'About Us'],
  ['a list', '/products/savory', 'Domoda Peanut Base'],
  ['its second page', '/products/spices?page=2', 'Whole Cloves'],
  ['a filtered list', '/products/savory?heat=1,2', /\d+–\d+ of \d+/],
  ['a list with more in its address', '/products/savory?utm_source=letter', 'Domoda Peanut Base'],
  ['a product', product, 'Domoda Peanut Base'],
];
const nowhere: [what: string, url: string][] = [
  ['an unknown page', '/nothing'],
  ['an unknown category', '/products/none'],
  ['an unknown product', '/customer/view/product/00000000-0000-4000-8000-000000000000'],
];

for (const [what, url, text] of pages) {
  test(`${what} is taken over as it is: no second request, no shift, no element anew`, async ({ page }) => {
    const calls = callsOf(page);
    await watchPage(page);
    const response = await page.goto(url);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
    await untilTakenOver(page);
    expect(calls).toEqual([]);
    expect(await page.evaluate(() => window.seen.isSame())).toBe(true);
    expect(await page.evaluate(() => window.seen.shift)).toBeLessThan(0.02);
    expect(await page.locator('style[data-emotion]').count()).toBeGreaterThan(0);
    expect(await page.title()).toContain('Savory, Seasoning & Spices');
    expect(await page.locator('title').count()).toBe(1);
  });

  test(`${what} says all it has to say without JavaScript`, async ({ browser, baseURL, viewport }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '', viewport });
    const page = await context.newPage();
    await page.goto(url);
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
    await context.close();
  });
}

for (const [what, url] of nowhere) {
  test(`${what} is a 404 that is taken over as it is`, async ({ page, watch }) => {
    watch.expected.push(/404 \(Not Found\)/); // the page itself
    const calls = callsOf(page);
    await watchPage(page);
    expect((await page.goto(url))?.status()).toBe(404);
    await untilTakenOver(page);
    await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
    expect(calls).toEqual([]);
    expect(await page.evaluate(() => window.seen.isSame())).toBe(true);
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
  });
}

test('without JavaScript the shop can be walked through by its links', async ({ browser, baseURL, viewport }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '', viewport });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'spices' }).first().click();
  await expect(page).toHaveURL(/\/products\/spices$/);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/page=2$/);
  await page.getByRole('link', { name: 'Whole Cloves' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Whole Cloves' })).toBeVisible();
  expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Whole Cloves');
  await context.close();
});

test('a signed-in user’s own parts appear without moving anything', async ({ page }) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await login(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  await watchPage(page);
  for (const url of ['/', '/products/savory', product]) {
    await page.goto(url);
    await expect(page.getByRole('button', { name: 'Settings' }).first()).toBeAttached();
    await untilTakenOver(page);
    expect(await page.evaluate(() => window.seen.isSame())).toBe(true);
    expect(await page.evaluate(() => window.seen.shift), url).toBeLessThan(0.02);
  }
});

test('the page of another product has its own title and data after a click', async ({ page }) => {
  await page.goto('/products/savory');
  await page.getByRole('link', { name: 'Domoda Peanut Base' }).click();
  await expect(page).toHaveTitle('Domoda Peanut Base | Savory, Seasoning & Spices');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${product}$`));
  await page.goBack();
  await expect(page).toHaveTitle('Savory & Seasoning | Savory, Seasoning & Spices');
});

declare global {
  interface Window {
    seen: { shift: number; isSame: () => boolean };
  }
}

/** Remembers what the server drew, and adds up what moves. */
const watchPage = (page: Page) =>
  page.addInitScript(() => {
    const drawn: (Element | null)[] = [];
    const parts = ['header', 'main', 'main h1', 'footer'];
    const find = () => parts.map((part) => document.querySelector(part));
    document.addEventListener('DOMContentLoaded', () => drawn.push(...find()));
    window.seen = {
      shift: 0,
      isSame: () => find().every((part, index) => part !== null && part === drawn[index]),
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** React has taken over, and the network and the layout have come to rest. */
async function untilTakenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactProps'));
  });
  await page.waitForLoadState('networkidle');
}

function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
  });
  return calls;
}
