/** Users who register and log in, and the cookies that a browser would store. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createAddress } from '../../src/server/users/core/addresses';
import { createUser } from '../../src/server/users/core/service';
import { hashPassword } from '../../src/server/auth/factors/passwords';
import { transact } from '../../src/server/db/core/transact';
import type { Schema } from '../../src/shared/contract';
import type { Answer, TestShop } from './shop';

export const newcomer = (changes: Partial<Schema<'Registration'>> = {}): Schema<'Registration'> => ({
  fullName: 'Awa Jallow',
  email: `awa-${randomUUID()}@example.com`,
  password: 'pepper and salt 1',
  confirmPassword: 'pepper and salt 1',
  street: '12 Market Street',
  city: 'Atlanta',
  state: 'GA',
  postalCode: '30303',
  ...changes,
});

export type Account = Schema<'Registration'> & { id: string };

/** Hashes by password: hashing one takes longer than most tests. */
const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** A user who is registered and proven in the database; nothing was mailed. */
export async function openAccount(
  { db, clock }: Pick<TestShop, 'db' | 'clock'>,
  changes: Partial<Schema<'Registration'>> = {},
): Promise<Account> {
  const person = newcomer(changes);
  const { email, fullName, password, street, city, state, postalCode } = person;
  const passwordHash = await hashOf(password);
  const now = clock.now();
  const user = { email, fullName, role: 'ROLE_CUSTOMER' as const, passwordHash, emailProvenAt: now };
  const { id } = await transact(db, async (tx) => {
    const made = await createUser(tx, user, now);
    await createAddress(tx, made.id, { street, city, state, postalCode }, now);
    return made;
  });
  return { ...person, id };
}

/** Registers a user; the mailed link stays unopened. */
export async function openUnprovenAccount(
  shop: TestShop,
  changes: Partial<Schema<'Registration'>> = {},
): Promise<Account> {
  const person = newcomer(changes);
  const { status, data } = await shop.call('register', { body: person });
  expect(status).toBe(201);
  return { ...person, id: data.user.id };
}

export type SignedIn = Schema<'AuthResponse'> & { cookies: Record<string, Cookie> };

type Login = Pick<Schema<'Credentials'>, 'email' | 'password'>;

/** Logs a user in; the login must succeed. */
export async function logIn(shop: TestShop, { email, password }: Login, rest: object = {}): Promise<SignedIn> {
  const answer = await shop.call('login', { body: { email, password, ...rest } });
  expect(answer.status).toBe(200);
  return { ...answer.data.authResponse, cookies: cookiesOf(answer) };
}

/** A new customer, logged in. */
export const newCustomer = async (shop: TestShop): Promise<SignedIn> => logIn(shop, await openAccount(shop));

export const refreshWith = (shop: TestShop, refreshToken: string) =>
  shop.call('refreshToken', { body: { refreshToken } });

/** Refreshes a session; the refresh must succeed. */
export async function refreshed(shop: TestShop, refreshToken: string): Promise<SignedIn> {
  const answer = await refreshWith(shop, refreshToken);
  expect(answer.message).toBe('Session refreshed');
  return { ...answer.data.authResponse, cookies: cookiesOf(answer) };
}

/** Whether the API accepts this access token. */
export async function isSignedIn(
  shop: Pick<TestShop, 'call'>,
  { jwt, user }: Pick<SignedIn, 'jwt' | 'user'>,
): Promise<boolean> {
  const { status } = await shop.call('getUser', {
    path: { userId: user.id },
    headers: { authorization: `Bearer ${jwt}` },
  });
  expect([200, 401]).toContain(status);
  return status === 200;
}

export type Cookie = { value: string; attributes: string[] };

/** The cookies that a response sets, by name. */
export function cookiesOf({ headers }: Pick<Answer<'login'>, 'headers'>): Record<string, Cookie> {
  const lines = [headers['set-cookie'] ?? []].flat() as string[];
  return Object.fromEntries(
    lines.map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      return [name, { value, attributes: attributes.sort() }];
    }),
  );
}

/** All cookies except the named one. */
export const without = (cookies: Record<string, Cookie>, name: string): Record<string, Cookie> =>
  Object.fromEntries(Object.entries(cookies).filter(([each]) => each !== name));

/** The headers with which the shop's own page sends these cookies. */
export const fromPage = (cookies: Record<string, Cookie>): Record<string, string> => ({
  cookie: Object.entries(cookies)
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; '),
  'sec-fetch-site': 'same-origin',
});
