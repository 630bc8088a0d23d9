import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/transact';
import { session } from '../../../src/web/server/session';
import { customerWithFactor, longPassword, nextStep, otpOf, password } from '../../support/accounts';
import { logIn, newCustomer, openAccount } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;
const form = () => document.querySelector('main form') ?? document;

test('the profile says who one is, and the customer’s own description', async () => {
  const as = await newCustomer(shop);
  tab = openTab(shop, '/customer/view/profile', { as });
  await see(`Email${as.user.email}`);
  await see('NameAwa Jallow');
  await see(/Join date\w+ \d+, 20\d\d/);
  await see('RoleCustomer');
  await see('DescriptionNothing written yet');
  await press('Edit Profile', main());
  await fill('Description', 'Cooks domoda on Sundays');
  await fill('Full Name', 'Awa Ceesay');
  await fill('Phone', '(555) 010-0142');
  await fill('Date of birth', '1990-12-31');
  await press('Save Profile');
  await see('Profile updated successfully');
  await see('DescriptionCooks domoda on Sundays');
  await see('Phone(555) 010-0142');
  await see('Date of birthDecember 31, 1990');
  expect(tab.path()).toBe('/customer/view/profile');
  expect(session.get()?.fullName).toBe('Awa Ceesay');
});

test('another email asks for the password', async () => {
  const as = await newCustomer(shop);
  tab = openTab(shop, '/customer/edit/profile', { as });
  await fill('Email', 'nobody');
  await see('Invalid email address');
  const email = `new-${as.user.email}`;
  await fill('Email', email);
  await press('Save Profile');
  await until(() =>
    /Please enter your password to change/.test(form().querySelector('[aria-live]')?.textContent ?? ''),
  );
  await fill('Password', 'not this one 1');
  await press('Save Profile');
  await see('The password is not right');
  await fill('Password', password);
  await press('Save Profile');
  await see(`Email${email}`);
  await see('Please confirm your email address: open the link that we mailed to you.');
});

test('another email asks for the code too where two-step login is on, and says that it waits for its link', async () => {
  const { account, secret } = await customerWithFactor(shop);
  const as = await logIn(shop, account, { otp: otpOf(shop, secret) });
  nextStep(shop);
  tab = openTab(shop, '/customer/edit/profile', { as });
  await fill('Email', `new-${account.email}`);
  await fill('Password', password);
  await press('Save Profile');
  await until(() => /Please enter a code from your authenticator app/.test(form().textContent ?? ''));
  await fill('Code', otpOf(shop, secret));
  await press('Save Profile');
  await see('We have mailed a link to the new address. When you open it, it takes the place of the present one.');
  await see(`Email${account.email}`);
  await miss('Please confirm your email address');
});

test('what was typed is there again after a login in between, and passwords are not', async () => {
  const account = await openAccount(shop);
  tab = openTab(shop, '/customer/edit/profile', { as: await logIn(shop, account) });
  await fill('Description', 'Long thoughts about pepper');
  await fill('Email', 'other@example.com');
  await fill('Password', password);
  await transact(shop.db, (tx) => shop.sessions.endAllOf(tx, account.id, 'password_changed'));
  await press('Save Profile');
  await until(() => tab.path().startsWith('/login') && /New here/.test(main().textContent ?? ''));
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Login', form());
  await until(() => tab.path() === '/customer/edit/profile');
  expect((await fieldCalled('Description')).value).toBe('Long thoughts about pepper');
  expect((await fieldCalled('Email')).value).toBe('other@example.com');
  expect((await fieldCalled('Password')).value).toBe('');
});

test('the password is changed with the present one, and other devices are logged out', async () => {
  const account = await openAccount(shop);
  const other = await logIn(shop, account);
  tab = openTab(shop, '/customer/view/profile', { as: await logIn(shop, account) });
  await press('Change Password', main());
  await fill('Present Password', 'not this one 1');
  await fill('New Password', 'password1');
  await fill('Confirm Password', 'password1');
  await press('Change Password', form());
  await until(() => /one of the most common/.test(form().textContent ?? ''));
  await fill('New Password', longPassword);
  await fill('Confirm Password', longPassword);
  await press('Change Password', form());
  await until(() => /The password is not right/.test(form().textContent ?? ''));
  await fill('Present Password', account.password);
  await press('Change Password', form());
  await see('Password changed successfully');
  await until(() => tab.path() === '/customer/view/profile');
  const { code } = await shop.call('refreshToken', { body: { refreshToken: other.refreshToken } });
  expect(code).toBe('session_ended');
  await logIn(shop, { ...account, password: longPassword });
});

