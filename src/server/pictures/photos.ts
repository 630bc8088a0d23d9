/**
 * The photos of a product: added, ordered, described, and removed by staff. The first one is also the product's picture,
 * which lists, carts, and devices show. Rule: docs/rules/catalog.md, Photos
 */
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { photoLimits, pictureMessages } from '../../shared/pictureUploads';
import type { Schema } from '../../shared/contract';
import { writeAudit } from '../audit/service';
import { type AddedUpload, type AnyPhoto, isReady, photosInOrder, readyPhotos } from '../catalog/photos';
import { productNotFound } from '../catalog/service';
import { factsChanged } from '../db/core/changes';
import type { StoredPhoto } from '../db/schema/catalog';
import { pictures, pictureUploads, products } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { conflict, notFound } from '../http/core/problems';

/** Locks the product's row first, then its uploads: the lock order of all picture changes. @throws Problem 404 product_not_found */
export async function lockPhotosOf(tx: Tx, productId: string): Promise<AnyPhoto[]> {
  const ready = await lockReadyPhotosOf(tx, productId);
  return photosInOrder(ready, await findAdded(tx, productId));
}

/**
 * Reads the first photo after locking: a statement that waits for the lock would not see one that became ready meanwhile.
 * @throws Problem 404 product_not_found
 */
export async function lockReadyPhotosOf(tx: Tx, productId: string): Promise<StoredPhoto[]> {
  const { hash, widths, placeholder } = pictures;
  const { pictureHash, pictureAlt, photos } = products;
  const [product] = await tx
    .select({ pictureHash, pictureAlt, photos })
    .from(products)
    .where(eq(products.id, productId))
    .for('no key update');
  if (!product) throw productNotFound();
  if (product.pictureHash === null) return product.photos;
  const [picture = null] = await tx
    .select({ hash, widths, placeholder })
    .from(pictures)
    .where(eq(hash, product.pictureHash));
  return readyPhotos({ ...product, picture });
}

const findAdded = async (tx: Tx, productId: string) => {
  const { id, state, failure, alt, hash, place } = pictureUploads;
  const rows = await tx
    .select({ id, state, failure, alt, hash, place })
    .from(pictureUploads)
    .where(
      and(
        eq(pictureUploads.productId, productId),
        isNotNull(pictureUploads.place),
        inArray(pictureUploads.state, ['processing', 'failed']),
      ),
    );
  return rows as AddedUpload[]; // an added photo has both
};

/** @param photos in their new order, as `lockPhotosOf` returned them or changed */
export async function savePhotos(tx: Tx, productId: string, photos: readonly AnyPhoto[]): Promise<void> {
  const [first, ...others] = photos.filter(isReady);
  const fields = { pictureHash: first?.hash ?? null, pictureAlt: first?.alt ?? null, photos: others };
  await tx.update(products).set(fields).where(eq(products.id, productId));
  factsChanged(tx);
  const waiting = photos.flatMap((photo, place) => (isReady(photo) ? [] : [{ id: photo.id, place, alt: photo.alt }]));
  if (waiting.length === 0) return;
  await tx.execute(sql`update ${pictureUploads} set place = arranged.place, alt = arranged.alt
    from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as arranged(id uuid, place smallint, alt text)
    where ${pictureUploads.id} = arranged.id`);
}

/** @returns the place after the last photo @throws Problem 409 photo_taken, too_many_photos */
export async function findPlace(tx: Tx, productId: string, photos: readonly AnyPhoto[], hash: string): Promise<number> {
  const same = photos.find((photo) => photo.hash === hash);
  if (same && (isReady(same) || same.state === 'processing')) throw conflict('photo_taken', pictureMessages.taken);
  if (same && !isReady(same)) {
    await dropUpload(tx, same);
    return same.place;
  }
  const onItsWay = await findReplacing(tx, productId);
  if (onItsWay?.hash === hash) throw conflict('photo_taken', pictureMessages.taken);
  if (photos.length + Number(onItsWay !== undefined && !photos.some(isReady)) >= photoLimits.photos)
    throw conflict('too_many_photos', pictureMessages.tooMany);
  return photos.length;
}

