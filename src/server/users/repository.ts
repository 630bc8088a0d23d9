import { and, asc, eq, inArray } from 'drizzle-orm';
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

/** The user, to be changed by `tx` alone. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return user;
}

export type UserChange = Partial<Omit<UserRow, 'id' | 'createdAt'>>;

/** @param change at least one column */
export async function changeUser(tx: Tx, id: string, change: UserChange): Promise<void> {
  await tx.update(users).set(change).where(eq(users.id, id));
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

/** @returns whether the user had such an address */
export async function changeAddress(
  tx: Tx,
  userId: string,
  id: string,
  change: Partial<Omit<AddressRow, 'id' | 'userId'>>,
): Promise<boolean> {
  const changed = await tx.update(addresses).set(change).where(isAddress(userId, id)).returning({ id: addresses.id });
  return changed.length > 0;
}

/** @returns whether the user had such an address */
export async function deleteAddress(tx: Tx, userId: string, id: string): Promise<boolean> {
  const deleted = await tx.delete(addresses).where(isAddress(userId, id)).returning({ id: addresses.id });
  return deleted.length > 0;
}

const isAddress = (userId: string, id: string) => and(eq(addresses.id, id), eq(addresses.userId, userId));

/** @returns the users in the order of their ids, with their addresses */
export async function findUsers(connection: Connection, ids: string[]): Promise<UserWithAddresses[]> {
  if (ids.length === 0) return [];
  const rows = await connection.select().from(users).where(inArray(users.id, ids));
  const found = ids.flatMap((id) => rows.find((user) => user.id === id) ?? []);
  const theirs = await connection
    .select()
    .from(addresses)
    .where(inArray(addresses.userId, ids))
    .orderBy(asc(addresses.createdAt), asc(addresses.id));
  return found.map((user) => ({ ...user, addresses: theirs.filter(({ userId }) => userId === user.id) }));
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
