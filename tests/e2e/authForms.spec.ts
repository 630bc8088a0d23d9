import type { BrowserContext, Page } from 'playwright/test';
import { expect, login, makeAccount, newAccount, register, signIn, test, untilAlive } from './shop';

/** Login and registration before the app's scripts are loaded, and without any. */
const alert = (page: Page) => page.getByRole('main').getByRole('alert');

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor registers, is logged in, and later mistypes the password', async ({ page, context, watch }) => {
    watch.expected.push(/status of 40[01]/); // of the rejected form
    const account = newAccount();
    await page.goto('/register?redirect=%2Fcontact');
    await register(page, { ...account, email: 'no address' });
    await expect(page.getByText('Invalid email address')).toBeVisible();
    await expect(page.getByLabel('Full Name')).toHaveValue(account.fullName);
    await expect(page.getByLabel('State')).toHaveValue('GA');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
    await register(page, account);
    await expect(page).toHaveURL(/\/contact$/);
    expect(await sessionOf(context)).toBeDefined();

    await context.clearCookies();
    await page.goto('/login?redirect=%2Fcontact');
    await page.getByLabel('Remember me').uncheck();
    await login(page, { ...account, password: 'wrong pepper' });
    await expect(alert(page)).toContainText('Incorrect username/password');
    await expect(page.getByLabel('Email')).toHaveValue(account.email);
    await expect(page.getByLabel('Remember me')).not.toBeChecked();
    expect(await sessionOf(context)).toBeUndefined();
    await page.getByLabel('Remember me').check();
    await login(page, account);
    await expect(page).toHaveURL(/\/contact$/);
    expect((await sessionOf(context))?.expires).toBeGreaterThan(Date.now() / 1000);
  });

  test('a user requests a new password', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot Password' }).click();
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page).toHaveURL(/\/login\?said=asked$/);
    await expect(page.getByText("If there's an account for that email, a reset link")).toBeVisible();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the page of a ${colorScheme} device is ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto('/cart');
      await expect(page).toHaveURL(/\/login\?redirect=%2Fcart$/);
      const [red = 0] = await page.evaluate(() =>
        (getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number),
      );
      if (colorScheme === 'light') expect(red).toBeGreaterThan(200);
      else expect(red).toBeLessThan(60);
      expect((await page.getByLabel('Email').boundingBox())?.height).toBe(48);
    });
  }
});

test('text and checkboxes changed before the app loaded are kept, and sent', async ({ page }) => {
  const account = await makeAccount(page);
  const letAppCome = await holdApp(page);
  await page.goto('/login?redirect=%2Fcontact');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByLabel('Remember me').uncheck();
  letAppCome();
  await untilAlive(page);
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(account.password);
  await expect(page.getByLabel('Remember me')).not.toBeChecked();
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Login successful')).toBeVisible();
  await expect(page).toHaveURL(/\/contact$/);
  expect(await page.evaluate(() => localStorage.getItem('ends-with-browser'))).toBe('yes');
});

test('text typed into the login before the app loaded stays, below a notice too', async ({ page }) => {
  await page.goto('/login');
  await untilAlive(page);
  await page.evaluate(() => history.replaceState({ ...history.state, said: 'Told by the page before' }, ''));
  const letAppCome = await holdApp(page);
  await page.reload();
  await page.getByLabel('Email').fill('fatou@example.com');
  letAppCome();
  await untilAlive(page);
  await expect(page.getByText('Told by the page before')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('fatou@example.com');
});

test('a signed-in user who types before the app has loaded is not led away', async ({ page }) => {
  const other = await makeAccount(page);
  await signIn(page);
  await page.goto('/contact');
  await untilAlive(page);
  const letAppCome = await holdApp(page);
  await page.goto('/login');
  await page.getByLabel('Email').fill(other.email);
  letAppCome();
  await untilAlive(page);
  await page.getByLabel('Password', { exact: true }).fill(other.password);
  await expect(page.getByLabel('Email')).toHaveValue(other.email);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Login successful')).toBeVisible();
});

test('text and choices made in a registration before the app loaded stay', async ({ page }) => {
  const letAppCome = await holdApp(page);
  await page.goto('/register');
  await page.getByLabel('Full Name').fill('Awa Jallow');
  await page.getByLabel('State').selectOption('GA');
  letAppCome();
  await untilAlive(page);
  await page.getByLabel('City').fill('Atlanta');
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('Please confirm your password')).toBeVisible();
  await expect(page.getByLabel('Full Name')).toHaveValue('Awa Jallow');
  await expect(page.getByLabel('State')).toHaveValue('GA');
  for (const sentence of ['Email is required', 'Password is required'])
    await expect(page.getByText(sentence)).toBeVisible();
  await expect(page.getByText('This field is required')).toHaveCount(1); // the street; not name and state
});

test('a login sent before the app loaded is known to the app on the next page', async ({ page, context, watch }) => {
  watch.expected.push(/ERR_FAILED/); // for the blocked scripts
  const account = await makeAccount(page);
  await page.route('**/assets/vendor-*.js', (route) => route.abort());
  await page.goto('/cart');
  await login(page, account);
  await expect(page).toHaveURL(/\/cart$/);
  await page.unroute('**/assets/vendor-*.js');
  await page.reload();
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('__Host-form-login');
  await page.goto('/login');
  await expect(page).toHaveURL(/\/cart$/); // a signed-in user is led on
});

const sessionOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === '__Host-access');

/** @returns a function that lets the app's scripts load on pages opened from now on */
async function holdApp(page: Page): Promise<() => void> {
  let letCome = () => undefined as void;
  const isLetCome = new Promise<void>((resolve) => (letCome = resolve));
  await page.route('**/assets/vendor-*.js', async (route) => {
    await isLetCome;
    await route.continue();
  });
  return () => letCome();
}
