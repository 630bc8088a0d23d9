import path from 'node:path';
import { backupMessages as messages } from '../../shared/backups';
import type { AuthParts } from '../auth/service';
import type { Config } from '../core/config';
import type { ContractApi } from '../http/contract/contract';
import { invalid } from '../http/core/problems';
import { readBackupHealth } from './alarms';
import { openArchive } from './archive';
import { isDownloadLink } from './downloadLinks';
import {
  listBackups,
  openBackupDownload,
  prepareBackupDownload,
  readSchedule,
  requireFolder,
  setBackups,
  startBackup,
} from './service';

export function backupRoutes(api: ContractApi, parts: AuthParts & { config: Pick<Config, 'dataDir'> }): void {
  const { dataDir } = parts.config;

  api.on('listBackups', async ({ db, now }) => {
    const { lastGoodAt, isOverdue } = await readBackupHealth(db, now);
    return {
      message: messages.listBackups.success,
      data: {
        backups: await listBackups(db, dataDir),
        schedule: await readSchedule(db),
        lastGoodAt: lastGoodAt?.toISOString() ?? null,
        isOverdue,
      },
    };
  });
  api.on('startBackup', async ({ tx, by, now }) => ({
    message: messages.startBackup.success,
    data: { backup: await startBackup(tx, dataDir, { by, now }) },
  }));
  api.on('setBackups', async ({ tx, body, by, now }) => ({
    message: messages.setBackups.success,
    data: { schedule: await setBackups(tx, body, { by, now }) },
  }));
  api.onPrepared(
    'openBackupDownload',
    async ({ params, body, ...call }) => prepareBackupDownload({ ...parts, dataDir }, params.backupId, body, call),
    async ({ tx, prepared: proof, params: { backupId }, session, by, now }) => {
      const { downloadKey } = parts.secrets;
      const { userId } = session;
      const link = { backupId, familyId: session.familyId };
      return {
        message: messages.openBackupDownload.success,
        data: { link: await openBackupDownload(tx, proof, link, { userId, downloadKey, by, now }) },
      };
    },
  );
  api.serve('downloadBackup', async ({ db, params: { backupId }, query, session, reply, now }) => {
    const link = { backupId, familyId: session.familyId };
    if (!isDownloadLink(query.token, link, parts.secrets.downloadKey, now))
      throw invalid(messages.linkInvalid, [], 'download_link_invalid');
    const folder = await requireFolder(db, dataDir, backupId);
    const archive = await openArchive(folder);
    return reply
      .header('content-type', 'application/x-tar')
      .header('content-disposition', `attachment; filename="${path.basename(folder)}.tar"`)
      .header('x-content-type-options', 'nosniff')
      .send(archive);
  });
}
