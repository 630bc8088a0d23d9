import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { customerWithFactor, nextStep, otpOf, password } from '../../support/accounts';
import { logIn, openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';
import { fill, miss, openTab, press, see, type Tab, until } from '../openTab';

/** The second factor: setup, use at login, turning it off. */
let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;
const form = () => document.querySelector('main form') ?? document;

test('two-step login is set up with a picture or a key, and its recovery codes are shown once', async () => {
  const account = await openAccount(shop);
  tab = openTab(shop, '/customer/view/profile', { as: await logIn(shop, account) });
  await see('Off. You log in with just your password.');
  await press('Set up', main());
  await see('Two-step login');
  await fill('Password', 'not this one 1');
  await press('Set up', form());
  await until(() => /That password isn't right/.test(form().textContent ?? ''));
  await fill('Password', password);
  await press('Set up', form());
  const key = /Key: ([A-Z2-7]{16,})/.exec(await see(/Key: [A-Z2-7]{16,}/))?.[1] ?? '';
  expect(document.querySelector('svg[role=img] path')?.getAttribute('d')).toMatch(/^M2 2h1v1h-1z/);
  expect(document.querySelector('main [style]')).toBeNull();
  await fill('Code', '000000');
  await press('Confirm');
  await until(() => /That code isn't right/.test(form().textContent ?? ''));
  await fill('Code', otpOf(shop, key));
  await press('Confirm');
  await see("You won't see them again.");
  expect(document.querySelectorAll('main li').length).toBe(10);
  await press("I've saved them");
  await see('On. You log in with your password and a code from your authenticator app.');
  await tab.go('/customer/edit/second-factor');
  await see('to turn it off');
  await miss("You won't see them again.");
});

test('the login asks for a code, and accepts a recovery code instead', async () => {
  const { account, recoveryCodes } = await customerWithFactor(shop);
  tab = openTab(shop, '/login?redirect=%2Fcustomer%2Forders');
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', form());
  await see('Enter the code from your authenticator app');
  expect(document.body.textContent?.split('Enter the code from').length).toBe(2); // not also as a toast
  await fill('Code', '000000');
  await press('Log in', form());
  await until(() => /That code isn't right/.test(form().textContent ?? ''));
  await fill('Code', recoveryCodes[0] ?? '');
  await press('Log in', form());
  await see('No orders found.');
});

test('recovery codes are replaced with the password and a code', async () => {
  const { account, secret } = await customerWithFactor(shop);
  const as = await logIn(shop, account, { otp: otpOf(shop, secret) });
  nextStep(shop);
  tab = openTab(shop, '/customer/edit/second-factor', { as });
  await fill('Password', account.password);
  await fill('Code', '000000');
  await press('Get new codes', form());
  await until(() => /That code isn't right/.test(form().textContent ?? ''));
  await fill('Code', otpOf(shop, secret));
  await press('Get new codes', form());
  await see("You won't see them again.");
  expect(document.querySelectorAll('main li').length).toBe(10);
});

test('two-step login is turned off with the password and a code', async () => {
  const { account, secret } = await customerWithFactor(shop);
  const otp = otpOf(shop, secret);
  const as = await logIn(shop, account, { otp });
  nextStep(shop);
  tab = openTab(shop, '/customer/edit/second-factor', { as });
  await fill('Password', account.password);
  await fill('Code', otpOf(shop, secret));
  await press('Turn off', form());
  await see('Two-step login is off');
  await see('Two-step login adds a code');
});

test('staff who need two-step login set it up before anything else', async () => {
  const account = await openAccount(shop);
  const as = await logIn(shop, account);
  tab = openTab(shop, '/', { as });
  tab.network.answers = (pathname) =>
    pathname.includes('/customerorders/')
      ? new Response('{"code":"second_factor_setup_required","message":"Set up two-step login first"}', {
          status: 403,
          headers: { 'content-type': 'application/problem+json' },
        })
      : undefined;
  await tab.go('/customer/orders');
  await see('Set up two-step login to continue.');
  expect(tab.path()).toBe('/customer/edit/second-factor?redirect=%2Fcustomer%2Forders');
});
