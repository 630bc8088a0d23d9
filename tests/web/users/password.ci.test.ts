import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reachability } from '../../../src/web/server/reachability';
import { logIn, openAccount } from '../../support/auth';
import { resetToken, resetTokenOf } from '../../support/accounts';
import { openShop, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;

async function choose(password: string, confirmPassword = password) {
  await fill('New password', password);
  await fill('Confirm password', confirmPassword);
  await press('Save password', main());
}

test('a user who forgot the password gets a link by mail, sets a new one, and logs in with it', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/login');
  await press('Forgot Password', main());
  await control('Send link', main());
  await fill('Email', awa.email);
  await press('Send link', main());
  await until(() => tab.path() === '/login');
  await see('a reset link is on its way');
  expect((await fieldCalled('Email')).value).toBe(awa.email);

  await tab.go(`/reset-password#token=${await resetTokenOf(shop, awa.email)}`);
  await fieldCalled('New password');
  await until(() => tab.path() === '/reset-password');
  await choose('cloves and mace 2');
  await until(() => tab.path() === '/login');
  await see('Your password was changed. Log in with the new one.');
  await fill('Email', awa.email);
  await fill('Password', 'cloves and mace 2');
  await press('Log in', document.querySelector('main form') ?? document);
  await until(() => tab.path() === '/cart');
});

test('the token leaves the URL immediately, also behind the #, and is stored nowhere', async () => {
  const awa = await openAccount(shop);
  const token = await resetToken(shop, awa.email);
  tab = openTab(shop, `/reset-password#token=${token}`);
  await until(() => tab.path() === '/reset-password');
  expect(JSON.stringify([localStorage, sessionStorage].map((storage) => Object.entries(storage)))).not.toContain(token);
  await choose('cloves and mace 2');
  await until(() => tab.path() === '/login');
});

test('errors of the new password are shown at its field', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, `/reset-password?token=${await resetToken(shop, awa.email)}`);
  await choose('short', 'other');
  await see('Password must be at least 8 characters');
  await see('Passwords do not match');
  await choose('password1');
  await until(() => /too common/.test(main().textContent ?? ''));
  expect(tab.path()).toBe('/reset-password');
});

test('a used link says so and leads to a new one', async () => {
  tab = openTab(shop, '/reset-password?token=spent');
  await choose('cloves and mace 2');
  await until(() => /expired or was already used/.test(main().textContent ?? ''));
  await press('Get a new link', main());
  await control('Send link', main());
  await tab.go('/reset-password');
  await see('Open the link in the email we sent you, or get a new one.');
});

test('a new password logs out this browser too', async () => {
  const awa = await openAccount(shop);
  const as = await logIn(shop, awa);
  tab = openTab(shop, `/reset-password?token=${await resetToken(shop, awa.email)}`, { as });
  await choose('cloves and mace 2');
  await see('Your password was changed. Log in with the new one.');
  expect(tab.path()).toBe('/login');
  expect(localStorage.getItem('root')).toBeNull();
});

test('both forms need a connection and say so', async () => {
  tab = openTab(shop, '/forgot-password');
  await fill('Email', 'somebody@example.com');
  tab.network.breaks = /./;
  await reachability.probe();
  await see('Go online to get a reset link');
  expect((await control('Send link', main())).getAttribute('aria-disabled')).toBe('true');
});

test.each([
  ['/register', 'Password', undefined],
  ['/customer/edit/password', 'New password', 'ROLE_CUSTOMER'],
] as const)(
  'at %s a changed password is compared with its confirmation again, once there is one',
  async (path, label, role) => {
    tab = openTab(shop, path, { as: role && (await shop.signIn({ role })) });
    await fill(label, 'cloves and mace 2');
    await fill(label, 'cloves and mace 22');
    await fill('Confirm password', 'cloves and mace 222');
    await see('Passwords do not match');
    expect(document.body.textContent).not.toContain('Please confirm your password');
    await fill(label, 'cloves and mace 222');
    await miss('Passwords do not match');
    await fill(label, 'cloves and mace 3');
    await see('Passwords do not match');
  },
);

test('a missing confirmation is not reported before it could be typed', async () => {
  tab = openTab(shop, '/register');
  await fill('Password', 'short');
  await see('Password must be at least 8 characters');
  await fill('Password', 'cloves and mace 2');
  await miss('Password must be at least 8 characters');
  expect(document.body.textContent).not.toContain('Please confirm your password');
});
