import type { Page } from 'playwright/test';
import { ownBrand, withOwnBrand } from '../ownBrand';
import { expect, signIn, test, untilAlive } from '../shop';

/** What the initial shop says about itself. The demo catalog, whose products are spices, stays. */
const initial = /Savory, Seasoning|Flavor your world|Gambian-owned|hello@example\.com|010-0142/;

/** What a person can read or hear, also in the title, and what search engines are told. */
const wordsOf = (page: Page) =>
  page.evaluate(() => {
    const spoken = [...document.querySelectorAll('[aria-label], [alt], [title], [content]')].flatMap((element) =>
      ['aria-label', 'alt', 'title', 'content'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [document.title, document.body.innerText, ...spoken].join('\n');
  });

async function expectOwnBrand(page: Page, where: string): Promise<void> {
  await untilAlive(page);
  await page.waitForLoadState('networkidle');
  expect(initial.exec(await wordsOf(page))?.[0], where).toBeUndefined();
  expect(await page.title(), where).toContain(ownBrand.shopName);
  expect(await page.evaluate(() => document.documentElement.dataset['palette']), where).toBe(ownBrand.palette);
}

const publicPages = ['/products/savory', '/search?q=pepper', '/contact', '/login', '/register', '/forgot-password'];
const signedInPages = [
  '/cart',
  '/checkout',
  '/customer/orders',
  '/customer/lists',
  '/customer/view/profile',
  '/nowhere',
];

test('once the app runs, no page says a word of the initial shop to a visitor or a customer of a shop with its own look', async ({
  page,
  browser,
  owner,
  shop,
  watch,
}) => {
  watch.expected.push(/404/); // the last page
  await withOwnBrand(browser, owner, shop.url, async () => {
    await page.goto('/');
    await expectOwnBrand(page, '/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ownBrand.bannerTitle);
    await expect(page.getByText(ownBrand.bannerText)).toBeVisible();
    expect((await page.locator('header img[src*="/pictures/"]').first().boundingBox())?.height).toBeLessThanOrEqual(42);
    await page.getByRole('main').getByRole('link', { name: 'Spices' }).first().click(); // from view to view, without the server
    await expect(page).toHaveURL(/\/products\/spices$/);
    await expectOwnBrand(page, 'a list');
    await page.getByRole('main').getByRole('link', { name: 'Grains of Selim' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Grains of Selim' })).toBeVisible();
    await expectOwnBrand(page, 'a product');
    for (const address of publicPages) {
      await page.goto(address);
      await expectOwnBrand(page, address);
    }
    await signIn(page);
    for (const address of signedInPages) {
      await page.goto(address);
      await expectOwnBrand(page, address);
    }
  });
});
