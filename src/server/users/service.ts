import { randomUUID } from 'node:crypto';
import type { UserRole } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import { conflict, notFound } from '../http/problems';
import {
  emailKey,
  findAddresses,
  findUser,
  insertAddress,
  insertCart,
  insertUser,
  type UserRow,
  type UserWithAddresses,
} from './repository';

export type NewUser = { email: string; fullName: string; role: UserRole; passwordHash: string };
export type NewAddress = { street: string; city: string; state: string; postalCode: string };

/** Every address of the shop is in this country. Source: decisions §8 */
const country = 'United States';

/**
 * Makes an account with its one cart.
 * @throws Problem 409 email_taken
 * Source: decisions §2, §5
 */
export async function createUser(tx: Tx, user: NewUser, now: Date): Promise<UserRow> {
  const written = await insertUser(tx, {
    ...user,
    id: randomUUID(),
    emailKey: emailKey(user.email),
    createdAt: now,
  });
  if (!written) throw emailTaken();
  await insertCart(tx, { id: randomUUID(), userId: written.id, createdAt: now });
  return written;
}

export async function createAddress(tx: Tx, userId: string, address: NewAddress, now: Date): Promise<void> {
  await insertAddress(tx, { ...address, id: randomUUID(), userId, country, createdAt: now });
}

/** @throws Problem 404 not_found when the account is gone */
export async function readUser(connection: Connection, userId: string): Promise<UserWithAddresses> {
  const user = await findUser(connection, userId);
  if (!user) throw notFound();
  return { ...user, addresses: await findAddresses(connection, userId) };
}

const emailTaken = () => {
  const message = 'There is already an account with this email';
  return conflict('email_taken', message, [{ field: 'email', message }]);
};
