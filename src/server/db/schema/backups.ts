/** Backups that the shop makes by itself or on request, and when it makes them. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { at } from './columns';

/** `damaged`: it was good, and a later check found a part that changed. */
export type BackupState = 'waiting' | 'running' | 'good' | 'failed' | 'damaged';
export type BackupCause = 'nightly' | 'asked' | 'command';
export type BackupFailure = 'disk_full' | 'stopped' | 'unreadable' | 'other';

/**
 * An index of the backup folders, and the failed attempts. Restoring a backup empties it: the folders that exist then
 * are found again (server/backup/folders.ts).
 */
export const backups = pgTable(
  'backups',
  {
    id: uuid('id').primaryKey(),
    state: text('state').$type<BackupState>().notNull(),
    cause: text('cause').$type<BackupCause>().notNull(),
    startedBy: uuid('started_by').references(() => users.id),
    startedAt: at('started_at').notNull(),
    finishedAt: at('finished_at'),
    /** The id of the DATA_DIR where it is: processes of a shop may have different ones. */
    place: uuid('place'),
    /** Its folder in DATA_DIR/backups. */
    name: text('name'),
    bytes: bigint('bytes', { mode: 'number' }),
    /** When all of it was last read back and found unchanged. */
    verifiedAt: at('verified_at'),
    failure: text('failure').$type<BackupFailure>(),
  },
  (table) => [
    index('backups_newest').on(table.startedAt, table.id),
    uniqueIndex('backups_folder').on(table.place, table.name),
    uniqueIndex('backups_unfinished')
      .on(sql`(true)`)
      .where(sql`state in ('waiting', 'running')`),
    check('backups_state', sql`${table.state} in ('waiting', 'running', 'good', 'failed', 'damaged')`),
  ],
);

/** When backups are made and how many are kept, in one row, written when a job first looks. */
export const backupSchedule = pgTable(
  'backup_schedule',
  {
    only: boolean('only').primaryKey().default(true),
    isOn: boolean('is_on').notNull(),
    /** Of the day, in the shop's time zone. */
    hour: smallint('hour').notNull(),
    days: smallint('days').notNull(),
    weeks: smallint('weeks').notNull(),
    /** Backups are due from here on: since the shop exists, was restored, or turned them on. */
    since: at('since').notNull(),
  },
  (table) => [check('backup_schedule_only', sql`${table.only}`)],
);
