/** Changing a user's own email address. Rule: docs/rules/accounts.md, Profile */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bearer,
  customerWithFactor,
  longPassword,
  mailsTo,
  newStaff,
  nextStep,
  otpOf,
  password,
  proofTokenOf,
  resetToken,
  setPassword,
  takeoverTokenOf,
} from '../../support/accounts';
import {
  type Account,
  isSignedIn,
  logIn,
  newcomer,
  newCustomer,
  openAccount,
  openUnprovenAccount,
  type SignedIn,
} from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const prove = async (email: string, person?: SignedIn) =>
  shop.call('proveEmail', {
    body: { token: await proofTokenOf(shop, email) },
    ...(person && { headers: bearer(person) }),
  });

/** Logs in with a code of the next time step. */
async function signInWith(account: Account, secret: string): Promise<SignedIn> {
  const person = await logIn(shop, account, { otp: otpOf(shop, secret) });
  nextStep(shop);
  return person;
}

const save = (ana: SignedIn, changes: object = {}, key?: string) =>
  shop.call('updateProfile', {
    ...(key && { key }),
    path: { userId: ana.user.id },
    headers: bearer(ana),
    body: { fullName: ana.user.fullName, email: ana.user.email, description: null, ...changes },
  });

test('another email requires the password, notifies the former address, and is the new login', async () => {
  const ana = await newCustomer(shop);
  const email = `new-${ana.user.email}`;
  expect(await save(ana, { email })).toMatchObject({ status: 400, code: 'wrong_password' });
  expect(await save(ana, { email, password: 'wrong' })).toMatchObject({
    status: 400,
    code: 'wrong_password',
    errors: [{ field: 'password', message: "That password isn't right" }],
  });
  expect((await save(ana, { email, password })).data.user.email).toBe(email);
  await logIn(shop, { email, password });
  expect((await shop.call('login', { body: { email: ana.user.email, password } })).status).toBe(401);
  expect((await mailsTo(shop, ana.user.email)).join('\n')).toContain('The email on your account was changed');
});

test('another email counts immediately, is unproven until its link was opened, and ends all other sessions', async () => {
  const account = await openAccount(shop);
  const [thief, ana] = [await logIn(shop, account), await logIn(shop, account)];
  const email = `new-${account.email}`;
  const answer = await save(ana, { email, password });
  expect(answer).toMatchObject({ status: 200, message: 'Profile updated successfully' });
  expect(answer.data.user).toMatchObject({ email, isEmailProven: false });
  expect(await isSignedIn(shop, thief)).toBe(false);
  expect(await isSignedIn(shop, ana)).toBe(true);
  expect(await prove(email, ana)).toMatchObject({ status: 200 });
  expect((await logIn(shop, { email, password })).user.isEmailProven).toBe(true);
});

test('a link mailed to an address that was changed again proves nothing', async () => {
  const ana = await newCustomer(shop);
  const [first, second] = [`one-${ana.user.email}`, `two-${ana.user.email}`];
  await save(ana, { email: first, password });
  const token = await proofTokenOf(shop, first);
  await save(ana, { email: second, password });
  expect(await shop.call('proveEmail', { body: { token } })).toMatchObject({ code: 'email_link_invalid' });
});

test('another email requires the code too with two-step login, and waits for its link', async () => {
  const { account, secret, recoveryCodes } = await customerWithFactor(shop);
  const [thief, ana] = [await signInWith(account, secret), await signInWith(account, secret)];
  const email = `new-${account.email}`;
  const refused = { status: 400, code: 'wrong_code' };
  expect(await save(ana, { email, password })).toMatchObject({
    ...refused,
    errors: [{ field: 'otp', message: 'Enter a code from your authenticator app, or a recovery code' }],
  });
  expect(await save(ana, { email, password, otp: '000000' })).toMatchObject({
    ...refused,
    errors: [{ field: 'otp', message: "That code isn't right" }],
  });
  expect(await isSignedIn(shop, thief)).toBe(true);
  const answer = await save(ana, { fullName: 'Awa C.', email, password, otp: otpOf(shop, secret) });
  expect(answer).toMatchObject({
    status: 200,
    message: 'We sent a link to the new email. Your email changes when you open that link.',
  });
  expect(answer.data.user).toMatchObject({ fullName: 'Awa C.', email: account.email, isEmailProven: true });
  expect(await isSignedIn(shop, thief)).toBe(false);
  const told = await mailsTo(shop, account.email);
  expect(told).toHaveLength(2); // the first one, that the factor was turned on
  expect(told[1]).toContain('Someone asked to change the email on your account');
  expect((await prove(email, ana)).status).toBe(200);
  expect((await mailsTo(shop, account.email)).at(-1)).toContain('The email on your account was changed');
  const { user } = await logIn(shop, { email, password }, { otp: recoveryCodes[0] });
  expect(user).toMatchObject({ email, isEmailProven: true, hasSecondFactor: true });
});

test('another email of staff waits for its link, and is rejected when another account has it by then', async () => {
  const admin = await newStaff(shop);
  const email = `new-${admin.user.email}`;
  const { data } = await save(admin, { email, password: longPassword });
  expect(data.user).toMatchObject({ email: admin.user.email, role: 'ROLE_ADMIN', isEmailProven: true });
  const token = await proofTokenOf(shop, email);
  const ben = await openAccount(shop, { email });
  const taken = { status: 409, code: 'email_taken' };
  expect(await shop.call('proveEmail', { body: { token }, headers: bearer(admin) })).toMatchObject(taken);
  expect((await logIn(shop, ben)).user.id).toBe(ben.id);
  await logIn(shop, { email: admin.user.email, password: longPassword });
});

