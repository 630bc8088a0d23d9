import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureOwner } from '../../../src/server/auth/owner';
import { carts, users } from '../../../src/server/db/schema/tables';
import { logIn, openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeEach(async () => {
  shop = await openOwnShop();
});
afterEach(() => shop.close());

const ownerEmail = 'owner@example.com';
const ensure = (settings = {}) =>
  ensureOwner(shop.db, { ownerEmail, ownerPassword: undefined, ...settings }, shop.clock.now());
const owners = () => shop.db.select().from(users).where(eq(users.role, 'ROLE_OWNER'));

test('a fresh shop gets an owner whose random password is printed once', async () => {
  const password = await ensure();
  expect(password).toMatch(/^[a-z2-9]{20}$/);
  expect(await ensure()).toBeUndefined();
  const { user } = await logIn(shop, { email: ownerEmail, password: password ?? '' });
  expect(user).toMatchObject({ role: 'ROLE_OWNER', fullName: 'Shop Owner', addresses: [] });
  expect(await shop.db.select().from(carts).where(eq(carts.userId, user.id))).toHaveLength(1);
});

test('the owner’s password can be chosen, and is not printed then', async () => {
  expect(await ensure({ ownerPassword: 'chosen by the owner' })).toBeUndefined();
  await logIn(shop, { email: ownerEmail, password: 'chosen by the owner' });
});

test('processes that start at the same time create one owner and print one password', async () => {
  const told = await Promise.all(Array.from({ length: 5 }, () => ensure()));
  expect(await owners()).toHaveLength(1);
  const [password, ...others] = told.filter((each) => each !== undefined);
  expect(others).toEqual([]);
  await logIn(shop, { email: ownerEmail, password: password ?? '' });
});

test('an owner’s email that belongs to a customer, or is missing, stops the start with a sentence', async () => {
  await openAccount(shop, { email: ownerEmail });
  await expect(ensure()).rejects.toThrow("OWNER_EMAIL belongs to an account that isn't the owner");
  await expect(ensure({ ownerEmail: 'owner' })).rejects.toThrow('OWNER_EMAIL must be an email address');
  expect(await owners()).toEqual([]);
});
