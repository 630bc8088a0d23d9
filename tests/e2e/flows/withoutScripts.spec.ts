import { expect, test } from '../shop';

test.use({ javaScriptEnabled: false });

test('without JavaScript the shop can be browsed by its links', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Spices' }).first().click();
  await expect(page).toHaveURL(/\/products\/spices$/);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/page=2$/);
  await page.getByRole('link', { name: 'Whole Cloves' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Whole Cloves' })).toBeVisible();
  expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Whole Cloves');
});

const product = '/customer/view/product/7ff42bbf-cce2-5263-98b5-d41cb2a4c1ce';
const pages: [url: string, text: string | RegExp][] = [
  ['/', 'About Us'],
  ['/products/savory', 'Domoda Peanut Base'],
  ['/products/savory?heat=1,2', /^\d+ products$/],
  ['/products/savory?utm_source=letter', 'Domoda Peanut Base'],
  [product, 'Domoda Peanut Base'],
  ['/contact', 'Full Name'],
  ['/login?redirect=%2Fcheckout', 'Remember me'],
  ['/register', 'ZIP code'],
  ['/forgot-password', 'Send link'],
];

test('every public page is complete without JavaScript', async ({ page }) => {
  for (const [url, text] of pages) {
    await page.goto(url);
    await expect(page.getByRole('main').getByText(text).first(), url).toBeVisible();
  }
});
