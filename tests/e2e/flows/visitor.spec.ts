import { expect, login, makeAccount, signIn, signInAs, test } from '../shop';

test('a page that needs a login leads there and back', async ({ page }) => {
  const account = await makeAccount(page);
  await page.goto('/customer/orders');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await login(page, account);
  await expect(page).toHaveURL(/\/customer\/orders$/);
  await expect(page.getByText('No orders found.')).toBeVisible();
  await page.goto('/login');
  await expect(page).toHaveURL(/\/cart$/);
});

test('two tabs whose access token has expired refresh at most once each, and stay signed in', async ({
  page,
  context,
  watch,
}) => {
  await signIn(page);
  await page.goto('/cart');
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/products/savory');
  const cookies = await context.cookies();
  watch.expected.push(/401/);
  let refreshes = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh-token')) refreshes++;
  });
  await context.clearCookies({ name: '__Host-access' }); // from now on: earlier work of the pages may still send requests
  await Promise.all([page.goto('/customer/orders'), other.goto('/cart')]);
  await expect(page.getByText('No orders found.')).toBeVisible();
  await expect(other.getByText('Cart is Empty')).toBeVisible();
  expect(cookies.map(({ name }) => name)).toContain('__Host-refresh');
  await expect.poll(() => refreshes, 'what is saved shows before anybody asks for a new token').toBeGreaterThan(0);
  await Promise.all([page.reload(), other.reload()]);
  await expect(page.getByText('No orders found.')).toBeVisible();
  expect(refreshes).toBeLessThanOrEqual(2); // a page that was still loading may miss the other's
});

test('items added on one device appear on the other automatically', async ({ page, browser, baseURL }) => {
  const account = await signIn(page);
  const other = await browser.newPage({ baseURL: baseURL ?? '', serviceWorkers: 'block' });
  await signInAs(other, account);
  await other.goto('/cart');
  await expect(other.getByText('Cart is Empty')).toBeVisible();
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await expect(other.getByRole('row', { name: /Afra Grill Rub/ })).toBeVisible();
  await other.close();
});
