/**
 * The accounts a user made staff: an admin who is no longer trusted may have promoted accomplices. Read from the audit
 * log, which cannot be changed. Rule: docs/rules/back-office.md, Promotions
 */
import { inArray, sql } from 'drizzle-orm';
import { findUser, findUsers, type UserWithAddresses } from './core/service';
import { users } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import type { PageRequest } from '../http/contract/paging';
import { userNotFound } from './staff';

type Named = { userId: string; fullName: string };
export type PromotionRow = { user: UserWithAddresses; by: Named; at: Date };

/**
 * The accounts that a user made admins, directly or through accounts promoted that way, latest first. Only the last
 * promotion of an account counts.
 * @throws Problem 404 user_not_found
 */
export async function listPromotions(connection: Connection, userId: string, { page, size }: PageRequest) {
  const promoter = await findUser(connection, userId);
  if (!promoter) throw userNotFound();
  const { rows } = await connection.execute<Found>(sql`
    with recursive made as (
      select distinct on (target_id) target_id, actor_id, at, id from audit_log
      where action in ('user.created', 'user.role_changed') and after ->> 'role' = 'ROLE_ADMIN'
      order by target_id, id desc),
    led as (
      select * from made where actor_id = ${userId}
      union select made.* from made join led on made.actor_id::text = led.target_id),
    others as (select * from led where target_id <> ${userId})
    select total, target_id, actor_id, extract(epoch from at)::float * 1000 as at_ms
    from (select count(*)::int as total from others) as counted
    left join (select * from others order by id desc limit ${size} offset ${page * size}) as shown on true
    order by id desc`);
  const made = rows.filter((row) => row.target_id !== null);
  const ids = made.map(({ target_id }) => target_id);
  const found = await findUsers(connection, ids);
  const names = await findNames(connection, new Set(made.map(({ actor_id }) => actor_id)));
  const content = made.flatMap(({ target_id, actor_id, at_ms }): PromotionRow[] => {
    const user = found.find(({ id }) => id === target_id);
    return user ? [{ user, by: names.get(actor_id) ?? { userId: actor_id, fullName: '' }, at: new Date(at_ms) }] : [];
  });
  return { by: { userId, fullName: promoter.fullName }, content, totalElements: rows[0]?.total ?? 0 };
}

type Made = { total: number; target_id: string; actor_id: string; at_ms: number };
/** Past the last page, the only row holds just the total. */
type Found = Made | { total: number; target_id: null };

async function findNames(connection: Connection, ids: ReadonlySet<string>): Promise<Map<string, Named>> {
  if (ids.size === 0) return new Map();
  const columns = { userId: users.id, fullName: users.fullName };
  const rows = await connection
    .select(columns)
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map((row) => [row.userId, row]));
}
