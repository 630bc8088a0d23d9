/**
 * Measures the files that devices save for offline use. The change feed includes the sizes, so that devices can show the
 * total before downloading.
 */
import { offlineWidth, pictureFile } from '../../shared/pictures';
import type { pictures } from '../db/schema/tables';
import type { PictureStore } from './files';

type KeptBytes = Pick<typeof pictures.$inferInsert, 'keptAvifBytes' | 'keptWebpBytes'>;

/**
 * @returns bytes; nothing when one of the two files is missing
 * @throws Problem 503 unavailable when the store cannot be reached
 */
export async function measureOffline(store: PictureStore, hash: string): Promise<KeptBytes> {
  const sizeOf = async (type: 'avif' | 'webp') =>
    (await store.read('pictures', pictureFile(hash, offlineWidth, type)))?.length;
  const [keptAvifBytes, keptWebpBytes] = [await sizeOf('avif'), await sizeOf('webp')];
  return keptAvifBytes && keptWebpBytes ? { keptAvifBytes, keptWebpBytes } : {};
}
