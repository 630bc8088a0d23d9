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
} from '../../support/accounts';
import { type Account, isSignedIn, logIn, newcomer, newCustomer, openAccount, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // what one test tried does not limit the next

const address = { street: '1 Palm Road', city: 'Savannah', state: 'GA', postalCode: '31401' };

const prove = async (email: string) => shop.call('proveEmail', { body: { token: await proofTokenOf(shop, email) } });

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
const add = (ana: SignedIn, body: object = address) =>
  shop.call('addAddress', { path: { userId: ana.user.id }, headers: bearer(ana), body });

describe('the profile', () => {
  test('takes name, description, phone number and date of birth, and keeps what was not sent', async () => {
    const ana = await newCustomer(shop);
    const first = await save(ana, { fullName: ' Awa J. ', description: ' Cooks ', phoneNumber: '+1 (404) 555-0100' });
    expect(first).toMatchObject({ status: 200, message: 'Profile updated successfully' });
    expect(first.data.user).toMatchObject({
      fullName: 'Awa J.',
      description: 'Cooks',
      phoneNumber: '+1 (404) 555-0100',
      dob: null,
    });
    const second = await save(ana, { dob: '1990-12-31' });
    expect(second.data.user).toMatchObject({ phoneNumber: '+1 (404) 555-0100', dob: '1990-12-31', description: null });
    const third = await save(ana, { phoneNumber: '', dob: null });
    expect(third.data.user).toMatchObject({ phoneNumber: null, dob: null });
  });

  const refusals: [string, unknown, string][] = [
    ['fullName', ' ', 'This field is required'],
    ['email', '', 'This field is required'],
    ['email', 'awa', 'Invalid email address'],
    ['phoneNumber', 'call me', 'Please enter a phone number'],
    ['dob', '31.12.1990', 'Please enter a date'],
    ['dob', '1990-02-30', 'Please enter a date'],
    ['dob', '2990-02-28', 'Please enter a date that is not in the future'],
    ['description', 'x'.repeat(1001), 'Please use no more than 1000 characters'],
    ['description', 'My card: 4242 4242 4242 4242', 'Please do not enter a card number here'],
  ];
  test.each(refusals)('with %s “%s” is refused', async (field, value, message) => {
    const answer = await save(await newCustomer(shop), { [field]: value });
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test('another email asks for the password, tells the former address, and is what one logs in with', async () => {
    const ana = await newCustomer(shop);
    const email = `new-${ana.user.email}`;
    expect(await save(ana, { email })).toMatchObject({ status: 400, code: 'wrong_password' });
    expect(await save(ana, { email, password: 'wrong' })).toMatchObject({
      status: 400,
      code: 'wrong_password',
      errors: [{ field: 'password', message: 'The password is not right' }],
    });
    expect((await save(ana, { email, password })).data.user.email).toBe(email);
    await logIn(shop, { email, password });
    expect((await shop.call('login', { body: { email: ana.user.email, password } })).status).toBe(401);
    expect((await mailsTo(shop, ana.user.email)).join('\n')).toContain('The email address of your account was changed');
  });

  test('another email counts at once, is unproven until its link was opened, and ends all other sessions', async () => {
    const account = await openAccount(shop);
    const [thief, ana] = [await logIn(shop, account), await logIn(shop, account)];
    const email = `new-${account.email}`;
    const answer = await save(ana, { email, password });
    expect(answer).toMatchObject({ status: 200, message: 'Profile updated successfully' });
    expect(answer.data.user).toMatchObject({ email, isEmailProven: false });
    expect(await isSignedIn(shop, thief)).toBe(false);
    expect(await isSignedIn(shop, ana)).toBe(true);
    expect(await prove(email)).toMatchObject({ status: 200 });
    expect((await logIn(shop, { email, password })).user.isEmailProven).toBe(true);
  });

  test('a link that was mailed to an address that one left again proves nothing', async () => {
    const ana = await newCustomer(shop);
    const [first, second] = [`one-${ana.user.email}`, `two-${ana.user.email}`];
    await save(ana, { email: first, password });
    const token = await proofTokenOf(shop, first);
    await save(ana, { email: second, password });
    expect(await shop.call('proveEmail', { body: { token } })).toMatchObject({ code: 'email_link_invalid' });
  });

  test('another email asks for the code too where two-step login is on, and waits for its link', async () => {
    const { account, secret, recoveryCodes } = await customerWithFactor(shop);
    const [thief, ana] = [await signInWith(account, secret), await signInWith(account, secret)];
    const email = `new-${account.email}`;
    const refused = { status: 400, code: 'wrong_code' };
    expect(await save(ana, { email, password })).toMatchObject({
      ...refused,
      errors: [{ field: 'otp', message: 'Please enter a code from your authenticator app, or a recovery code' }],
    });
    expect(await save(ana, { email, password, otp: '000000' })).toMatchObject({
      ...refused,
      errors: [{ field: 'otp', message: 'The code is not right' }],
    });
    expect(await isSignedIn(shop, thief)).toBe(true);
    const answer = await save(ana, { fullName: 'Awa C.', email, password, otp: otpOf(shop, secret) });
    expect(answer).toMatchObject({
      status: 200,
      message: 'We have mailed a link to the new address. When you open it, it takes the place of the present one.',
    });
    expect(answer.data.user).toMatchObject({ fullName: 'Awa C.', email: account.email, isEmailProven: true });
    expect(await isSignedIn(shop, thief)).toBe(false);
    expect(await mailsTo(shop, account.email)).toHaveLength(1); // that the factor was switched on
    expect((await prove(email)).status).toBe(200);
    expect((await mailsTo(shop, account.email)).at(-1)).toContain('The email address of your account was changed');
    const { user } = await logIn(shop, { email, password }, { otp: recoveryCodes[0] });
    expect(user).toMatchObject({ email, isEmailProven: true, hasSecondFactor: true });
  });

  test('another email of staff waits for its link, and is refused when somebody else has it by then', async () => {
    const admin = await newStaff(shop);
    const email = `new-${admin.user.email}`;
    const { data } = await save(admin, { email, password: longPassword });
    expect(data.user).toMatchObject({ email: admin.user.email, role: 'ROLE_ADMIN', isEmailProven: true });
    const token = await proofTokenOf(shop, email);
    const ben = await openAccount(shop, { email });
    const taken = { status: 409, code: 'email_taken' };
    expect(await shop.call('proveEmail', { body: { token } })).toMatchObject(taken);
    expect((await logIn(shop, ben)).user.id).toBe(ben.id);
    await logIn(shop, { email: admin.user.email, password: longPassword });
  });

  test('the same change sent again is answered again, and mails one link', async () => {
    const { account, secret } = await customerWithFactor(shop);
    const ana = await signInWith(account, secret);
    const key = crypto.randomUUID();
    const change = { email: `new-${account.email}`, password, otp: otpOf(shop, secret) };
    const [first, second] = [await save(ana, change, key), await save(ana, change, key)];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    await prove(change.email);
    expect(await mailsTo(shop, change.email)).toHaveLength(1);
  });

  test('who has an account is not found out by trying addresses', async () => {
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

  test('nor by many accounts from one network', async () => {
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

  test('the email of somebody else is refused, however it is written', async () => {
    const ana = await newCustomer(shop);
    const { email } = await openAccount(shop, { email: `kebba-${Date.now()}@example.com` });
    for (const taken of [email, email.toUpperCase(), email.replace('k', '\u212A'), email.replace('e', 'ｅ')]) {
      const answer = await save(ana, { email: taken, password });
      expect(answer, taken).toMatchObject({ status: 409, code: 'email_taken', errors: [{ field: 'email' }] });
    }
  });

  test('the own email in other letters is a new one, and no conflict with oneself', async () => {
    const ana = await newCustomer(shop);
    const email = ana.user.email.toUpperCase();
    expect((await save(ana, { email, password })).data.user.email).toBe(email);
  });

  test.each(['role', 'isEnabled', 'id', 'passwordHash', 'mustChangePassword', 'createdAt', 'imageUrl'])(
    'with the field %s is refused by its name',
    async (field) => {
      const ana = await newCustomer(shop);
      expect(await save(ana, { [field]: 'ROLE_OWNER' })).toMatchObject({ status: 400, errors: [{ field }] });
      expect((await save(ana)).data.user).toEqual({ ...ana.user, description: null });
    },
  );
});

describe('addresses', () => {
  test('are added, changed and removed, by the registration form’s rules', async () => {
    const ana = await newCustomer(shop);
    const added = await add(ana, { ...address, state: 'Georgia' });
    expect(added).toMatchObject({ status: 200, message: 'Address added successfully' });
    const [first, second] = added.data.user.addresses;
    expect(second).toMatchObject({ ...address, country: 'United States' });
    const path = { userId: ana.user.id, addressId: second?.id ?? '' };
    const changed = await shop.call('updateAddress', {
      path,
      headers: bearer(ana),
      body: { ...address, city: 'Macon' },
    });
    expect(changed.data.user.addresses).toMatchObject([{ id: first?.id }, { id: second?.id, city: 'Macon' }]);
    const removed = await shop.call('removeAddress', { path, headers: bearer(ana) });
    expect(removed).toMatchObject({ status: 200, message: 'Address removed successfully' });
    expect(removed.data.user.addresses.map(({ id }) => id)).toEqual([first?.id]);
    const again = await shop.call('removeAddress', { path, headers: bearer(ana) });
    expect(again).toMatchObject({ status: 404, code: 'address_not_found' });
  });

  test.each([
    ['street', '', 'This field is required'],
    ['state', 'Banjul', 'Please choose one of the 50 states'],
    ['postalCode', '30303-1234', 'Postal code must be no more than 5 characters'],
    ['city', '4242424242424242', 'Please do not enter a card number here'],
  ])('with %s “%s” are refused', async (field, value, message) => {
    const answer = await add(await newCustomer(shop), { ...address, [field]: value });
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
  });

  test('an account keeps twenty, also when thirty come at once', async () => {
    const ana = await newCustomer(shop);
    const answers = await Promise.all(Array.from({ length: 30 }, () => add(ana)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19); // one came with the registration
    expect(answers.filter(({ code }) => code === 'too_many_addresses')).toHaveLength(11);
  });

  test('of somebody else are as missing', async () => {
    const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
    const theirs = ben.user.addresses[0]?.id ?? '';
    for (const id of ['updateAddress', 'removeAddress'] as const) {
      const ask = (addressId: string) =>
        shop.call(id, {
          path: { userId: ana.user.id, addressId },
          headers: bearer(ana),
          ...(id === 'updateAddress' && { body: address }),
        });
      const [foreign, missing] = [await ask(theirs), await ask(crypto.randomUUID())];
      expect(foreign).toMatchObject({ status: 404, code: 'address_not_found' });
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    const { data } = await shop.call('getUser', { path: { userId: ben.user.id }, headers: bearer(ben) });
    expect(data.user.addresses).toEqual(ben.user.addresses);
  });
});