/** The upload that will replace the first photo. */
async function findReplacing(tx: Tx, productId: string): Promise<{ hash: string | null } | undefined> {
  const isWaiting = and(
    eq(pictureUploads.productId, productId),
    isNull(pictureUploads.place),
    eq(pictureUploads.state, 'processing'),
  );
  const [found] = await tx.select({ hash: pictureUploads.hash }).from(pictureUploads).where(isWaiting);
  return found;
}

/** Its file is removed by the next sweep. */
export const dropUpload = (tx: Tx, { id }: Pick<AddedUpload, 'id'>) =>
  tx.update(pictureUploads).set({ state: 'replaced' }).where(eq(pictureUploads.id, id));

/**
 * Orders and describes all photos of a product.
 * @throws Problem 404 product_not_found, 409 photos_changed when photos were added or removed in the meantime
 */
export async function arrangePhotos(
  tx: Tx,
  productId: string,
  { photos: sent }: Schema<'PhotoOrder'>,
  by: Actor,
  now: Date,
): Promise<void> {
  const before = await lockPhotosOf(tx, productId);
  const byId = new Map(before.map((photo) => [photo.hash, photo]));
  const after = sent.flatMap(({ id, alt }): AnyPhoto[] => {
    const photo = byId.get(id);
    byId.delete(id);
    return photo ? [alt === undefined ? photo : { ...photo, alt: alt?.trim() || null }] : [];
  });
  if (after.length < sent.length || byId.size > 0) throw conflict('photos_changed', pictureMessages.changed);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await savePhotos(tx, productId, after);
  const target = { kind: 'product', id: productId } as const;
  await writeAudit(tx, { by, action: 'product.photos_arranged', target, now });
}

/** @throws Problem 404 product_not_found, photo_not_found */
export async function removePhoto(tx: Tx, productId: string, photoId: string, by: Actor, now: Date): Promise<void> {
  const photos = await lockPhotosOf(tx, productId);
  const photo = photos.find(({ hash }) => hash === photoId);
  if (!photo) throw notFound('photo_not_found', pictureMessages.notFound);
  if (!isReady(photo)) await dropUpload(tx, photo);
  await saveWithout(tx, productId, photos, photo, { by, now });
}

/** Removes the first photo; the next one is the first then. */
export async function removeFirst(tx: Tx, productId: string, by: Actor, now: Date): Promise<void> {
  const photos = await lockPhotosOf(tx, productId);
  const first = photos.find(isReady);
  if (first) await saveWithout(tx, productId, photos, first, { by, now });
}

/** Saves a product's photos without one of them, and writes the entry of the audit log. */
export async function saveWithout(
  tx: Tx,
  productId: string,
  photos: readonly AnyPhoto[],
  removed: AnyPhoto,
  doing: { by: Actor; now: Date },
): Promise<void> {
  const left = photos.filter((photo) => photo !== removed);
  await savePhotos(tx, productId, left);
  const facts = { before: { pictureHash: removed.hash }, after: { pictureHash: left.find(isReady)?.hash ?? null } };
  const target = { kind: 'product', id: productId } as const;
  await writeAudit(tx, { action: 'product.picture_removed', target, ...facts, ...doing });
}

/**
 * Puts a photo that is ready in its place: of the upload that added it, or of the photo that it replaces. If that one is
 * no longer the first, the new one is put before the others.
 * @param upload its `place` is null if it replaces the first photo
 * @returns the photos; undefined if there is no place for a first one
 */
export function withReady(
  photos: readonly AnyPhoto[],
  ready: StoredPhoto,
  upload: Pick<typeof pictureUploads.$inferSelect, 'id' | 'place' | 'replaces'>,
): AnyPhoto[] | undefined {
  const first = photos.find(isReady);
  const replaced =
    upload.place === null
      ? first && first.hash === upload.replaces && first
      : photos.find((photo) => !isReady(photo) && photo.id === upload.id);
  if (!replaced && photos.length >= photoLimits.photos) return undefined;
  const all = replaced ? photos.map((photo) => (photo === replaced ? ready : photo)) : [ready, ...photos];
  return all.filter((photo) => photo === ready || !isReady(photo) || photo.hash !== ready.hash);
}
