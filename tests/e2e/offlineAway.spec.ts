import type { Page } from 'playwright/test';
import { expect, test, visitUntilSaved } from './offlineShop';
import { ownerAccount, signIn, signInAs } from './shop';

test.describe.configure({ mode: 'default' }); // their setup is slow: one after the other

interface Step {
  at: number;
}
const lastStep = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('in-step') ?? '{"at":0}') as Step).at);

/** Moves the device's last sync back three hours, as if it had been away since; once. */
function beenAway(): void {
  const step = JSON.parse(localStorage.getItem('in-step') ?? 'null') as Step | null;
  if (!step || sessionStorage.getItem('has-been-away')) return;
  sessionStorage.setItem('has-been-away', 'yes');
  localStorage.setItem('in-step', JSON.stringify({ ...step, at: step.at - 3 * 60 * 60 * 1000 }));
}

/** Since when the device is in sync by this visit. */
async function untilInStep(page: Page, since: number): Promise<void> {
  await expect.poll(() => lastStep(page)).toBeGreaterThan(since);
}

test('a shopper who comes back after a price change is told once, and finds it under What changed', async ({
  browser,
  shop,
}) => {
  await shop.start({ OWNER_EMAIL: ownerAccount.email, OWNER_PASSWORD: ownerAccount.password });
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', viewport });
  let page = await context.newPage();
  await signIn(page);
  await visitUntilSaved(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  const href = await page.getByRole('link', { name: 'Afra Grill Rub' }).first().getAttribute('href');
  await page.goto('/cart');
  await expect(page.getByText('Afra Grill Rub').first()).toBeVisible();
  await untilInStep(page, 0);
  await page.close();

  const owner = await browser.newPage({ baseURL: shop.url, serviceWorkers: 'block' });
  await signInAs(owner, ownerAccount);
  await owner.goto(`/update/product/${href?.split('/').at(-1)}`);
  const price = owner.getByLabel('Price', { exact: true });
  const before = Number(await price.inputValue());
  await price.fill((before + 0.5).toFixed(2));
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(owner.getByText('Product updated')).toBeVisible();
  await owner.close();

  page = await context.newPage();
  const cameBack = Date.now();
  await page.addInitScript(beenAway); // before the app starts: it would continue from its last sync
  await page.goto('/products/spices');
  const sheet = page.getByRole('dialog', { name: 'While you were away' });
  await expect(sheet.getByRole('heading', { name: 'Prices 1' })).toBeVisible();
  const told = `was $${before.toFixed(2)} $${(before + 0.5).toFixed(2)} · in your cart`;
  await expect(sheet.getByRole('listitem')).toContainText([told]);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);

  await untilInStep(page, cameBack);
  await page.reload();
  await page.getByRole('button', { name: 'Account settings' }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Updates' }).click();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: told })).toBeVisible();

  await expect(sheet).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('in-step'))).not.toContain('"away"');

  await shop.kill();
  await page.close();
  page = await context.newPage();
  await page.goto('/customer/changes');
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: told })).toBeVisible();
  await page.goto('/products/savory');
  await expect(page.getByRole('main').getByText(/^As of \d+:\d\d/)).toBeVisible();
  await context.close();
});
