import type { Browser, Page } from 'playwright/test';
import { categoryTitle } from '../../src/shared/catalog';
import type { AnswerOf } from '../../src/shared/contract';
import { formatMoney, toCents } from '../../src/shared/money';
import { expect, login, ownerAccount, payWith, proofLinkTo, signIn, test } from './shop';

/** A day of the shop from the owner's and the shopper's side, each in a separate browser. */
const picture = 'public/app-icon-180.png';

test('the owner creates a product, a shopper buys it twice, and the orders are shipped, delivered and refunded', async ({
  page: owner,
  browser,
  shop,
}, { project }) => {
  test.setTimeout(480_000);
  const shopper = await openShopper(browser, shop.url);
  const account = await signIn(shopper);
  const category = `grains-${Date.now().toString(36)}`;
  const product = `Roasted Grains ${project.name}`;

  await test.step('a category and a product with a picture', async () => {
    await owner.goto('/login');
    await login(owner, ownerAccount);
    await expect(owner.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await owner.goto('/new/product/category');
    await owner.getByLabel('Name').fill(category);
    await owner.getByLabel('Description').fill('Whole grains');
    await owner.getByRole('button', { name: 'Save' }).click();
    await expect(owner.getByRole('link', { name: categoryTitle({ name: category }) })).toBeVisible();
    await owner.goto('/new/product');
    await owner.getByLabel('Name', { exact: true }).fill(product);
    await owner.getByLabel('Price', { exact: true }).fill('12.50');
    await owner.getByLabel('Quantity').fill('20');
    await owner.getByLabel('Category').selectOption({ label: categoryTitle({ name: category }) });
    await owner.getByLabel('Description').fill('Dark and sweet');
    await owner.locator('input[type=file]').first().setInputFiles(picture);
    await owner.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(owner.getByText('Product created')).toBeVisible();
  });

  await test.step('the shopper sees it with its picture', async () => {
    await expect(async () => {
      await shopper.goto(`/products/${category}`);
      await expect(shopper.getByText(product)).toBeVisible({ timeout: 1000 });
      await expect(shopper.getByText('$12.50')).toBeVisible({ timeout: 1000 });
      await expect(shopper.getByRole('main').locator('img').first()).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 60_000 });
  });

  const before = await figuresOf(owner);
  await owner.goto('/ordered/products');
  await expect(owner.getByRole('heading', { name: 'Orders' })).toBeVisible();
  const first = await buy(shopper, category, product);
  await test.step('the order pops up', async () => {
    await expect(owner.getByRole('link', { name: `#${first}` })).toBeVisible();
    await expect(rowOf(owner, first)).toContainText('Paid');
  });
  const second = await buy(shopper, category, product);

  await test.step('it is shipped, undone, shipped again and delivered', async () => {
    await move(owner, first, 'On Delivery');
    await owner.getByRole('button', { name: 'Undo' }).first().click(); // immediately: it is shown for ten seconds
    await expect(rowOf(owner, first)).toContainText('Paid');
    await move(owner, first, 'On Delivery');
    await expect(rowOf(owner, first)).toContainText('On Delivery');
    await move(owner, first, 'Delivered');
    await expect(rowOf(owner, first)).toContainText('Delivered');
    await shopper.goto('/customer/orders');
    const theirs = shopper.getByRole('article').filter({ hasText: first });
    await expect(theirs).toContainText('Delivered');
  });

  await test.step('the other one is refunded', async () => {
    await owner.getByRole('link', { name: `#${second}` }).click();
    await expect(owner.getByRole('heading', { name: `Order #${second}` })).toBeVisible();
    await owner.getByRole('button', { name: 'Refund' }).click();
    await owner.getByText('Custom amount', { exact: true }).click();
    await owner.getByLabel('Amount', { exact: true }).fill('12.50');
    await owner.getByLabel('Reason').fill('The jar arrived broken');
    await owner.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
    await expect(owner.getByText('Refund issued')).toBeVisible();
    await expect(owner.getByRole('main').getByText('Refunded').first()).toBeVisible();
  });

  await test.step('the dashboard equals the orders', async () => {
    const { revenue, sales } = await figuresOf(owner);
    expect(sales).toBe(before.sales + 2);
    expect(revenue).toBeCloseTo(before.revenue + 12.5, 2); // two were paid, one of them was refunded
    await owner.goto('/dashboard?period=today');
    const figure = (title: string) => owner.getByRole('region', { name: title, exact: true });
    await expect(figure('Sales')).toContainText(`Sales${sales}`);
    await expect(figure('Revenue')).toContainText(formatMoney(toCents(revenue)));
    await figure('Sales').getByRole('link').click();
    await expect(owner.getByText(new RegExp(`^1–\\d+ of ${sales}$`))).toBeVisible();
    await expect(rowOf(owner, second)).toContainText('Refunded');
  });

  await test.step('the shopper confirms the email address', async () => {
    await shopper.goto(await proofLinkTo(shop, account.email));
    await shopper.getByRole('button', { name: 'Confirm' }).click();
    await expect(shopper.getByText('Your email is confirmed')).toBeVisible();
  });

  await test.step('the shopper is made an admin and a customer again', async () => {
    await owner.goto(`/user/management?q=${encodeURIComponent(account.email)}`);
    const steps = [
      ['Admin', 'Admin'],
      ['User', 'Customer'],
    ] as const;
    for (const [role, badge] of steps) {
      await owner.getByRole('button', { name: `More actions for ${account.fullName}` }).click();
      await owner.getByRole('menuitemradio', { name: role }).click();
      await expect(owner.getByText(`User role updated to ${role}`)).toBeVisible();
      await expect(owner.getByRole('row').filter({ hasText: account.email })).toContainText(badge);
    }
  });

  await test.step('a customer gets 403 from page and call', async () => {
    // a new role has ended the session; a page that needs one says so, and leads to the login, before any typing
    await shopper.goto('/cart');
    await shopper.waitForURL(/\/login\?redirect=/);
    await login(shopper, account);
    await shopper.waitForURL(/\/cart$/);
    for (const path of ['/dashboard', '/ordered/products', '/admin/settings']) {
      await shopper.goto(path);
      await expect(shopper.getByRole('heading', { name: '403 forbidden' })).toBeVisible();
    }
    expect(await shopper.evaluate(async () => (await fetch('/api/admin/orders')).status)).toBe(403);
  });
  await shopper.context().close();
});

async function openShopper(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, serviceWorkers: 'block', viewport: { width: 390, height: 844 } });
  return context.newPage();
}

/** Today's figures on the server. */
async function figuresOf(page: Page): Promise<{ revenue: number; sales: number }> {
  const response = await page.request.get('/api/admin/dashboard?period=today');
  return ((await response.json()) as AnswerOf<'getDashboard'>).data.dashboard;
}

const rowOf = (page: Page, orderNumber: string) => page.getByRole('row').filter({ hasText: `#${orderNumber}` });

async function move(page: Page, orderNumber: string, status: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for #${orderNumber}` }).click();
  await page.getByRole('menuitemradio', { name: status }).click();
  await expect(page.getByText('Order status updated successfully').first()).toBeVisible();
}

/** @returns the number of the new, paid order */
async function buy(page: Page, category: string, product: string): Promise<string> {
  await page.goto(`/products/${category}`);
  await page.getByRole('button', { name: `Add ${product} to cart` }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await page.goto('/checkout');
  await page.getByText('12 Market Street').click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await payWith(page, '4242 4242 4242 4242');
  await expect(page).toHaveURL(/\/customer\/order\/success/);
  const said = await page
    .getByText(/^#?\d{4,}$/)
    .first()
    .textContent();
  return (said ?? '').replace('#', '');
}
