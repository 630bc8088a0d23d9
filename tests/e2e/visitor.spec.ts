import { expect, keepToast, login, makeAccount, newAccount, register, test, untilAlive } from './shop';

test('a visitor who clicks the cart is asked to log in', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: /^Cart/ }).first().click();
  await expect(page.getByText('Login to see items in your cart')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test('on a low phone the toast leaves the form of the login free', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 553 });
  await page.goto('/');
  await page.getByRole('link', { name: /^Cart/ }).first().click();
  const toast = page.getByRole('status').filter({ hasText: 'Login to see items in your cart' });
  await keepToast(toast);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  const boxes = [
    toast,
    page.getByRole('heading', { level: 1 }),
    page.getByRole('main').getByRole('button', { name: 'Log in' }),
  ];
  const [covering, heading, button] = await Promise.all(boxes.map((each) => each.boundingBox()));
  expect((covering?.y ?? 0) + (covering?.height ?? 0)).toBeLessThan(heading?.y ?? 0);
  expect(covering?.y).toBeGreaterThanOrEqual(0);
  expect(button?.y).toBeGreaterThan(heading?.y ?? 0);
});

test('a toast follows the system’s light or dark mode, even while it is shown', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: /^Cart/ }).first().click();
  const toast = page.getByRole('status').filter({ hasText: 'Login to see items in your cart' });
  await keepToast(toast);
  await expect(toast).toBeVisible();
  const lightness = (property: 'color' | 'backgroundColor') =>
    toast.evaluate((each, name) => {
      const [red = 0, green = 0, blue = 0] = (getComputedStyle(each)[name].match(/[\d.]+/g) ?? []).map(Number);
      return (red + green + blue) / 3;
    }, property);
  expect(await lightness('backgroundColor')).toBeGreaterThan(200);
  expect(await lightness('color')).toBeLessThan(80);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => lightness('backgroundColor')).toBeLessThan(80);
  expect(await lightness('color')).toBeGreaterThan(180);
});

test('a visitor’s wish is in the cart, even if the tab goes to another page right after the login', async ({
  page,
}) => {
  const account = await makeAccount(page);
  await page.goto('/products/spices?page=2');
  await page.getByRole('button', { name: 'Add Whole Cloves to cart' }).click();
  await login(page, account);
  await page.waitForFunction(() => localStorage.getItem('root'), undefined, { polling: 1 });
  await page.goto('/cart');
  await expect(page.getByRole('group', { name: 'Quantity of Whole Cloves' }).getByRole('status')).toHaveText('1');
  await page.reload();
  await expect(page.getByRole('group', { name: 'Quantity of Whole Cloves' }).getByRole('status')).toHaveText('1');
  expect(await page.evaluate(() => sessionStorage.getItem('wanted-in-cart'))).toBeNull();
});

