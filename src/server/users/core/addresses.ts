import { randomUUID } from 'node:crypto';
import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { addresses } from '../../db/schema/tables';
import type { Connection, Tx } from '../../db/core/transact';

export type AddressRow = typeof addresses.$inferSelect & { isLastUsed: boolean };
export type NewAddress = Pick<AddressRow, 'street' | 'city' | 'state' | 'postalCode'> &
  Partial<Pick<AddressRow, 'company' | 'street2' | 'phone'>>;

/** The country of every address in the shop. Rule: docs/rules/accounts.md, Addresses */
const country = 'United States';

/**
 * Whether the user's latest order went to this address: the checkout starts with it. Plain column names, because the
 * query builder omits the table's name, which the subquery needs.
 */
const isLastUsed = sql<boolean>`exists (
  select from (
    select street, city, state, postal_code, company, street2, phone from orders where user_id = addresses.user_id
    order by created_at desc, id desc limit 1
  ) as latest
  where (latest.street, latest.city, latest.state, latest.postal_code, latest.company, latest.street2, latest.phone)
    = (addresses.street, addresses.city, addresses.state, addresses.postal_code,
       addresses.company, addresses.street2, addresses.phone)
)`;

/** The addresses of these users, oldest first. */
export const findAddresses = (connection: Connection, userIds: string[]): Promise<AddressRow[]> =>
  connection
    .select({ ...getTableColumns(addresses), isLastUsed })
    .from(addresses)
    .where(inArray(addresses.userId, userIds))
    .orderBy(asc(addresses.createdAt), asc(addresses.id));

export async function createAddress(tx: Tx, userId: string, address: NewAddress, now: Date): Promise<void> {
  await tx.insert(addresses).values({ ...columnsOf(address), id: randomUUID(), userId, country, createdAt: now });
}

/** @returns whether the user has this address */
export async function changeAddress(tx: Tx, userId: string, id: string, address: NewAddress): Promise<boolean> {
  const change = columnsOf(address);
  const changed = await tx.update(addresses).set(change).where(isAddress(userId, id)).returning({ id: addresses.id });
  return changed.length > 0;
}

/** @returns whether the user had this address */
export async function deleteAddress(tx: Tx, userId: string, id: string): Promise<boolean> {
  const deleted = await tx.delete(addresses).where(isAddress(userId, id)).returning({ id: addresses.id });
  return deleted.length > 0;
}

/** A part that is not sent becomes empty. */
const columnsOf = ({ street, city, state, postalCode, company = '', street2 = '', phone = '' }: NewAddress) => ({
  company,
  street,
  street2,
  city,
  state,
  postalCode,
  phone,
});

const isAddress = (userId: string, id: string) => and(eq(addresses.id, id), eq(addresses.userId, userId));
