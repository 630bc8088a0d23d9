/**
 * Alarms for staff. Each is raised once per `about`, in the transaction that found the problem, and settled by staff.
 * An alarm about a state of the shop (`recordAlarm`) also ends when the state does.
 */
import { randomUUID } from 'node:crypto';
import { and, count, desc, eq, isNull } from 'drizzle-orm';
import { writeAudit } from '../audit/service';
import { alarms, orders, users, type AlarmKind } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { notFound } from '../http/core/problems';

export type NewAlarm = {
  kind: AlarmKind;
  /** The subject, such as `mail:<id>`: it never gets a second alarm, even after the first was settled. */
  about: string;
  orderId?: string | undefined;
  /** A sentence for staff, without personal data. */
  detail: string;
  now: Date;
};
export type AlarmRow = typeof alarms.$inferSelect & { orderNumber: string | null; settledByName: string | null };

export async function raiseAlarm(tx: Tx, { kind, about, orderId, detail, now }: NewAlarm): Promise<void> {
  await tx
    .insert(alarms)
    .values({ id: randomUUID(), kind, about, orderId: orderId ?? null, detail, createdAt: now })
    .onConflictDoNothing({ target: alarms.about });
}

/**
 * Maintains at most one open alarm of this kind: raises it or updates its text while the problem lasts, and settles it
 * afterwards.
 * @param trouble undefined settles the alarm. After staff have settled it, the same `about` does not raise it again
 */
export async function recordAlarm(
  tx: Tx,
  kind: AlarmKind,
  trouble: Pick<NewAlarm, 'about' | 'detail'> | undefined,
  now: Date,
): Promise<void> {
  const isOpen = and(eq(alarms.kind, kind), isNull(alarms.settledAt));
  if (!trouble) return void (await tx.update(alarms).set({ settledAt: now }).where(isOpen));
  const open = await tx.update(alarms).set({ detail: trouble.detail }).where(isOpen).returning({ id: alarms.id });
  if (open.length === 0) await raiseAlarm(tx, { kind, ...trouble, now });
}

/** The open alarms, newest first. */
export async function listOpenAlarms(connection: Connection, { page, size }: PageRequest) {
  const isOpen = isNull(alarms.settledAt);
  const content = await readAlarms(connection)
    .where(isOpen)
    .orderBy(desc(alarms.createdAt), desc(alarms.id))
    .limit(size)
    .offset(page * size);
  const [total] = await connection.select({ alarms: count() }).from(alarms).where(isOpen);
  return { content: content.map(toRow), totalElements: total?.alarms ?? 0 };
}

/** The number of open alarms by kind, highest first. */
export async function countOpenAlarms(connection: Connection) {
  const counted = await connection
    .select({ kind: alarms.kind, count: count() })
    .from(alarms)
    .where(isNull(alarms.settledAt))
    .groupBy(alarms.kind);
  return counted.toSorted((one, other) => other.count - one.count);
}

/**
 * Settles an alarm. If two people settle it, the first one counts.
 * @throws Problem 404 alarm_not_found
 */
export async function settleAlarm(tx: Tx, alarmId: string, by: Actor, now: Date): Promise<AlarmRow> {
  const settled = await tx
    .update(alarms)
    .set({ settledAt: now, settledBy: by.userId })
    .where(and(eq(alarms.id, alarmId), isNull(alarms.settledAt)))
    .returning({ kind: alarms.kind });
  const target = { kind: 'alarm', id: alarmId } as const;
  for (const after of settled) await writeAudit(tx, { by, action: 'alarm.settled', target, after, now });
  const [alarm] = await readAlarms(tx).where(eq(alarms.id, alarmId));
  if (!alarm) throw notFound('alarm_not_found', 'Alert not found');
  return toRow(alarm);
}

const readAlarms = (connection: Connection) =>
  connection
    .select({ alarm: alarms, orderNumber: orders.orderNumber, settledByName: users.fullName })
    .from(alarms)
    .leftJoin(orders, eq(orders.id, alarms.orderId))
    .leftJoin(users, eq(users.id, alarms.settledBy));

const toRow = ({ alarm, ...names }: Awaited<ReturnType<typeof readAlarms>>[number]): AlarmRow => ({
  ...alarm,
  ...names,
});
