import { and, asc, eq } from 'drizzle-orm';
import { addresses, carts, users } from '../db/schema';
import type { Connection, Tx } from '../db/transact';

export type UserRow = typeof users.$inferSelect;
export type AddressRow = typeof addresses.$inferSelect;
export type UserWithAddresses = UserRow & { addresses: AddressRow[] };

/** The address as accounts are told apart by: one person, one account, however the address is written. */
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

/** The user, who stays as read until `tx` ends: a change of role, password or access waits for it. */
export async function holdUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('share');
  return user;
}

/** The oldest address first. */
export async function findAddresses(connection: Connection, userId: string): Promise<AddressRow[]> {
  return connection
    .select()
    .from(addresses)
    .where(eq(addresses.userId, userId))
    .orderBy(asc(addresses.createdAt), asc(addresses.id));
}

/** @returns the user, or undefined when the address has an account */
export async function insertUser(tx: Tx, user: typeof users.$inferInsert): Promise<UserRow | undefined> {
  const [written] = await tx.insert(users).values(user).onConflictDoNothing({ target: users.emailKey }).returning();
  return written;
}

export async function insertAddress(tx: Tx, address: AddressRow): Promise<void> {
  await tx.insert(addresses).values(address);
}

export async function insertCart(tx: Tx, cart: typeof carts.$inferInsert): Promise<void> {
  await tx.insert(carts).values(cart);
}

/** Changes the password's hash, unless the password was changed meanwhile. */
export async function replacePasswordHash(connection: Connection, id: string, from: string, to: string): Promise<void> {
  await connection
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));
}

export async function hasOwner(connection: Connection): Promise<boolean> {
  const owners = await connection.select({ id: users.id }).from(users).where(eq(users.role, 'ROLE_OWNER')).limit(1);
  return owners.length > 0;
}
