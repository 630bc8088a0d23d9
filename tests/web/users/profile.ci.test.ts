import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { session } from '../../../src/web/server/session';
import { customerWithFactor, longPassword, nextStep, otpOf, password } from '../../support/accounts';
import { logIn, newCustomer, openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';
import { dialog, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;
const form = () => document.querySelector('main form') ?? document;

test('the profile shows who is logged in, and the customer’s description', async () => {
  const as = await newCustomer(shop);
  tab = openTab(shop, '/customer/view/profile', { as });
  await see(`Email${as.user.email}`);
  await see('NameAwa Jallow');
  await see(/Joined\w+ \d+, 20\d\d/);
  await see('RoleCustomer');
  await see('BioNo bio yet');
  await press('Edit Profile', main());
  await fill('Bio', 'Cooks domoda on Sundays');
  await fill('Full Name', 'Awa Ceesay');
  await fill('Phone', '(555) 010-0142');
  await fill('Date of birth', '1990-12-31');
  await press('Save profile');
  await see('Profile updated successfully');
  await see('BioCooks domoda on Sundays');
  await see('Phone(555) 010-0142');
  await see('Date of birthDecember 31, 1990');
  expect(tab.path()).toBe('/customer/view/profile');
  expect(session.get()?.fullName).toBe('Awa Ceesay');
});

test('changing the email requires the password, and the code with two-step login, and waits for its link', async () => {
  const { account, secret } = await customerWithFactor(shop);
  const as = await logIn(shop, account, { otp: otpOf(shop, secret) });
  nextStep(shop);
  tab = openTab(shop, '/customer/edit/profile', { as });
  await fill('Email', 'nobody');
  await see('Invalid email address');
  await fill('Email', `new-${account.email}`);
  await press('Save profile');
  await until(() => /Enter your password to change/.test(form().textContent ?? ''));
  await fill('Password', password);
  await press('Save profile');
  await until(() => /Enter a code from your authenticator app/.test(form().textContent ?? ''));
  await fill('Code', otpOf(shop, secret));
  await press('Save profile');
  await see('We sent a link to the new email. Your email changes when you open that link.');
  await see(`Email${account.email}`);
  await miss('Confirm your email');
});

test('typed text is restored after a login in between, but passwords are not', async () => {
  const account = await openAccount(shop);
  tab = openTab(shop, '/customer/edit/profile', { as: await logIn(shop, account) });
  await fill('Bio', 'Long thoughts about pepper');
  await fill('Email', 'other@example.com');
  await fill('Password', password);
  await transact(shop.db, (tx) => shop.sessions.endAllOf(tx, account.id, 'password_changed'));
  await press('Save profile');
  await until(() => tab.path().startsWith('/login') && /New here/.test(main().textContent ?? ''));
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', form());
  await until(() => tab.path() === '/customer/edit/profile');
  expect((await fieldCalled('Bio')).value).toBe('Long thoughts about pepper');
  expect((await fieldCalled('Email')).value).toBe('other@example.com');
  expect((await fieldCalled('Password')).value).toBe('');
});

test('an account change whose response was lost is done once', async () => {
  const as = await newCustomer(shop);
  tab = openTab(shop, '/customer/view/addresses', { as });
  await press('Add Address');
  const dialog = () => document.querySelector('[role=dialog]') ?? document;
  for (const [label, value] of [
    ['Street address', '7 Baobab Road'],
    ['City', 'Atlanta'],
    ['State', 'GA'],
    ['ZIP code', '30303'],
  ] as const)
    await fill(label, value);
  const keys: (string | null)[] = [];
  tab.network.passes = ({ method, headers }) => {
    if (method === 'PUT') keys.push(headers.get('idempotency-key'));
    return method !== 'PUT' || keys.length > 1;
  };
  await press('Save address', dialog());
  await see('Failed to add address');
  await press('Save address', dialog());
  await see('Address added successfully');
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  const { rows } = await shop.pool.query('select from addresses where user_id = $1 and street = $2', [
    as.user.id,
    '7 Baobab Road',
  ]);
  expect(rows).toHaveLength(1);
});

test('every account change has its own key', async () => {
  const account = await openAccount(shop);
  const other = await logIn(shop, account);
  await logIn(shop, account);
  tab = openTab(shop, '/customer/edit/profile', { as: await logIn(shop, account) });
  const keys: (string | null)[] = [];
  tab.network.passes = ({ method, url, headers }) => {
    if (method !== 'GET' && url.includes('/public/users/')) keys.push(headers.get('idempotency-key'));
    return true;
  };
  await fill('Full Name', 'Awa Ceesay');
  await press('Save profile');
  await see('Profile updated successfully');
  await until(() => document.querySelectorAll('main li button').length === 2);
  (document.querySelector('main li button') as HTMLElement).click();
  await see('Device logged out');
  await until(() => document.querySelectorAll('main li button').length === 1);
  expect(document.activeElement).not.toBe(document.body);
  await press('Log out other devices');
  await press('Log out other devices', await dialog());
  await see('All other devices logged out');
  await tab.go('/customer/edit/password');
  await fill('Current password', account.password);
  await fill('New password', longPassword);
  await fill('Confirm password', longPassword);
  await press('Change password', form());
  await see('Password changed');
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(4);
  expect(keys).not.toContain(null);
  expect((await shop.call('refreshToken', { body: { refreshToken: other.refreshToken } })).code).toBe('session_ended');
});

test('without a connection sessions cannot be ended, and each button says why', async () => {
  const account = await openAccount(shop);
  await logIn(shop, account);
  tab = openTab(shop, '/customer/view/profile', { as: await logIn(shop, account) });
  await see('Log out other devices');
  await tab.setDown(true);
  await see('Go online to log out other devices');
  const buttons = [...document.querySelectorAll('[aria-labelledby=sessions] button')];
  expect(buttons).toHaveLength(2);
  for (const button of buttons) {
    expect(button.getAttribute('aria-disabled')).toBe('true');
    const why = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toBe('Go online to log out other devices');
  }
});
