/**
 * How large the files are of which a device keeps one for offline: the change feed says it, so that a person knows it
 * before anything is fetched. A new picture is measured when it is made; one of an older release by the job below.
 */
import { eq, isNull, or } from 'drizzle-orm';
import { keptWidth, pictureFile } from '../../shared/pictures';
import { factsChanged } from '../db/changes';
import { pictures } from '../db/schema';
import { transact, type Db } from '../db/transact';
import type { PictureStore } from './files';

type KeptBytes = Pick<typeof pictures.$inferInsert, 'keptAvifBytes' | 'keptWebpBytes'>;

/**
 * @returns in bytes; nothing when one of the two files is not there
 * @throws Problem 503 unavailable when the store cannot be reached
 */
export async function measureKept(store: PictureStore, hash: string): Promise<KeptBytes> {
  const sizeOf = async (type: 'avif' | 'webp') =>
    (await store.read('pictures', pictureFile(hash, keptWidth, type)))?.length;
  const [keptAvifBytes, keptWebpBytes] = [await sizeOf('avif'), await sizeOf('webp')];
  return keptAvifBytes && keptWebpBytes ? { keptAvifBytes, keptWebpBytes } : {};
}

/** Measures the pictures of an older release, or of one of its processes that is still running. */
export async function measurePictures({ db, pictureStore }: { db: Db; pictureStore: PictureStore }): Promise<void> {
  const unknown = await db
    .select({ hash: pictures.hash })
    .from(pictures)
    .where(or(isNull(pictures.keptAvifBytes), isNull(pictures.keptWebpBytes)));
  let wasMeasured = false;
  try {
    for (const { hash } of unknown) {
      const bytes = await measureKept(pictureStore, hash);
      if (!bytes.keptAvifBytes) continue;
      await db.update(pictures).set(bytes).where(eq(pictures.hash, hash));
      wasMeasured = true;
    }
  } finally {
    if (wasMeasured) await transact(db, async (tx) => factsChanged(tx)); // answers that were kept do not say it
  }
}
