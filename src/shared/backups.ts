/** Limits and messages of the shop's backups. Rule: docs/rules/running.md, Backups by the shop */
import type { Schema } from './contract';

export type BackupSchedule = Schema<'BackupSchedule'>;

export const defaultSchedule: BackupSchedule = { isOn: true, hour: 3, days: 7, weeks: 4 };

/** The contract has the same limits. */
export const backupLimits = { days: { least: 1, most: 60 }, weeks: { least: 0, most: 52 } } as const;

/** A night's backup may take an hour, and clocks change by one. */
export const overdueAfterHours = 26;
export const downloadLinkSeconds = 60;

export const backupMessages = {
  listBackups: { success: 'Backups', failure: "Couldn't load backups" },
  startBackup: { success: 'Backup started', failure: "Couldn't start the backup. Try again." },
  setBackups: { success: 'Schedule saved', failure: "Couldn't save the schedule. Try again." },
  openBackupDownload: { success: 'Download link', failure: "Couldn't download the backup. Try again." },
  isRunning: 'A backup is already running',
  notFound: 'Backup not found',
  notHere: 'This backup is on another server. Copy it from there.',
  linkInvalid: 'This download link has expired. Choose Download again.',
} as const;

/** Why a backup failed, as the alert and the list say it. */
export const backupFailures = {
  disk_full: 'The backup failed because the disk is full. Free some space, then back up again.',
  stopped: 'The backup was interrupted because the shop stopped.',
  unreadable: "The backup was written but couldn't be read back. Check the disk, then back up again.",
  other: 'The backup failed. The log on the server has the reason.',
} as const;
export const backupDamaged = "A file of this backup has changed or is missing, so it can't be restored.";

/** @param name of the folder @param lastGood of the newest good one */
export const damagedAlarm = (name: string, lastGood: string | undefined): string =>
  `The backup ${name} is damaged, so it can't be restored. ` +
  (lastGood === undefined ? "There's no other backup. Back up now." : `The newest good backup is ${lastGood}.`);

export const overdueAlarm = `The newest good backup is more than ${overdueAfterHours} hours old. Open Settings, Backups to see why.`;
