/** The list of users, which staff can search, filter and sort. */
import { count, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { QueryOf } from '../../shared/contract';
import { cleanTags, tagKey } from '../../shared/customers';
import { roleLabels } from '../../shared/usersAccount';
import type { SortOf } from '../../shared/staffList';
import { stateNames } from '../../shared/usersStaff';
import { usersList } from '../../shared/usersList';
import { findUsers, type UserRow } from './core/service';
import { type CustomerFigures, findCustomerFigures } from './customerFigures';
import { allOf, type Conditions, containsText, inOrder, isNarrowed, readCount } from '../db/core/listQueries';
import { customerTags, users } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import { fileColumns } from '../http/csv/csvDownload';
import type { PageRequest } from '../http/contract/paging';

export type UserList = QueryOf<'exportUsers'>;

/** A page of users with their addresses and what they bought, and the total count. */
export async function listUsers(connection: Connection, list: UserList, { page, size }: PageRequest) {
  const [found, totalElements] = await Promise.all([
    sorted(connection, list)
      .limit(size)
      .offset(page * size),
    countUsers(connection, list),
  ]);
  const ids = found.map(({ id }) => id);
  const [rows, figuresOf] = await Promise.all([findUsers(connection, ids), findCustomerFigures(connection, ids)]);
  return { rows: rows.map((user) => ({ user, figures: figuresOf(user.id) })), totalElements };
}

async function countUsers(connection: Connection, list: UserList): Promise<number> {
  const { sort: _sort, direction: _direction, role, isEnabled, ...others } = list;
  if (!isNarrowed(others)) return readCount(connection, 'users', { part: role, value: isEnabled?.toString() });
  const [total] = await connection.select({ users: count() }).from(users).where(passes(list));
  return total?.users ?? 0;
}

/** @returns the ids of all users of the list, in its order */
export const listUserIds = async (connection: Connection, list: UserList): Promise<string[]> =>
  (await sorted(connection, list)).map(({ id }) => id);

type UserLine = UserRow & Pick<CustomerFigures, 'orders' | 'spentCents'>;

export async function findUserLines(connection: Connection, ids: string[]): Promise<UserLine[]> {
  const rows = await connection.select().from(users).where(inArray(users.id, ids));
  const figuresOf = await findCustomerFigures(connection, ids);
  return rows.map((user) => ({ ...user, ...figuresOf(user.id) }));
}

const sorted = (connection: Connection, list: UserList) =>
  connection
    .select({ id: users.id })
    .from(users)
    .where(passes(list))
    .orderBy(...orderOf(list))
    .$dynamic();

const conditions: Conditions<Omit<UserList, 'sort' | 'direction'>> = {
  q: (q) => (q.trim() === '' ? undefined : or(holds(users.fullName, q.trim()), holds(users.email, q.trim()))),
  role: (role) => eq(users.role, role),
  isEnabled: (isEnabled) => eq(users.isEnabled, isEnabled),
  tag: (tag) =>
    inArray(
      users.id,
      sql`(select ${customerTags.userId} from ${customerTags} where ${customerTags.tagKey} = ${tagKey(cleanTags([tag])[0] ?? '')})`,
    ),
};

const passes = (list: UserList): SQL | undefined => allOf(conditions, list);

const holds = (column: PgColumn, words: string) => sql`${column} ilike ${containsText(words)}`;

const sorts: Record<SortOf<typeof usersList>, (PgColumn | SQL)[]> = {
  fullName: [sql`lower(${users.fullName})`, users.id],
  email: [users.emailKey],
  createdAt: [users.createdAt, users.id],
  status: [users.isEnabled, users.createdAt, users.id],
  role: [users.role, users.createdAt, users.id],
};

const orderOf = ({ sort = 'createdAt', direction = 'desc' }: UserList): SQL[] => inOrder(sorts[sort], direction);

/** Listed one by one, so that no column (the password hash) leaks. */
export const userColumns = fileColumns<typeof usersList, UserLine>(usersList, {
  fullName: ({ fullName }) => fullName,
  email: ({ email }) => email,
  createdAt: ({ createdAt }) => createdAt,
  status: ({ isEnabled }) => stateNames[isEnabled ? 'on' : 'off'],
  role: ({ role }) => roleLabels[role],
  phoneNumber: ({ phoneNumber }) => phoneNumber,
  orders: ({ orders }) => orders,
  spent: ({ spentCents: cents }) => ({ cents }),
});
