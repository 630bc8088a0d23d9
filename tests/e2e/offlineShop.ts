/** Shared by the offline tests: a shop whose server can be killed and restarted, and a persistent browser. */
import { type BrowserContext, expect, type Page } from 'playwright/test';
import { test as base, type RunningShop, untilAlive } from './shop';

export { expect };
export type OfflineShop = RunningShop;

/**
 * The service worker is the real one, and a page may report a failed call. A test starts the shop before it uses it.
 */
export const test = base.extend({
  serviceWorkers: 'allow',
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names of what a fixture needs
  watch: async ({}, provide) => provide({ expected: [] }),
});

/** Opens the home page and waits until the whole shop is on the device. */
export async function visitUntilSaved(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByText('Saved for offline')).toBeVisible({ timeout: 120_000 });
}

/** The URLs of the storefront in the running app. Go online to use the back office and is left out. */
export async function storefrontRoutes(page: Page, forWhom: 'everybody' | 'customers'): Promise<string[]> {
  await untilAlive(page);
  const routes = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: { routesById: Record<string, Route> } };
    return Object.values(router.routesById)
      .filter(({ id, fullPath, options }) => options.component && options.path && !/admin/.test(id + fullPath))
      .map(({ id, fullPath }) => ({ id, fullPath }));
  });
  await page.goto('/products/savory');
  const product = await page.locator('main a[href^="/customer/view/product/"]').first().getAttribute('href');
  return routes
    .filter(({ id }) => /\/(?:signed-in|kitchen)\//.test(id) === (forWhom === 'customers'))
    .filter(({ fullPath }) => !fullPath.includes('$listId')) // for an existing list: kitchen.spec.ts
    .map(({ fullPath }) => (fullPath.includes('$id') ? (product ?? '') : fullPath.replace('$category', 'savory')));
}
interface Route {
  id: string;
  fullPath: string;
  options: { path?: string; component?: unknown };
}

/** Opens a URL in a separate tab: it has content, and nothing waits forever. */
export async function expectToOpen(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(address);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading').first(), address).toBeVisible();
  await expect(main.locator('[aria-busy=true], .skeleton'), address).toHaveCount(0);
  await expect(main, address).not.toContainText(/Something went wrong|404 not found/);
  expect((await main.innerText()).trim().length, address).toBeGreaterThan(20);
  await page.close();
}
