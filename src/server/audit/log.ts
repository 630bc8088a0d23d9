/** Reads the audit log; never writes it. */
import { and, asc, count, desc, eq, gte, inArray, lt, ne, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { importActions } from '../../shared/audit';
import { auditList } from '../../shared/auditList';
import type { QueryOf, Schema } from '../../shared/contract';
import { storedId } from '../core/ids';
import { allOf, type Conditions } from '../db/core/listQueries';
import { auditLog, users } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import { fileColumns } from '../http/csv/csvDownload';
import type { PageRequest } from '../http/contract/paging';
import type { Period } from '../http/core/shopDays';

type Query = QueryOf<'exportAudit'>;
export type AuditFilter = Query & { period: Period };
export type AuditRow = Awaited<ReturnType<typeof findEntries>>[number];
export type EntryInWords = AuditRow & { thing: string; changes: string[] };

/** Latest first. */
export async function listEntries(connection: Connection, filter: AuditFilter, { page, size }: PageRequest) {
  const where = passes(filter);
  const [ids, [total]] = await Promise.all([
    latestFirst(connection, filter)
      .limit(size)
      .offset(page * size),
    connection.select({ entries: count() }).from(auditLog).where(where),
  ]);
  const rows = await findEntries(
    connection,
    ids.map(({ id }) => id),
  );
  return {
    content: ids.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []),
    totalElements: total?.entries ?? 0,
  };
}

/** @returns the ids of all matching entries, latest first */
export const listEntryIds = async (connection: Connection, filter: AuditFilter): Promise<number[]> =>
  (await latestFirst(connection, filter)).map(({ id }) => id);

export const findEntries = (connection: Connection, ids: number[]) =>
  connection
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actorId: auditLog.actorId,
      actorName: users.fullName,
      action: auditLog.action,
      targetKind: auditLog.targetKind,
      targetId: auditLog.targetId,
      before: auditLog.before,
      after: auditLog.after,
      requestId: auditLog.requestId,
    })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(inArray(auditLog.id, ids));

/**
 * The values to filter the log by; former staff are included. The recursive query finds distinct actions with one index
 * lookup each, since the log may be long.
 */
export async function findFilters(connection: Connection): Promise<Schema<'AuditFilters'>> {
  const { rows } = await connection.execute<{ action: string }>(sql`
    with recursive known as (
      (select action from audit_log order by action limit 1)
      union all
      select (select action from audit_log where action > known.action order by action limit 1)
      from known where known.action is not null)
    select action from known where action is not null`);
  const wereStaff = sql`array(
    select target_id::uuid from audit_log
    where action = 'user.role_changed' and before ->> 'role' <> 'ROLE_CUSTOMER')`;
  const actors = await connection
    .select({ userId: users.id, fullName: users.fullName })
    .from(users)
    .where(or(ne(users.role, 'ROLE_CUSTOMER'), eq(users.id, sql`any(${wereStaff})`)))
    .orderBy(asc(sql`lower(${users.fullName})`), asc(users.id));
  return { actions: rows.map(({ action }) => action), actors };
}

const latestFirst = (connection: Connection, filter: AuditFilter) =>
  connection
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(passes(filter))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .$dynamic();

const conditions: Conditions<Omit<Query, 'from' | 'to'>> = {
  actor: (userId) => eq(auditLog.actorId, userId),
  action: (action) => eq(auditLog.action, action),
  kind: (kind) => eq(auditLog.targetKind, kind),
  targetId: (id) => eq(auditLog.targetId, storedId(id)),
};

function passes({ period: { start, end }, ...filter }: AuditFilter): SQL | undefined {
  return and(
    allOf(conditions, filter),
    // an import is one entry; its entries per product appear only when filtered by action or target
    !filter.action && !filter.targetId ? notInArray(auditLog.action, [...importActions]) : undefined,
    start && gte(auditLog.at, start),
    end && lt(auditLog.at, end),
  );
}

const asText = (facts: unknown) => (facts ? JSON.stringify(facts) : '');

export const auditColumns = fileColumns<typeof auditList, EntryInWords>(auditList, {
  at: ({ at }) => at,
  actor: ({ actorName }) => actorName,
  actorId: ({ actorId }) => actorId,
  action: ({ action }) => action,
  kind: ({ targetKind }) => targetKind,
  targetId: ({ targetId }) => targetId,
  before: ({ before }) => asText(before),
  after: ({ after }) => asText(after),
  requestId: ({ requestId }) => requestId,
  thing: ({ thing }) => thing,
  changes: ({ changes }) => changes.join('\n'),
});
