/** Finds, locks, changes and creates accounts, for all features. */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { userMessages } from '../../../shared/users';
import { carts, users, type UserRole } from '../../db/schema/tables';
import type { Connection, Tx } from '../../db/core/transact';
import type { Actor } from '../../http/contract/access';
import { conflict, forbidden, notFound } from '../../http/core/problems';
import { findAddresses, type AddressRow } from './addresses';

export type UserRow = typeof users.$inferSelect;
export type UserWithAddresses = UserRow & { addresses: AddressRow[] };
export type NewUser = {
  /** Random unless it is known before. */
  id?: string;
  email: string;
  fullName: string;
  role: UserRole;
  passwordHash: string;
  mustChangePassword?: boolean;
  /** Set it when the address needs no proof. */
  emailProvenAt?: Date;
};

/** The unique key of an account: spelling variants of an address map to the same account. */
export const emailKey = (email: string): string => email.normalize('NFKC').toLowerCase();

export async function findUser(connection: Connection, id: string): Promise<UserRow | undefined> {
  const [user] = await connection.select().from(users).where(eq(users.id, id));
  return user;
}

export async function findUserByEmail(connection: Connection, email: string): Promise<UserRow | undefined> {
  const [user] = await connection
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)));
  return user;
}

/** @throws Problem 404 not_found when the account was deleted */
export async function readUser(connection: Connection, userId: string): Promise<UserWithAddresses> {
  const user = await findUser(connection, userId);
  if (!user) throw notFound();
  return { ...user, addresses: await findAddresses(connection, [userId]) };
}

/** @returns the users with their addresses, in the order of `ids` */
export async function findUsers(connection: Connection, ids: string[]): Promise<UserWithAddresses[]> {
  if (ids.length === 0) return [];
  const rows = await connection.select().from(users).where(inArray(users.id, ids));
  const found = ids.flatMap((id) => rows.find((user) => user.id === id) ?? []);
  const theirs = await findAddresses(connection, ids);
  return found.map((user) => ({ ...user, addresses: theirs.filter(({ userId }) => userId === user.id) }));
}

export async function hasOwner(connection: Connection): Promise<boolean> {
  const owners = await connection.select({ id: users.id }).from(users).where(eq(users.role, 'ROLE_OWNER')).limit(1);
  return owners.length > 0;
}

/** The enabled owners. */
export const findOwners = (connection: Connection): Promise<UserRow[]> =>
  connection
    .select()
    .from(users)
    .where(and(eq(users.role, 'ROLE_OWNER'), eq(users.isEnabled, true)));

/** Locks the user for `tx`. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return user;
}

export type UserChange = Partial<Omit<UserRow, 'id' | 'createdAt'>>;

/** @param change at least one column */
export async function changeUser(tx: Tx, id: string, change: UserChange): Promise<void> {
  await tx.update(users).set(change).where(eq(users.id, id));
}

/**
 * Replaces the password hash unless it changed meanwhile.
 * @returns whether it was replaced
 */
export async function replacePasswordHash(
  connection: Connection,
  id: string,
  from: string,
  to: string,
): Promise<boolean> {
  const { rowCount } = await connection
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));
  return rowCount === 1;
}

/**
 * Creates an account and its cart.
 * @throws Problem 409 email_taken
 * Rule: docs/rules/accounts.md, An account
 */
export async function createUser(tx: Tx, user: NewUser, now: Date): Promise<UserRow> {
  const row = { id: randomUUID(), ...user, emailKey: emailKey(user.email), createdAt: now };
  const [written] = await tx.insert(users).values(row).onConflictDoNothing({ target: users.emailKey }).returning();
  if (!written) throw emailTaken();
  await tx.insert(carts).values({ id: randomUUID(), userId: written.id, createdAt: now });
  return written;
}

export const emailTaken = (message: string = userMessages.emailTaken) =>
  conflict('email_taken', message, [{ field: 'email', message }]);

/**
 * Locks the caller's own row, so that an admin who is just being demoted or disabled can do nothing more.
 * @throws Problem 403 forbidden
 */
export async function requireStaff(tx: Tx, { userId }: Actor): Promise<UserRow> {
  const user = userId === null ? undefined : await lockUser(tx, userId);
  if (!user?.isEnabled || user.role === 'ROLE_CUSTOMER') throw forbidden();
  return user;
}
