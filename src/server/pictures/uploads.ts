/**
 * Product photos uploaded by staff. The file is stored under a generated id, and its row is inserted with the job in one
 * transaction. The file is written first, so that every row has its file, and the product's row is not locked while a remote
 * store receives the file. A file without a row (a crash in between, or a failed commit) is swept. Until the job is done, the
 * product keeps its current picture.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { writeAudit } from '../audit/service';
import { pictureUploads } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PictureStore } from './files';
import { requirePicture } from './inspect';
import { findPlace, lockPhotosOf, lockReadyPhotosOf, removeFirst } from './photos';
import { hashOf } from './processPicture';

export type Upload = { productId: string; file: unknown; byUserId: string; by: Actor; now: Date };

/**
 * Accepts a photo that replaces the product's first one.
 * @param store for the file
 * @throws Problem 404 product_not_found, 400 not_a_picture, 413 picture_too_large, 507 storage_full, 503 unavailable
 * Rule: docs/rules/catalog.md, Pictures
 */
export const acceptPicture = (tx: Tx, store: PictureStore, upload: Upload): Promise<void> =>
  accept(store, upload, async (id, hash) => {
    const [first] = await lockReadyPhotosOf(tx, upload.productId);
    await replaceUploads(tx, upload.productId);
    await addUpload(tx, { id, hash, replaces: first?.hash ?? null }, upload);
  });

/**
 * Accepts a photo that is added after the product's others.
 * @throws Problem the same, and 409 photo_taken, too_many_photos
 * Rule: docs/rules/catalog.md, Photos
 */
export const acceptPhoto = (tx: Tx, store: PictureStore, upload: Upload & { alt: string | undefined }): Promise<void> =>
  accept(store, upload, async (id, hash) => {
    const photos = await lockPhotosOf(tx, upload.productId);
    const place = await findPlace(tx, upload.productId, photos, hash);
    await addUpload(tx, { id, hash, place, alt: upload.alt?.trim() || null }, upload);
  });

async function accept(
  store: PictureStore,
  upload: Upload,
  write: (id: string, hash: string) => Promise<void>,
): Promise<void> {
  const file = await requirePicture(upload.file);
  const id = randomUUID();
  await store.write('uploads', id, file);
  try {
    await write(id, hashOf(file));
  } catch (error) {
    await store.remove('uploads', id).catch(() => undefined); // otherwise swept later
    throw error;
  }
}

type New = Pick<typeof pictureUploads.$inferInsert, 'hash' | 'place' | 'alt' | 'replaces'> & { id: string };

/** Adds an upload whose file is stored, and its job. */
export async function addUpload(
  tx: Tx,
  upload: New,
  { productId, byUserId, by, now }: Omit<Upload, 'file'>,
): Promise<void> {
  await tx.insert(pictureUploads).values({ ...upload, productId, state: 'processing', byUserId, createdAt: now });
  await addPictureJob(tx);
  const target = { kind: 'product', id: productId } as const;
  await writeAudit(tx, { by, action: 'product.picture_uploaded', target, after: { uploadId: upload.id }, now });
}

/**
 * Removes a product's first photo, and an upload that would replace it.
 * @throws Problem 404 product_not_found
 */
export async function removePicture(tx: Tx, productId: string, by: Actor, now: Date): Promise<void> {
  await removeFirst(tx, productId, by, now);
  await replaceUploads(tx, productId);
}

/** Their files are removed by the next sweep. */
const replaceUploads = (tx: Tx, productId: string) =>
  tx
    .update(pictureUploads)
    .set({ state: 'replaced' })
    .where(
      and(
        eq(pictureUploads.productId, productId),
        isNull(pictureUploads.place),
        inArray(pictureUploads.state, ['processing', 'failed']),
      ),
    );

/** One job for all pending uploads, processed one after the other. */
const addPictureJob = (tx: Tx) =>
  tx.execute(sql`select graphile_worker.add_job('makePictures', '{}', job_key := 'makePictures', max_attempts := 1)`);
