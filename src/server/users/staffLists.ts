/** The list of users: what staff search, filter and sort. */
import { and, asc, count, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueryOf } from '../../shared/contract';
import { roleLabels } from '../../shared/account';
import { stateNames } from '../../shared/users';
import { findUsers, type UserRow } from '../account/service';
import { containsText, readCount } from '../db/lists';
import { users } from '../db/schema';
import type { Connection } from '../db/transact';
import type { Column } from '../http/csv';
import type { PageRequest } from '../http/paging';

export type UserList = QueryOf<'exportUsers'>;

/** A page of users with their addresses, and how many there are in all. */
export async function listUsers(connection: Connection, list: UserList, { page, size }: PageRequest) {
  const [ids, totalElements] = await Promise.all([
    sorted(connection, list)
      .limit(size)
      .offset(page * size),
    countUsers(connection, list),
  ]);
  const rows = await findUsers(
    connection,
    ids.map(({ id }) => id),
  );
  return { rows, totalElements };
}

async function countUsers(connection: Connection, list: UserList): Promise<number> {
  const { q = '', role, isEnabled } = list;
  if (q.trim() === '') return readCount(connection, 'users', { part: role, value: isEnabled?.toString() });
  const [total] = await connection.select({ users: count() }).from(users).where(passes(list));
  return total?.users ?? 0;
}

/** @returns the ids of all users of the list, in its order */
export const listUserIds = async (connection: Connection, list: UserList): Promise<string[]> =>
  (await sorted(connection, list)).map(({ id }) => id);

export const findUserLines = (connection: Connection, ids: string[]): Promise<UserRow[]> =>
  connection.select().from(users).where(inArray(users.id, ids));

const sorted = (connection: Connection, list: UserList) =>
  connection
    .select({ id: users.id })
    .from(users)
    .where(passes(list))
    .orderBy(...orderOf(list))
    .$dynamic();

function passes({ q = '', role, isEnabled }: UserList): SQL | undefined {
  const words = q.trim();
  return and(
    words === '' ? undefined : or(holds(users.fullName, words), holds(users.email, words)),
    role && eq(users.role, role),
    isEnabled === undefined ? undefined : eq(users.isEnabled, isEnabled),
  );
}

const holds = (column: PgColumn, words: string) => sql`${column} ilike ${containsText(words)}`;

const columns: Record<NonNullable<UserList['sort']>, (PgColumn | SQL)[]> = {
  fullName: [sql`lower(${users.fullName})`, users.id],
  email: [users.emailKey],
  createdAt: [users.createdAt, users.id],
  status: [users.isEnabled, users.createdAt, users.id],
  role: [users.role, users.createdAt, users.id],
};

const orderOf = ({ sort = 'createdAt', direction = 'desc' }: UserList): SQL[] =>
  columns[sort].map((column) => (direction === 'asc' ? asc(column) : desc(column)));

/** Named one by one, so that no column (a password's hash) gets out by itself. */
export const userColumns: Column<UserRow>[] = [
  { header: 'Full Name', cell: ({ fullName }) => fullName },
  { header: 'Email', cell: ({ email }) => email },
  { header: 'Joined', cell: ({ createdAt }) => createdAt },
  { header: 'Status', cell: ({ isEnabled }) => stateNames[isEnabled ? 'on' : 'off'] },
  { header: 'Role', cell: ({ role }) => roleLabels[role] },
  { header: 'Phone', cell: ({ phoneNumber }) => phoneNumber },
];