describe('another email that waits for its link', () => {
  const moved = async (person: SignedIn) =>
    (await shop.call('getUser', { path: { userId: person.user.id }, headers: bearer(person) })).data.user.email !==
    person.user.email;
  async function waiting() {
    const admin = await newStaff(shop);
    const email = `new-${admin.user.email}`;
    await save(admin, { email, password: longPassword });
    return { admin, token: await proofTokenOf(shop, email) };
  }
  const open = (token: string, person?: SignedIn) =>
    shop.call('proveEmail', { body: { token }, ...(person && { headers: bearer(person) }) });

  test('cannot be claimed by a stranger who got the mail, and the link still works for the account', async () => {
    const { admin, token } = await waiting();
    const said = 'Log in to your account in this browser first, then open the link again.';
    expect(await open(token)).toMatchObject({ status: 401, code: 'unauthenticated', message: said });
    expect(await open(token, await newCustomer(shop))).toMatchObject({
      status: 403,
      code: 'forbidden',
      message: said,
    });
    expect(await moved(admin)).toBe(false);
    expect((await open(token, admin)).status).toBe(200);
    expect(await moved(admin)).toBe(true);
  });

  test('is dropped once the password was changed', async () => {
    const { admin, token } = await waiting();
    const body = { currentPassword: longPassword, password: `${longPassword}!`, confirmPassword: `${longPassword}!` };
    await shop.call('changePassword', { path: { userId: admin.user.id }, headers: bearer(admin), body });
    expect(await open(token, admin)).toMatchObject({ status: 400, code: 'email_link_invalid' });
  });

  test('or reset by a link', async () => {
    const { admin, token } = await waiting();
    await setPassword(shop, await resetToken(shop, admin.user.email), `${longPassword}!`);
    const again = await logIn(shop, { email: admin.user.email, password: `${longPassword}!` });
    expect(await open(token, again)).toMatchObject({ status: 400, code: 'email_link_invalid' });
  });
});

test('a recovery code used to change the email is reported by mail', async () => {
  const { account, secret, recoveryCodes } = await customerWithFactor(shop);
  const ana = await signInWith(account, secret);
  await save(ana, { email: `new-${account.email}`, password, otp: recoveryCodes[0] ?? '' });
  expect((await mailsTo(shop, account.email)).join('\n')).toContain('Someone used one of your recovery codes');
});

test('an address that a stranger registered is rejected, and mailed a link to take it over', async () => {
  const squatted = await openUnprovenAccount(shop);
  const ana = await newCustomer(shop);
  const taken = { status: 409, code: 'email_taken' };
  expect(await save(ana, { email: squatted.email, password })).toMatchObject(taken);
  expect(await takeoverTokenOf(shop, squatted.email)).not.toBe('');
});

test('the same change sent again is answered again, and mails one link', async () => {
  const { account, secret } = await customerWithFactor(shop);
  const ana = await signInWith(account, secret);
  const key = crypto.randomUUID();
  const change = { email: `new-${account.email}`, password, otp: otpOf(shop, secret) };
  const [first, second] = [await save(ana, change, key), await save(ana, change, key)];
  expect(first.status).toBe(200);
  expect(second.body).toEqual(first.body);
  await prove(change.email, ana);
  expect(await mailsTo(shop, change.email)).toHaveLength(1);
});

test('trying addresses does not reveal who has an account', async () => {
  const ana = await newCustomer(shop);
  const { email } = await openAccount(shop);
  const tries = await Promise.all(Array.from({ length: 12 }, () => save(ana, { email, password })));
  expect(tries.filter(({ code }) => code === 'email_taken')).toHaveLength(5);
  expect(tries.filter(({ code }) => code === 'too_many_attempts')).toHaveLength(7);
  expect((await save(ana, { email: newcomer().email, password })).status).toBe(429);
  expect((await save(ana, { fullName: 'Awa' })).status).toBe(200);
  shop.clock.advance(15 * 60_000);
  const again = await logIn(shop, { email: ana.user.email, password });
  expect((await save(again, { email: newcomer().email, password })).status).toBe(200);
});

test('neither does trying them with many accounts from one network', async () => {
  const { email } = await openAccount(shop);
  await save(await newCustomer(shop), { email, password });
  await shop.pool.query(`update attempts set count = 30 where key like 'email address %'`);
  expect(await save(await newCustomer(shop), { email, password })).toMatchObject({ code: 'too_many_attempts' });
});

test('guesses at the password for another email are limited', async () => {
  const ana = await newCustomer(shop);
  const tries = await Promise.all(
    Array.from({ length: 12 }, () => save(ana, { email: `new-${ana.user.email}`, password: 'wrong' })),
  );
  expect(tries.filter(({ code }) => code === 'wrong_password')).toHaveLength(5);
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(7);
});

test('another user’s email is rejected, however it is written', async () => {
  const ana = await newCustomer(shop);
  const { email } = await openAccount(shop, { email: `kebba-${Date.now()}@example.com` });
  for (const taken of [email, email.toUpperCase(), email.replace('k', '\u212A'), email.replace('e', 'ｅ')]) {
    const answer = await save(ana, { email: taken, password });
    expect(answer, taken).toMatchObject({ status: 409, code: 'email_taken', errors: [{ field: 'email' }] });
  }
});

test('the user’s own email in another case is a new one, and no conflict', async () => {
  const ana = await newCustomer(shop);
  const email = ana.user.email.toUpperCase();
  expect((await save(ana, { email, password })).data.user).toMatchObject({ email, isEmailProven: true });
  expect(await mailsTo(shop, email), 'it is the same mailbox').toEqual([]);
  expect(await mailsTo(shop, ana.user.email)).toEqual([]);
});
