/** The alarms about backups. Each ends with its cause. */
import { backupFailures, damagedAlarm, overdueAfterHours, overdueAlarm } from '../../shared/backups';
import { recordAlarm } from '../alarms/service';
import { transact, type Connection, type Db } from '../db/core/transact';
import { findDamaged, findNewest, findSchedule } from './repository';

const overdueAfterMs = overdueAfterHours * 3_600_000;

export type BackupHealth = {
  isOn: boolean;
  /** When the newest good backup began. */
  lastGoodAt: Date | undefined;
  /** Whether backups are on, and the newest good one is too old, or never came. */
  isOverdue: boolean;
};

export async function readBackupHealth(connection: Connection, now: Date): Promise<BackupHealth> {
  const schedule = await findSchedule(connection);
  const lastGoodAt = (await findNewest(connection, 'good'))?.startedAt;
  const isOn = schedule?.isOn ?? true;
  // a shop that is new, or just turned backups on, has a night to make the first one
  const since = Math.max(lastGoodAt?.getTime() ?? 0, schedule?.since.getTime() ?? now.getTime());
  return { isOn, lastGoodAt, isOverdue: isOn && now.getTime() - since > overdueAfterMs };
}

/** Raises what is wrong now, and settles what no longer is. */
export async function watchBackups(db: Db, now: Date): Promise<void> {
  const { isOverdue } = await readBackupHealth(db, now);
  const last = await findNewest(db, 'finished');
  const damaged = await findDamaged(db);
  const good = damaged && (await findNewest(db, 'good'));
  const failed = last?.state === 'failed' && {
    about: `backup_failed:${last.id}`,
    detail: backupFailures[last.failure ?? 'other'],
  };
  const isDamaged = damaged && {
    about: `backup_damaged:${damaged.id}`,
    detail: damagedAlarm(damaged.name ?? '', good?.name ?? undefined),
  };
  const overdue = { about: `backup_overdue:${now.toISOString().slice(0, 10)}`, detail: overdueAlarm };
  await transact(db, async (tx) => {
    await recordAlarm(tx, 'backup_failed', failed || undefined, now);
    await recordAlarm(tx, 'backup_damaged', isDamaged, now);
    await recordAlarm(tx, 'backup_overdue', isOverdue ? overdue : undefined, now);
  });
}
