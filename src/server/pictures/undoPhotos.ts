/** Undo of the photos that an import added to products that existed before. Rule: docs/rules/catalog.md, Photos from links */
import { and, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import { isReady, type AnyPhoto } from '../catalog/photos';
import type { Tx } from '../db/core/transact';
import { auditLog, photoFetches, pictureUploads } from '../db/schema/tables';
import type { Actor } from '../http/contract/access';
import { dropUpload, lockPhotosOf, saveWithout } from './photos';

type Undo = { importId: string; by: Actor; now: Date };

/**
 * Removes the photos that an import added to these products, so that a later import loads them again. If someone arranged a
 * product's photos since, or changed the text of one, they stay.
 * @param productIds whose rows are locked
 * @returns the products that keep such photos
 */
export async function undoPhotos(tx: Tx, productIds: readonly string[], undo: Undo): Promise<Set<string>> {
  const added = await findAdded(tx, productIds, undo.importId);
  const keeping = new Set<string>();
  for (const productId of new Set(added.map((photo) => photo.productId))) {
    const ofProduct = added.filter((photo) => photo.productId === productId);
    if (!(await undoProduct(tx, productId, ofProduct, undo))) keeping.add(productId);
  }
  return keeping;
}

type Added = Awaited<ReturnType<typeof findAdded>>[number];

const findAdded = (tx: Tx, productIds: readonly string[], importId: string) =>
  tx
    .select({
      id: photoFetches.id,
      productId: photoFetches.productId,
      alt: photoFetches.alt,
      hash: photoFetches.hash,
      uploadId: photoFetches.uploadId,
      addedAt: pictureUploads.createdAt,
    })
    .from(photoFetches)
    .innerJoin(pictureUploads, eq(pictureUploads.id, photoFetches.uploadId))
    .where(
      and(
        eq(photoFetches.importId, importId),
        inArray(photoFetches.state, ['done', 'failed']),
        isNotNull(photoFetches.hash), // otherwise the product had the photo already
        sql`${photoFetches.productId} = any(${sql.param(productIds)}::uuid[])`,
      ),
    );

/** @returns whether all of them are removed */
async function undoProduct(tx: Tx, productId: string, added: readonly Added[], { by, now }: Undo): Promise<boolean> {
  let photos = await lockPhotosOf(tx, productId);
  const isArranged = await wasArranged(tx, productId, added);
  let isUndone = true;
  const gone: string[] = [];
  for (const one of added) {
    const photo = photos.find((other) => isOf(other, one));
    if (photo && (isArranged || photo.alt !== one.alt)) {
      isUndone = false;
      continue;
    }
    gone.push(one.id);
    if (!photo) continue; // removed or replaced since
    if (!isReady(photo)) await dropUpload(tx, photo);
    await saveWithout(tx, productId, photos, photo, { by, now });
    photos = photos.filter((other) => other !== photo);
  }
  if (gone.length > 0) await tx.update(photoFetches).set({ state: 'dropped' }).where(inArray(photoFetches.id, gone));
  return isUndone;
}

const isOf = (photo: AnyPhoto, { hash, uploadId }: Added): boolean =>
  isReady(photo) ? photo.hash === hash : photo.id === uploadId;

/** Whether staff ordered or described the product's photos after the first of these was added. */
async function wasArranged(tx: Tx, productId: string, added: readonly Added[]): Promise<boolean> {
  const first = new Date(Math.min(...added.map(({ addedAt }) => addedAt.getTime())));
  const isArranged = and(
    eq(auditLog.targetKind, 'product'),
    eq(auditLog.targetId, productId),
    eq(auditLog.action, 'product.photos_arranged'),
    gte(auditLog.at, first),
  );
  return (await tx.$count(auditLog, isArranged)) > 0;
}
