/**
 * `node dist/server/backup.js backup [folder]` and `… restore <folder>`, with the shop's DATA_DIR and DATABASE_URL:
 * the program behind `npm run backup` and `npm run restore`.
 */
import { StartError } from '../core/startError';
import path from 'node:path';
import { ConfigError, readPlace } from '../core/config';
import { openRunning } from '../db/openRunning';
import type { PictureStore } from '../pictures/files';
import { checkPictureStore, openPictureStore } from '../pictures/store';
import { exitWithError } from '../core/exitWithError';
import { folderOf, nameAt } from './folders';
import { bytesOf, type Manifest } from './manifest';
import { restoreBackup } from './restoreBackup';
import { takeBackup } from './takeBackup';

const root = path.resolve(import.meta.dirname, '../..'); // from dist/server

const [, , command, asked] = process.argv;
if (command === 'backup') await runBackup(asked);
else if (command === 'restore') await runRestore(asked);
else exitWithError(new StartError('Usage: backup [folder] or restore <folder>'));

/** @param asked the folder to write; by default DATA_DIR/backups/<time> */
async function runBackup(asked: string | undefined): Promise<void> {
  await report('Backup created', async () => {
    const { dataDir, s3, ...urls } = readPlace(process.env);
    const pictureStore = await openReachableStore({ dataDir, s3 });
    const folder = path.resolve(asked ?? folderOf(dataDir, nameAt(new Date())));
    const { direct, close } = await openRunning(dataDir, urls);
    try {
      return { folder, manifest: await takeBackup({ direct, dataDir, pictureStore, folder, cause: 'command' }) };
    } finally {
      await close();
    }
  });
}

/** @param asked the backup's folder */
async function runRestore(asked: string | undefined): Promise<void> {
  await report('Backup restored', async () => {
    if (asked === undefined) throw new StartError('Name the backup folder: restore <folder>');
    const { dataDir, s3, databaseUrl, databaseDirectUrl } = readPlace(process.env);
    const pictureStore = await openReachableStore({ dataDir, s3 });
    const folder = path.resolve(asked);
    const url = databaseDirectUrl ?? databaseUrl;
    const direct = url === undefined ? undefined : { connectionString: url };
    const migrations = path.join(root, 'src/server/db/migrations');
    return { folder, manifest: await restoreBackup({ folder, dataDir, pictureStore, direct, migrations }) };
  });
}

async function openReachableStore(place: Parameters<typeof openPictureStore>[0]): Promise<PictureStore> {
  const store = await openPictureStore(place);
  const unreachableReason = await checkPictureStore(store);
  if (unreachableReason !== undefined) throw new ConfigError(`S3_URL: can't reach the pictures (${unreachableReason})`);
  return store;
}

async function report(what: string, work: () => Promise<{ folder: string; manifest: Manifest }>): Promise<void> {
  const began = Date.now();
  try {
    const { folder, manifest } = await work();
    const { tables, files } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `${what} in ${((Date.now() - began) / 1000).toFixed(1)} s (data from ${manifest.madeAt}): ${tables.length} tables, ` +
        `${rows} rows, ${files.length} files, ${(bytesOf(manifest) / 1e6).toFixed(1)} MB in ${folder}\n`,
    );
  } catch (error) {
    exitWithError(error);
  }
}
