import { randomUUID } from 'node:crypto';
import { accountLimits, userSays } from '../../shared/users';
import { writeAudit, type Actor } from '../audit/service';
import type { UserRole } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import { conflict, notFound } from '../http/problems';
import {
  changeAddress,
  deleteAddress,
  emailKey,
  findAddresses,
  findUser,
  insertAddress,
  insertCart,
  insertUser,
  lockUser,
  type UserRow,
  type UserWithAddresses,
} from './repository';

export type NewUser = {
  email: string;
  fullName: string;
  role: UserRole;
  passwordHash: string;
  mustChangePassword?: boolean;
};
export type NewAddress = { street: string; city: string; state: string; postalCode: string };
/** Whose address, who does it, and when. */
export type Own = { userId: string; by: Actor; now: Date };

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

export async function createAddress(
  tx: Tx,
  userId: string,
  { street, city, state, postalCode }: NewAddress,
  now: Date,
) {
  const id = randomUUID();
  await insertAddress(tx, { id, userId, street, city, state, postalCode, country, createdAt: now });
  return id;
}

/** @throws Problem 404 not_found when the account is gone */
export async function readUser(connection: Connection, userId: string): Promise<UserWithAddresses> {
  const user = await findUser(connection, userId);
  if (!user) throw notFound();
  return { ...user, addresses: await findAddresses(connection, userId) };
}

/**
 * Saves one more address of one's own.
 * @throws Problem 409 too_many_addresses
 * Source: specification §7; decisions §8
 */
export async function addAddress(tx: Tx, own: Own, address: NewAddress): Promise<UserWithAddresses> {
  await lockUser(tx, own.userId); // two at once would both find room for the last one
  const { length } = await findAddresses(tx, own.userId);
  if (length >= accountLimits.addresses) throw conflict('too_many_addresses', userSays.tooManyAddresses);
  await createAddress(tx, own.userId, address, own.now);
  return audited(tx, own, 'user.address_added');
}

/** @throws Problem 404 address_not_found, alike for a missing one and somebody else's */
export async function updateAddress(tx: Tx, own: Own, id: string, address: NewAddress): Promise<UserWithAddresses> {
  const { street, city, state, postalCode } = address;
  if (!(await changeAddress(tx, own.userId, id, { street, city, state, postalCode }))) throw addressNotFound();
  return audited(tx, own, 'user.address_changed');
}

/** @throws Problem 404 address_not_found, alike for a missing one and somebody else's */
export async function removeAddress(tx: Tx, own: Own, id: string): Promise<UserWithAddresses> {
  if (!(await deleteAddress(tx, own.userId, id))) throw addressNotFound();
  return audited(tx, own, 'user.address_removed');
}

/** An address is personal: that it changed is kept, not what it was. */
async function audited(tx: Tx, { userId, by, now }: Own, action: `user.${string}`): Promise<UserWithAddresses> {
  await writeAudit(tx, { by, action, target: { kind: 'user', id: userId }, now });
  return readUser(tx, userId);
}

const addressNotFound = () => notFound('address_not_found', userSays.addressNotFound);

export const emailTaken = () =>
  conflict('email_taken', userSays.emailTaken, [{ field: 'email', message: userSays.emailTaken }]);