test('who has to change the password does so before anything else, and gets on', async () => {
  const account = await openAccount(shop);
  await shop.pool.query(`update users set must_change_password = true, role = 'ROLE_ADMIN' where id = $1`, [
    account.id,
  ]);
  tab = openTab(shop, '/login?redirect=%2Fcustomer%2Forders');
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Login', form());
  await see('Before you go on, please choose a new password.');
  await tab.go('/customer/orders');
  await until(() => tab.path().startsWith('/customer/edit/password'));
  await fill('Present Password', account.password);
  await fill('New Password', longPassword);
  await fill('Confirm Password', longPassword);
  await press('Change Password', form());
  await see('No orders found.');
  expect(tab.path()).toBe('/customer/orders');
});

test('one’s sessions are listed and ended, one or all others', async () => {
  const account = await openAccount(shop);
  const others = [await logIn(shop, account), await logIn(shop, account), await logIn(shop, account)];
  tab = openTab(shop, '/customer/view/profile', { as: await logIn(shop, account) });
  await see('This session');
  const ends = () => [...document.querySelectorAll('main li button')];
  await until(() => ends().length === 3);
  (ends()[0] as HTMLElement).click();
  await see('The session has been ended');
  await until(() => ends().length === 2);
  expect(document.activeElement).not.toBe(document.body);
  await press('End all others');
  await see('Every other device that is logged in to your account will be logged out.');
  await press('End all others', document.querySelector('[role=alertdialog]') ?? document);
  await see('All other sessions have been ended');
  await until(() => ends().length === 0);
  await miss('End all others');
  for (const { refreshToken } of others) {
    expect((await shop.call('refreshToken', { body: { refreshToken } })).code).toBe('session_ended');
  }
});

test('a profile that cannot be read says so', async () => {
  tab = openTab(shop, '/', { as: await shop.signIn() });
  await control('Settings');
  tab.network.answers = (pathname) =>
    pathname.includes('/public/users/')
      ? new Response('{"code":"refused"}', { status: 400, headers: { 'content-type': 'application/problem+json' } })
      : undefined;
  await tab.go('/customer/view/profile');
  await see('Error loading user profile');
});

test('a change of the account whose answer was lost is done once', async () => {
  const as = await newCustomer(shop);
  tab = openTab(shop, '/customer/view/addresses', { as });
  await press('Add Address');
  const dialog = () => document.querySelector('[role=dialog]') ?? document;
  for (const [label, value] of [
    ['Street', '7 Baobab Road'],
    ['City', 'Atlanta'],
    ['State', 'GA'],
    ['Postal Code', '30303'],
  ] as const)
    await fill(label, value);
  const keys: (string | null)[] = [];
  tab.network.passes = ({ method, headers }) => {
    if (method === 'PUT') keys.push(headers.get('idempotency-key'));
    return method !== 'PUT' || keys.length > 1;
  };
  await press('Save Address', dialog());
  await see('Failed to add address');
  await press('Save Address', dialog());
  await see('Address added successfully');
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  const { rows } = await shop.pool.query('select from addresses where user_id = $1 and street = $2', [
    as.user.id,
    '7 Baobab Road',
  ]);
  expect(rows).toHaveLength(1);
});

test('every change of the account carries a key of its own', async () => {
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
  await press('Save Profile');
  await see('Profile updated successfully');
  await until(() => document.querySelectorAll('main li button').length === 2);
  (document.querySelector('main li button') as HTMLElement).click();
  await see('The session has been ended');
  await press('End all others');
  await press('End all others', document.querySelector('[role=alertdialog]') ?? document);
  await see('All other sessions have been ended');
  await tab.go('/customer/edit/password');
  await fill('Present Password', account.password);
  await fill('New Password', longPassword);
  await fill('Confirm Password', longPassword);
  await press('Change Password', form());
  await see('Password changed successfully');
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(4);
  expect(keys).not.toContain(null);
  expect((await shop.call('refreshToken', { body: { refreshToken: other.refreshToken } })).code).toBe('session_ended');
});

test('without a connection sessions cannot be ended, and each button says why', async () => {
  const account = await openAccount(shop);
  await logIn(shop, account);
  tab = openTab(shop, '/customer/view/profile', { as: await logIn(shop, account) });
  await see('End all others');
  await tab.setDown(true);
  await see('Ending sessions needs a connection');
  const buttons = [...document.querySelectorAll('[aria-labelledby=sessions] button')];
  expect(buttons).toHaveLength(2);
  for (const button of buttons) {
    expect(button.getAttribute('aria-disabled')).toBe('true');
    const why = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toBe('Ending sessions needs a connection');
  }
});

test('Cancel gives up what was typed', async () => {
  tab = openTab(shop, '/customer/edit/profile', { as: await newCustomer(shop) });
  await fill('Description', 'Long thoughts about pepper');
  await press('Cancel', form());
  await see('DescriptionNothing written yet');
  await press('Edit Profile', main());
  expect((await fieldCalled('Description')).value).toBe('');
});
