import { accentOf } from '../../src/shared/brandPalettes';
import { expect, test, visitUntilSaved } from './offlineShop';
import { ownBrand, withOwnBrand } from './ownBrand';

test('without a connection a page has the shop’s colors from its first paint, and its name and logo', async ({
  page,
  context,
  browser,
  owner,
  shop,
}) => {
  await shop.start();
  await withOwnBrand(browser, owner, shop.url, async () => {
    await visitUntilSaved(page);
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('#root')?.firstElementChild) return;
        observer.disconnect();
        const color = getComputedStyle(document.documentElement).getPropertyValue('--c-colors-wonjo-600');
        Object.assign(window, { firstColor: color.toUpperCase() });
      }).observe(document, { childList: true, subtree: true });
    });
    await context.setOffline(true);
    await page.goto('/products/savory');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => 'firstColor' in window && window.firstColor)).toBe(accentOf(ownBrand.palette));
    await expect(page.locator('header').getByText(ownBrand.shopName).first()).toBeAttached();
    await context.setOffline(false);
  });
});
