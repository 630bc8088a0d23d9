import { expect, login, newAccount, register, test } from './shop';

test('a visitor who clicks the cart is told to log in', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: /^Cart/ }).first().click();
  await expect(page.getByText('Login to see items in your cart')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test('what a visitor put in the cart is there after login, once', async ({ page }) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await page.goto('/products/spices?page=2');
  await page.getByRole('button', { name: 'Add to cart: Whole Cloves' }).click();
  await expect(page.getByText('You need to be logged in to add items to your cart')).toBeVisible();
  await login(page, account);
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await page.goto('/cart');
  await expect(page.getByRole('row', { name: /Whole Cloves/ })).toContainText('1');
  await page.reload();
  await expect(page.getByRole('group', { name: 'Quantity of Whole Cloves' }).getByRole('status')).toHaveText('1');
});

test('what a visitor wanted is in the cart, though the tab goes to another page right after the login', async ({
  page,
}) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await page.goto('/products/spices?page=2');
  await page.getByRole('button', { name: 'Add to cart: Whole Cloves' }).click();
  await login(page, account);
  await page.waitForFunction(() => localStorage.getItem('root'), undefined, { polling: 1 });
  await page.goto('/cart');
  await expect(page.getByRole('group', { name: 'Quantity of Whole Cloves' }).getByRole('status')).toHaveText('1');
  await page.reload();
  await expect(page.getByRole('group', { name: 'Quantity of Whole Cloves' }).getByRole('status')).toHaveText('1');
  expect(await page.evaluate(() => sessionStorage.getItem('wanted-in-cart'))).toBeNull();
});

test('a page that needs a login leads there and back', async ({ page }) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await page.goto('/customer/orders');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await login(page, account);
  await expect(page).toHaveURL(/\/customer\/orders$/);
  await expect(page.getByText('No orders found.')).toBeVisible();
  await page.goto('/login');
  await expect(page).toHaveURL(/\/cart$/);
});

test('two tabs whose access token has run out refresh at most once each, and stay signed in', async ({
  page,
  context,
  watch,
}) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await login(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/products/savory');
  const cookies = await context.cookies();
  watch.expected.push(/401/);
  let refreshes = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh-token')) refreshes++;
  });
  await context.clearCookies({ name: '__Host-access' }); // from now on: what the pages still do may ask, too
  await Promise.all([page.goto('/customer/orders'), other.goto('/cart')]);
  await expect(page.getByText('No orders found.')).toBeVisible();
  await expect(other.getByText('Cart is Empty')).toBeVisible();
  expect(cookies.map(({ name }) => name)).toContain('__Host-refresh');
  await expect.poll(() => refreshes, 'what is saved shows before anybody asks for a new token').toBeGreaterThan(0);
  await Promise.all([page.reload(), other.reload()]);
  await expect(page.getByText('No orders found.')).toBeVisible();
  expect(refreshes).toBeLessThanOrEqual(2); // a page that was still loading may not hear of the other's
});

test('what one device puts in the cart comes to the other by itself', async ({ page, browser, baseURL }) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await login(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  const other = await browser.newPage({ baseURL: baseURL ?? '', serviceWorkers: 'block' });
  await other.goto('/login');
  await login(other, account);
  await expect(other.getByText('Cart is Empty')).toBeVisible();
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add to cart: Afra Grill Rub' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await expect(other.getByRole('row', { name: /Afra Grill Rub/ })).toBeVisible();
  await other.close();
});

test('logging out in one tab signs out the other, and leaves nothing of the user behind', async ({ page, context }) => {
  const account = newAccount();
  await page.goto('/register');
  await register(page, account);
  await login(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/products/savory');
  await page.getByRole('button', { name: 'Settings' }).first().click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('Logout successful')).toBeVisible();
  await other.goto('/cart');
  await expect(other).toHaveURL(/\/login/);
  expect(await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).not.toContain(
    'cook-',
  );
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
});

test('an unknown address is a 404 with a way home', async ({ page, watch }) => {
  watch.expected.push(/404/);
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});
