import { randomUUID } from 'node:crypto';
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { defaultSchedule, type BackupSchedule } from '../../shared/backups';
import { backupSchedule, backups, users, type BackupCause } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';

export type BackupRow = typeof backups.$inferSelect;
export type Schedule = typeof backupSchedule.$inferSelect;

/** @returns undefined until a job has looked for the first time */
export async function findSchedule(connection: Connection): Promise<Schedule | undefined> {
  const [schedule] = await connection.select().from(backupSchedule);
  return schedule;
}

/** Written by the first job of a shop: a new shop's first backup is due at the next hour of the schedule. */
export async function ensureSchedule(connection: Connection, now: Date): Promise<Schedule> {
  const row = { only: true, ...defaultSchedule, since: now };
  await connection.insert(backupSchedule).values(row).onConflictDoNothing();
  return (await findSchedule(connection)) ?? row;
}

export async function saveSchedule(connection: Connection, schedule: BackupSchedule, since: Date): Promise<void> {
  const row = { ...schedule, since };
  await connection.insert(backupSchedule).values(row).onConflictDoUpdate({ target: backupSchedule.only, set: row });
}

const mostListed = 200;

/** Newest first, with the name of who asked. */
export async function findBackups(connection: Connection): Promise<(BackupRow & { startedByName: string | null })[]> {
  const rows = await connection
    .select({ backup: backups, startedByName: users.fullName })
    .from(backups)
    .leftJoin(users, eq(users.id, backups.startedBy))
    .orderBy(desc(backups.startedAt), desc(backups.id))
    .limit(mostListed);
  return rows.map(({ backup, startedByName }) => ({ ...backup, startedByName }));
}

export async function findBackup(connection: Connection, id: string): Promise<BackupRow | undefined> {
  const [row] = await connection.select().from(backups).where(eq(backups.id, id));
  return row;
}

/** @returns the newest good or finished backup */
export async function findNewest(connection: Connection, which: 'good' | 'finished'): Promise<BackupRow | undefined> {
  const isMeant = which === 'good' ? eq(backups.state, 'good') : inArray(backups.state, ['good', 'failed', 'damaged']);
  const [row] = await connection.select().from(backups).where(isMeant).orderBy(desc(backups.startedAt)).limit(1);
  return row;
}

export async function findDamaged(connection: Connection): Promise<BackupRow | undefined> {
  const [row] = await connection
    .select()
    .from(backups)
    .where(eq(backups.state, 'damaged'))
    .orderBy(desc(backups.startedAt))
    .limit(1);
  return row;
}

/** The backup that is waiting or running. */
export async function findUnfinished(connection: Connection): Promise<BackupRow | undefined> {
  const [row] = await connection
    .select()
    .from(backups)
    .where(sql`state in ('waiting', 'running')`);
  return row;
}

/** Those whose folder should exist here, newest first. */
export const findHere = (connection: Connection, place: string): Promise<BackupRow[]> =>
  connection
    .select()
    .from(backups)
    .where(and(eq(backups.place, place), inArray(backups.state, ['good', 'damaged'])))
    .orderBy(desc(backups.startedAt), desc(backups.id));

/** @returns undefined when another backup waits or runs */
export async function addBackup(
  connection: Connection,
  { cause, startedBy, now }: { cause: BackupCause; startedBy: string | null; now: Date },
): Promise<BackupRow | undefined> {
  const [row] = await connection
    .insert(backups)
    .values({ id: randomUUID(), state: 'waiting', cause, startedBy, startedAt: now })
    .onConflictDoNothing()
    .returning();
  return row;
}

export async function addFoundBackup(connection: Connection, row: typeof backups.$inferInsert): Promise<void> {
  await connection.insert(backups).values(row).onConflictDoNothing();
}

export async function changeBackup(
  connection: Connection,
  id: string,
  change: Partial<Omit<BackupRow, 'id'>>,
): Promise<void> {
  await connection.update(backups).set(change).where(eq(backups.id, id));
}

export async function deleteBackups(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await connection.delete(backups).where(inArray(backups.id, [...ids]));
}

export async function deleteFailedBefore(connection: Connection, before: Date): Promise<void> {
  await connection.delete(backups).where(and(eq(backups.state, 'failed'), lt(backups.startedAt, before)));
}
