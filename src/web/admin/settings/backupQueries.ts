import { backupMessages, type BackupSchedule } from '../../../shared/backups';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { staffQuery, useStaffChange } from '../staffCalls';

export type Backups = Schema<'BackupsAnswer'>['data'];

export const isUnfinished = ({ state }: Schema<'Backup'>): boolean => state === 'waiting' || state === 'running';

const whileUnfinishedMs = 2000;
const otherwiseMs = 60_000;

/** How soon the list is read again. @param data what it was last */
export const readAgainMs = (data: Backups | undefined): number =>
  data?.backups.some(isUnfinished) ? whileUnfinishedMs : otherwiseMs;

export const backupsQuery = () => staffQuery(['backups'], (signal) => answer(api.GET('/admin/backups', { signal })));

export const useStartBackup = () =>
  useStaffChange({
    send: (_: undefined, { header }) => answer(api.POST('/admin/backups', { params: { header }, body: {} })),
    meta: backupMessages.startBackup,
  });

/** @param onSaved called when it is saved, before all that shows it is read again */
export const useSetBackups = (onSaved: (saved: BackupSchedule, sent: BackupSchedule) => void) =>
  useStaffChange({
    send: (body: BackupSchedule, { header }) =>
      answer(api.PUT('/admin/settings/backups', { params: { header }, body })),
    onSuccess: ({ schedule }, sent) => onSaved(schedule, sent),
    meta: backupMessages.setBackups,
  });

/** @param onLink receives the link, which works for a minute */
export const useOpenBackupDownload = (backupId: string, onLink: (url: string) => void) =>
  useStaffChange({
    send: (body: Schema<'BackupProof'>, { header }) =>
      answer(api.POST('/admin/backups/{backupId}/download', { params: { path: { backupId }, header }, body })),
    onSuccess: ({ link }) => onLink(link.url),
    meta: { failure: backupMessages.openBackupDownload.failure },
  });
