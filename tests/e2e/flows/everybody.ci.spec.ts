/** Pages at the width of a small phone, with names of maximum length: nothing is wider, and axe finds nothing. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright/test';
import { makeProduct } from '../calls';
import { expect, newAccount, openEmptyPage, register, signIn, test, untilAlive } from '../shop';

test.use({ viewport: { width: 360, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const longName =
  'Smoked and slowly roasted peppercorns of the northern highlands with unbelievably concentrated aromas, ground coarsely';

test('pages of the storefront fit a small phone with long names, and are accessible', async ({
  page,
  browser,
  baseURL,
  owner,
}) => {
  const staff = await browser.newPage({ baseURL: baseURL ?? '', storageState: owner, serviceWorkers: 'block' });
  await openEmptyPage(staff);
  const id = await makeProduct(staff, { name: longName, price: '9999.99' });
  await staff.close();
  await expectToFit(page, '/', '/login');
  await signIn(page);
  await expectToFit(page, `/customer/view/product/${id}`);
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await expectToFit(page, `/search?q=${longName.slice(0, 18)}`, '/cart', '/checkout');
});

test('pages of the back office fit a small phone with long names, and are accessible', async ({
  browser,
  baseURL,
  owner,
}) => {
  const page = await browser.newPage({
    baseURL: baseURL ?? '',
    storageState: owner,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
  });
  await openEmptyPage(page);
  const id = await makeProduct(page, { name: longName, price: '9999.99' });
  await expectToFit(page, '/dashboard', '/products?sort=-createdAt', `/update/product/${id}`, '/ordered/products');
  await page.close();
});

/** User text is not always made of short words. */
const unbroken = {
  name: 'Supercalifragilisticexpialidocious'.repeat(4).slice(0, 118),
  email: `${'long-name.of-somebody'.repeat(2)}${Date.now()}@example-kitchens.com`,
  url: `https://example.com/${'track-and-trace'.repeat(5)}`.slice(0, 90),
};

test('text without a space makes no page wider than the screen', async ({ page, browser, baseURL, owner }) => {
  const staff = await browser.newPage({ baseURL: baseURL ?? '', storageState: owner, serviceWorkers: 'block' });
  await openEmptyPage(staff);
  const id = await makeProduct(staff, { name: unbroken.name, price: '9999.99' });
  await staff.close();
  await page.goto('/register');
  await untilAlive(page);
  const account = { ...newAccount(), fullName: unbroken.name.slice(0, 60), email: unbroken.email };
  await register(page, account);
  await expect(page.getByText('Registration successful!')).toBeVisible();
  await page.goto(`/customer/view/product/${id}`);
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  const wide: string[] = [];
  const addresses = [
    `/customer/view/product/${id}`,
    `/search?q=${unbroken.name.slice(0, 18)}`,
    `/search?q=${encodeURIComponent(unbroken.url)}`,
    '/cart',
    '/checkout',
    '/customer/orders',
    '/customer/view/profile',
    '/customer/view/addresses',
    '/contact',
    '/reset-password',
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole('main').getByRole('heading').first(), address).toBeVisible();
    await expect(page.locator('main').locator('[aria-busy=true], .skeleton'), address).toHaveCount(0);
    for (const width of [320, 360, 390, 1024]) {
      await page.setViewportSize({ width, height: 740 });
      const is = await page.evaluate(() => document.documentElement.scrollWidth);
      if (is > width) wide.push(`${address} at ${width}: ${is}`);
    }
  }
  expect(wide).toEqual([]);
});

async function expectToFit(page: Page, ...addresses: string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole('main').getByRole('heading').first(), address).toBeVisible();
    await expect(page.locator('main').locator('[aria-busy=true], .skeleton'), address).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(360);
    await page.evaluate(axeScript);
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof Axe };
      return (await axe.run(document, { resultTypes: ['violations'] })).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
    });
    expect(found, address).toEqual([]);
  }
}
