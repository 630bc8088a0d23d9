/** Texts of the page Backups in the settings. Rule: docs/rules/running.md, Backups by the shop */
import type { Schema } from './contract';

export type Backup = Schema<'Backup'>;

/** @param hour from 0 to 23 @returns '3:00 AM' */
export const hourInWords = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;

export const backupPageMessages = {
  backedUp: 'Your shop is backed up.',
  overdue: 'Your last backup is too old.',
  isOff: "Your shop isn't backed up every night.",
  none: 'Your shop has no backup yet.',
  /** @param ago '4 hours ago' */
  last: (time: string, ago: string) => `Last backup: ${time}, ${ago}, verified.`,
  first: (hour: number) => `The first one is made at ${hourInWords(hour)}. Or back up now.`,
  turnOn: 'Turn it on below, or back up now.',
  seeWhy: 'The list below says why.',
  contents: 'Orders, customers, products, photos, and settings',
  daysHint: 'The newest backup of each day',
  weeksHint: 'The newest backup of each week',
  sameServer: 'If this server is lost, so are its backups. Copy the folder backups to another machine every day.',
  empty: 'No backups yet.',
  elsewhere: 'On another server',
  download:
    'A backup has all personal data of your customers. Keep it in a safe place. We email you that it was downloaded.',
  restore:
    'Run this command on the server, with DATA_DIR set to an empty folder. Then start the shop with that folder. Your running shop stays as it is.',
  restoreNote: 'A backup is restored by a command on the server, never into a shop that has data.',
} as const;

/** @returns the command that restores the backup in `folder` */
export const restoreCommand = (folder: string): string => `npm run restore -- "${folder}"`;

/** How it came to be. */
export function causeInWords({ cause, startedBy }: Pick<Backup, 'cause' | 'startedBy'>): string {
  if (cause === 'nightly') return 'Every night';
  if (cause === 'command') return 'By command';
  return startedBy === null ? 'On request' : `By ${startedBy}`;
}
