import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { reachability } from '../../../src/web/server/reachability';
import { bearer, proofTokenOf, takeoverTokenOf } from '../../support/accounts';
import { logIn, newcomer, openUnprovenAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';
import { control, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => shop.clock.advance(25 * 3_600_000)); // rate limits of one test must not affect the next
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;

test('a new user opens the mailed link, confirms with a press, and the profile no longer asks', async () => {
  const awa = await openUnprovenAccount(shop);
  const as = await logIn(shop, awa);
  tab = openTab(shop, '/customer/view/profile', { as });
  await see('Confirm your email. Open the link we sent you.');
  const token = await proofTokenOf(shop, awa.email);
  await tab.go(`/confirm-email#token=${token}`);
  await control('Confirm', main());
  await until(() => tab.path() === '/confirm-email');
  expect(JSON.stringify([localStorage, sessionStorage].map((storage) => Object.entries(storage)))).not.toContain(token);
  expect(tab.calls.filter(({ path }) => path.includes('/email/prove'))).toEqual([]); // opening it alone does nothing
  await press('Confirm', main());
  await see('Your email is confirmed');
  await press('Go to your profile', main());
  await see(`Email${awa.email}`);
  await miss('Confirm your email');
});

test('two-step login waits for it, and says so', async () => {
  const awa = await openUnprovenAccount(shop);
  tab = openTab(shop, '/customer/edit/second-factor', { as: await logIn(shop, awa) });
  await see('Confirm your email first. Open the link we sent you.');
  await control('Resend link', main());
  await miss('Two-step login adds a code');
});

test('a user who confirmed it in another tab is no longer asked', async () => {
  const awa = await openUnprovenAccount(shop);
  const as = await logIn(shop, awa);
  tab = openTab(shop, '/customer/view/profile', { as });
  await control('Resend link', main());
  await shop.call('proveEmail', { body: { token: await proofTokenOf(shop, awa.email) }, headers: bearer(as) });
  await press('Resend link', main());
  await see('Your email is already confirmed');
  await miss('Resend link');
});

test('a used link says so, also to a visitor', async () => {
  tab = openTab(shop, '/confirm-email#token=spent');
  await press('Confirm', main());
  await until(() => /expired or was already used/.test(main().textContent ?? ''));
  tab.close();
  tab = openTab(shop, '/confirm-email');
  await see('Open the link in the email we sent you. You can get a new one in your profile.');
});

test('an owner whose address a stranger registered takes it over, with a name and a password, and logs in', async () => {
  const { email } = await openUnprovenAccount(shop);
  await shop.call('register', { body: newcomer({ email }) });
  const token = await takeoverTokenOf(shop, email);
  tab = openTab(shop, `/confirm-email#takeover=${token}`, { as: await shop.signIn() });
  await see('Someone signed up with your email but never confirmed it.');
  await until(() => tab.path() === '/confirm-email');
  await press('Claim email', main());
  await see('Enter a full name');
  await fill('Full Name', 'Isatou Ceesay');
  await fill('New password', 'password1');
  await fill('Confirm password', 'password1');
  await press('Claim email', main());
  await until(() => /too common/.test(main().textContent ?? ''));
  await fill('New password', 'cloves and mace 2');
  await fill('Confirm password', 'cloves and mace 2');
  await press('Claim email', main());
  await until(() => tab.path() === '/login');
  await see('The email is yours now. Log in to your new account.');
  expect(localStorage.getItem('root')).toBeNull();
  await fill('Email', email);
  await fill('Password', 'cloves and mace 2');
  await press('Log in', document.querySelector('main form') ?? document);
  await until(() => tab.path() === '/cart');
  await tab.go(`/confirm-email#takeover=${token}`);
  await fill('Full Name', 'Isatou Ceesay');
  await fill('New password', 'cloves and mace 2');
  await fill('Confirm password', 'cloves and mace 2');
  await press('Claim email', main());
  await until(() => /expired or was already used/.test(main().textContent ?? ''));
});

test('an owner whose address a stranger registered cannot confirm it by accident, but claims it instead', async () => {
  const account = await openUnprovenAccount(shop);
  tab = openTab(shop, `/confirm-email#token=${await proofTokenOf(shop, account.email)}`);
  await press('Confirm', main());
  await see('Log in to your account in this browser first, then open the link again.');
  expect((await logIn(shop, account)).user.isEmailProven).toBe(false);
  await press('Claim this email', main());
  await fill('Full Name', 'Isatou Ceesay');
  await fill('New password', 'cloves and mace 2');
  await fill('Confirm password', 'cloves and mace 2');
  await press('Claim email', main());
  await until(() => tab.path() === '/login');
  const login = { email: account.email, password: 'cloves and mace 2' };
  expect((await logIn(shop, login)).user).toMatchObject({ fullName: 'Isatou Ceesay', isEmailProven: true });
});

test('the newer of two links opened in one tab counts', async () => {
  tab = openTab(shop, '/confirm-email#takeover=spent');
  await see('Someone signed up with your email but never confirmed it.');
  await until(() => tab.path() === '/confirm-email');
  await tab.go('/confirm-email#token=spent');
  await control('Confirm', main());
  await miss('Claim email');
});

test('confirming needs a connection and says so', async () => {
  tab = openTab(shop, '/confirm-email#token=x');
  await control('Confirm', main());
  tab.network.breaks = /./;
  await reachability.probe();
  await see('Go online to confirm your email');
});
