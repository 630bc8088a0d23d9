/**
 * Product pictures uploaded by staff. The file is stored under a generated id, and its row is inserted with the job in one
 * transaction. The file is written first, so that every row has its file, and the product's row is not locked while a remote
 * store receives the file. A file without a row (a crash in between, or a failed commit) is swept. Until the job is done, the
 * product keeps its current picture.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { catalogMessages } from '../../shared/catalog';
import { writeAudit } from '../audit/service';
import { factsChanged } from '../db/core/changes';
import { pictureUploads, products } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { notFound } from '../http/core/problems';
import type { PictureStore } from './files';
import { requirePicture } from './inspect';

export type Upload = { productId: string; file: unknown; byUserId: string; by: Actor; now: Date };

/**
 * @param store for the file
 * @throws Problem 404 product_not_found, 400 not_a_picture, 413 picture_too_large, 507 storage_full, 503 unavailable
 * Rule: docs/rules/catalog.md, Pictures
 */
export async function acceptPicture(tx: Tx, store: PictureStore, upload: Upload): Promise<void> {
  const file = await requirePicture(upload.file);
  const id = randomUUID();
  await store.write('uploads', id, file);
  try {
    await writeRow(tx, id, upload);
  } catch (error) {
    await store.remove('uploads', id).catch(() => undefined); // otherwise swept later
    throw error;
  }
}

async function writeRow(tx: Tx, id: string, { productId, byUserId, by, now }: Upload): Promise<void> {
  await lockPictureOf(tx, productId);
  await replaceUploads(tx, productId);
  await tx.insert(pictureUploads).values({ id, productId, state: 'processing', byUserId, createdAt: now });
  await addPictureJob(tx);
  const target = { kind: 'product', id: productId } as const;
  await writeAudit(tx, { by, action: 'product.picture_uploaded', target, after: { uploadId: id }, now });
}

/**
 * Removes a product's picture, including one that is still being processed.
 * @throws Problem 404 product_not_found
 */
export async function removePicture(tx: Tx, productId: string, by: Actor, now: Date): Promise<void> {
  const before = await lockPictureOf(tx, productId);
  await replaceUploads(tx, productId);
  if (before === null) return;
  await tx.update(products).set({ pictureHash: null, pictureAlt: null }).where(eq(products.id, productId));
  factsChanged(tx);
  const target = { kind: 'product', id: productId } as const;
  const facts = { before: { pictureHash: before }, after: { pictureHash: null } };
  await writeAudit(tx, { by, action: 'product.picture_removed', target, ...facts, now });
}

/** Locks the product's row first, then its uploads: the lock order of all picture changes. */
export async function lockPictureOf(tx: Tx, productId: string): Promise<string | null> {
  const [product] = await tx
    .select({ pictureHash: products.pictureHash })
    .from(products)
    .where(eq(products.id, productId))
    .for('no key update');
  if (!product) throw notFound('product_not_found', catalogMessages.productNotFound);
  return product.pictureHash;
}

/** Their files are removed by the next sweep. */
const replaceUploads = (tx: Tx, productId: string) =>
  tx
    .update(pictureUploads)
    .set({ state: 'replaced' })
    .where(and(eq(pictureUploads.productId, productId), inArray(pictureUploads.state, ['processing', 'failed'])));

/** One job for all pending uploads, processed one after the other. */
const addPictureJob = (tx: Tx) =>
  tx.execute(sql`select graphile_worker.add_job('makePictures', '{}', job_key := 'makePictures', max_attempts := 1)`);
