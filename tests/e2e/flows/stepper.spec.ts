import type { Page } from 'playwright/test';
import { serverCart } from '../calls';
import { expect, keepToast, signIn, test } from '../shop';

const name = 'Domoda Peanut Base';
const card = (page: Page) => page.getByRole('listitem').filter({ hasText: name });
const plus = (page: Page) => card(page).getByRole('button', { name: `Add ${name} to cart` });
const toasts = (page: Page) => page.getByRole('status').filter({ hasText: 'Item added to cart successfully' });

async function openList(page: Page): Promise<void> {
  await signIn(page);
  await page.goto('/products/savory');
  await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible();
}

test('four of a product take four taps, one change and one toast, and nothing moves in the grid', async ({
  page,
  context,
}) => {
  await openList(page);
  await expect(card(page).getByRole('button', { name: `Add to list: ${name}` })).toBeVisible(); // all parts are there
  const changes: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
  const before = await Promise.all([plus(page).boundingBox(), card(page).boundingBox()]);
  await plus(page).click({ trial: true }); // nothing lies over it
  await plus(page).evaluate((button: HTMLElement) => {
    for (const _ of [1, 2, 3, 4]) button.click(); // on a busy machine the driver's clicks come one by one
  });
  await expect(card(page).getByRole('status')).toHaveText('4 in cart');
  await expect(toasts(page)).toContainText(`${name} · 4 in cart`);
  await expect(toasts(page)).toHaveCount(1);
  expect(changes.filter((url) => url.includes('/cart/'))).toHaveLength(1);
  expect(await Promise.all([plus(page).boundingBox(), card(page).boundingBox()])).toEqual(before);
  expect(await serverCart(context)).toEqual({ [name]: 4 });
  await page.getByRole('link', { name: 'View cart' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cart' })).toBeVisible();
  await expect(toasts(page)).toHaveCount(0); // it went with its page
});

test('on a phone one toast is shown at a time, above the bars and under an open menu', async ({ page }) => {
  await openList(page);
  await plus(page).click();
  await expect(toasts(page)).toBeVisible();
  await card(page)
    .getByRole('button', { name: `Remove ${name}` })
    .click();
  const removed = page.getByRole('status').filter({ hasText: 'Item removed from cart' });
  await expect(removed).toBeVisible();
  await expect(toasts(page)).toBeHidden();

  await page.getByRole('main').getByRole('link', { name }).click();
  const bar = page.locator('main [data-bar]');
  await expect(bar).toBeVisible();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await keepToast(toasts(page));
  await expect(toasts(page)).toBeVisible();
  const [toast, barBox] = await Promise.all([toasts(page).boundingBox(), bar.boundingBox()]);
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(barBox?.y ?? 0);
  await page.getByRole('button', { name: 'Products' }).filter({ visible: true }).press('Enter');
  const menu = page.getByRole('menu', { name: 'Products' });
  await expect(menu).toBeVisible();
  const isOnTop = (at: { x: number; y: number }) => {
    const top = document.elementFromPoint(at.x, at.y);
    return top?.closest('[role=status]') !== null;
  };
  const middle = { x: (toast?.x ?? 0) + 40, y: (toast?.y ?? 0) + 20 };
  expect(await page.evaluate(isOnTop, middle)).toBe(false);
});

test('on a low screen the product’s bar stands in the page instead', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await openList(page);
  await page.getByRole('main').getByRole('link', { name }).click();
  await expect(page.locator('main [data-bar]')).toHaveCSS('position', 'static');
});