test('a user’s picture is in the profile, and in no browser cache', async ({ page, watch }) => {
  const account = newAccount();
  await page.goto('/register');
  await untilAlive(page);
  await register(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  await page.goto('/customer/edit/profile');
  await page.getByLabel('Photo file').setInputFiles('public/app-icon-192.png');
  await expect(page.getByText('Photo saved')).toBeVisible();
  await page.goto('/customer/view/profile');
  const picture = page.getByRole('main').locator('img[src^="/portraits/"]');
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(160);
  watch.expected.push(/ERR_CACHE_MISS/);
  const isKept = await picture.evaluate(async (image: HTMLImageElement) => {
    const again = fetch(image.currentSrc, { cache: 'only-if-cached', mode: 'same-origin' });
    return again.then(
      ({ ok }) => ok,
      () => false,
    );
  });
  expect(isKept).toBe(false);
});

test('a browser’s cookies are useless in another one, and its own session continues', async ({
  page,
  context,
  browser,
  baseURL,
  watch,
}) => {
  const account = newAccount();
  await page.goto('/register');
  await untilAlive(page);
  await register(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  await page.goto('/customer/view/profile');
  await expect(page.getByText('This device', { exact: true }), 'it is bound').toBeVisible();
  expect(await page.evaluate(readKey)).toBe('InvalidAccessError');

  watch.expected.push(/401/);
  await context.clearCookies({ name: '__Host-access' }); // as after its 15 minutes
  const stored = await page.evaluate(() => localStorage.getItem('root') ?? '');
  const thief = await browser.newContext({ baseURL: baseURL ?? '', serviceWorkers: 'block' });
  await thief.addCookies(await context.cookies());
  await thief.addInitScript((root) => localStorage.setItem('root', root), stored);
  const rejection = await thief.request.post('/api/auth/refresh-token', { data: {} });
  expect(await rejection.json()).toMatchObject({ status: 401, code: 'proof_required' });
  const stolen = await thief.newPage();
  const answered = stolen.waitForResponse('**/api/auth/refresh-token'); // with a key of the thief's own
  await stolen.goto('/customer/orders');
  expect(await (await answered).json()).toMatchObject({ status: 401, code: 'proof_required' });
  await expect(stolen).toHaveURL(/\/login/);
  await thief.close();

  await page.goto('/customer/orders');
  await expect(page.getByText('No orders found.')).toBeVisible();
});

/** Tries to read the browser's key, as an injected script would. */
async function readKey(): Promise<string> {
  const opened = indexedDB.open('shop-key');
  await new Promise((resolve) => opened.addEventListener('success', resolve));
  const asked = opened.result.transaction('keys').objectStore('keys').getAll();
  await new Promise((resolve) => asked.addEventListener('success', resolve));
  opened.result.close();
  const [pair] = asked.result as CryptoKeyPair[];
  if (!pair) return 'there is none';
  return crypto.subtle.exportKey('pkcs8', pair.privateKey).then(
    () => 'it was read',
    ({ name }: DOMException) => name,
  );
}

test('logging out in one tab logs out the other, and leaves nothing of the user behind', async ({
  page,
  context,
  watch,
}) => {
  const account = newAccount();
  await page.goto('/register');
  await untilAlive(page);
  await register(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/products/savory');
  // what a page reads while the session ends is refused, and so is the new token that it asks for then; no change may be
  watch.expected.push(/status of 401/);
  const refusedChanges: string[] = [];
  context.on('response', (response) => {
    const [method, url] = [response.request().method(), response.url()];
    if (response.status() === 401 && method !== 'GET' && !url.endsWith('/auth/refresh-token'))
      refusedChanges.push(`${method} ${url}`);
  });
  await page.getByRole('button', { name: 'Account settings' }).first().click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('Logout successful')).toBeVisible();
  await other.goto('/cart');
  await expect(other).toHaveURL(/\/login/);
  expect(await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).not.toContain(
    'cook-',
  );
  const [left, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(left, 'says nothing of the user').toMatchObject({
    name: '__Host-known-device',
    value: expect.stringMatching(/^[\w-]{22}\.[\w-]{44}$/),
  });
  expect(refusedChanges).toEqual([]);
});

test('an unknown URL is a 404 with a way home', async ({ page, watch }) => {
  watch.expected.push(/404/);
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('without the features that an iPhone’s Lockdown Mode removes, the shop works with a connection', async ({
  page,
}) => {
  await page.addInitScript(() => {
    for (const name of ['indexedDB', 'caches', 'WebAssembly']) Reflect.deleteProperty(window, name);
    for (const name of ['serviceWorker', 'locks']) Reflect.deleteProperty(Navigator.prototype, name);
  });
  const account = newAccount();
  await page.goto('/register');
  expect(
    await page.evaluate(() => ['indexedDB' in window, 'caches' in window, 'locks' in navigator].includes(true)),
  ).toBe(false);
  await register(page, account);
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByText("This browser isn't saving data for the shop.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await expect(page.getByText('Item added to cart successfully')).toBeAttached(); // the warning is in front of it
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Increase' }).click();
  const quantity = page.getByRole('group', { name: 'Quantity of Afra Grill Rub' }).getByRole('status');
  await expect(quantity).toHaveText('2');
  await expect(page.getByText('Cart item updated successfully')).toBeAttached(); // behind a warning
  await page.reload();
  await expect(quantity).toHaveText('2');
});
