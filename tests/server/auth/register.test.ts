import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { carts } from '../../../src/server/db/schema/tables';
import { cookiesOf, logIn, newcomer, openUnprovenAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

describe('registering', () => {
  test('creates a customer with an address and a cart, and signs nobody in', async () => {
    const person = newcomer({ fullName: '  Awa Jallow ', email: ` Awa.${Date.now()}@Example.com `, state: 'Georgia' });
    const answer = await shop.call('register', { body: person });
    expect(answer).toMatchObject({ status: 201, message: 'Registration successful!' });
    expect(cookiesOf(answer)).toEqual({});
    expect(answer.data.user).toMatchObject({
      fullName: 'Awa Jallow',
      email: person.email.trim(),
      role: 'ROLE_CUSTOMER',
      isEnabled: true,
      addresses: [
        { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303', country: 'United States' },
      ],
    });
    expect(answer.data.user.joinDate).toBe(answer.data.user.createdAt);
    const owners = await shop.db.select({ userId: carts.userId }).from(carts);
    expect(owners.filter(({ userId }) => userId === answer.data.user.id)).toHaveLength(1);
  });

  const rejections: [field: string, value: unknown, message: string][] = [
    ['fullName', '', 'Enter a full name'],
    ['fullName', '   ', 'Enter a full name'],
    ['fullName', undefined, 'Enter a full name'],
    ['email', '', 'Email is required'],
    ['email', undefined, 'Email is required'],
    ['email', 'awa', 'Invalid email address'],
    ['email', 'awa@example', 'Invalid email address'],
    ['email', 'awa jallow@example.com', 'Invalid email address'],
    ['email', `${'a'.repeat(250)}@example.com`, 'Invalid email address'],
    ['email', 'awa\u0000@example.com', 'Invalid email address'],
    ['email', `a@${'.'.repeat(12_000)}`, 'Invalid email address'],
    ['password', 'pepper1', 'Password must be at least 8 characters'],
    ['password', '12345678', 'Password must contain at least one letter'],
    ['password', 'a'.repeat(129), 'Password must be no more than 128 characters'],
    ['confirmPassword', '', 'Please confirm your password'],
    ['confirmPassword', undefined, 'Please confirm your password'],
    ['confirmPassword', 'pepper and salt 2', 'Passwords do not match'],
    ['street', '', 'This field is required'],
    ['city', ' ', 'This field is required'],
    ['state', '', 'This field is required'],
    ['state', 'Banjul', 'Choose one of the 50 states or DC'],
    ['postalCode', '', 'Postal Code is required'],
    ['postalCode', '3030', 'Postal code must be at least 5 characters'],
    ['postalCode', '30303-1234', 'Postal code must be no more than 5 characters'],
    ['postalCode', '3030a', 'Postal code format is numbers only'],
  ];
  const shown = rejections.map(
    ([field, value, message]) => [field, String(value).slice(0, 30), message, value] as const,
  );
  test.each(shown)('with %s “%s” is rejected: %s', async (field, _, message, value) => {
    const repeated = field === 'password' ? { confirmPassword: value } : {};
    const answer = await shop.call('register', { body: { ...newcomer(), ...repeated, [field]: value } });
    expect(answer).toMatchObject({ status: 400, code: 'invalid_request', message, errors: [{ field, message }] });
  });

  test('with an invalid Authorization header is rejected: only login, refresh and logout ignore it', async () => {
    const headers = { authorization: 'Bearer dead' };
    expect((await shop.call('register', { body: newcomer(), headers })).status).toBe(401);
    const forgotten = await shop.call('resetPassword', { body: { email: 'awa@example.com' }, headers });
    expect(forgotten).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('returns one sentence for each invalid field', async () => {
    const { errors } = await shop.call('register', { body: {} });
    expect(Object.fromEntries(errors.map(({ field, message }) => [field, message]))).toEqual({
      fullName: 'Enter a full name',
      email: 'Email is required',
      password: 'Password is required',
      confirmPassword: 'Please confirm your password',
      street: 'This field is required',
      city: 'This field is required',
      state: 'This field is required',
      postalCode: 'Postal Code is required',
    });
  });

  test.each(['role', 'isEnabled', 'id', 'addresses'])(
    'with an unknown field (%s) is rejected under its name',
    async (field) => {
      const person = newcomer();
      const answer = await shop.call('register', { body: { ...person, [field]: 'ROLE_OWNER' } });
      expect(answer).toMatchObject({ status: 400, errors: [{ field, message: "isn't a known field" }] });
      expect((await shop.call('login', { body: { email: person.email, password: person.password } })).status).toBe(401);
    },
  );

  test.each([
    ['a number', { password: 12_345_678 }],
    ['a list', { email: ['awa@example.com'] }],
    ['null', { city: null }],
  ])('with %s instead of text is rejected', async (_, changes) => {
    expect((await shop.call('register', { body: { ...newcomer(), ...changes } })).status).toBe(400);
  });

  const sameAddresses: [string, string][] = [
    ['awa.one@example.com', 'AWA.One@EXAMPLE.com'],
    ['awa.two@example.com', 'ａｗａ.two@example.com'],
    ['kebba.three@example.com', '\u212Aebba.three@example.com'],
    ['andr\u00E9.four@example.com', 'andre\u0301.four@example.com'],
  ];
  test.each(sameAddresses)('%s and %s are one account', async (first, second) => {
    await openUnprovenAccount(shop, { email: first });
    const answer = await shop.call('register', { body: newcomer({ email: second }) });
    expect(answer).toMatchObject({
      status: 409,
      code: 'email_taken',
      errors: [{ field: 'email', message: "There's already an account with this email" }],
    });
  });

  test('ten times at the same time creates one account', async () => {
    const person = newcomer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.call('register', { body: person })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test.each([
    ['64 characters', 'pepper! '.repeat(8)],
    ['128 characters', 'x'.repeat(128)],
    ['spaces around it', '  pepper and salt  '],
    ['other scripts', 'пиперец-дълъг-胡椒-🌶️'],
  ])('stores a password of %s unchanged', async (_, password) => {
    const { email } = await openUnprovenAccount(shop, { password, confirmPassword: password });
    await logIn(shop, { email, password });
    const cut = await shop.call('login', { body: { email, password: password.slice(0, -1) } });
    expect(cut.status).toBe(401);
  });

  test('accepts a password whichever way the keyboard encodes its accents', async () => {
    const { email } = await openUnprovenAccount(shop, {
      password: 'caf\u00E9 noir 1',
      confirmPassword: 'caf\u00E9 noir 1',
    });
    await logIn(shop, { email, password: 'cafe\u0301 noir 1' });
  });

  test('with a NUL character in a name is rejected', async () => {
    const answer = await shop.call('register', { body: newcomer({ fullName: 'Awa\u0000Jallow' }) });
    expect(answer.status).toBe(400);
  });
});
