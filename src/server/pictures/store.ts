import type { Config } from '../core/config';
import type { PictureStore } from './files';
import { openFolderStore } from './folderStore';

/** Opens the configured picture store. The S3 library is loaded only if it is used. */
export async function openPictureStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<PictureStore> {
  if (!s3) return openFolderStore(dataDir);
  const { openS3Store } = await import('./s3Store');
  return openS3Store(s3);
}

/**
 * @returns why the store cannot be reached right now, if so
 * @throws ConfigError when the storage rejects the configuration
 */
export async function checkPictureStore(store: PictureStore): Promise<string | undefined> {
  if (!store.isRemote) return undefined;
  const { checkBucket } = await import('./s3Store');
  return checkBucket(store);
}
