/**
 * The photos of a product in their order: the ready ones, and added ones that are being processed or have failed. An upload
 * keeps its place in that order, so it is shown there once it is ready, whichever upload is ready first.
 */
import { pictureMessages } from '../../shared/pictureUploads';
import type { Schema } from '../../shared/contract';
import type { StoredPhoto } from '../db/schema/catalog';
import type { pictureUploads } from '../db/schema/tables';

export type AddedUpload = Pick<typeof pictureUploads.$inferSelect, 'id' | 'state' | 'failure' | 'alt'> & {
  hash: string;
  place: number;
};
/** Its hash is also its id. */
export type AnyPhoto = StoredPhoto | AddedUpload;

export const isReady = (photo: AnyPhoto): photo is StoredPhoto => !('place' in photo);

/** @param uploads of the product's added photos that are not ready */
export function photosInOrder(ready: readonly StoredPhoto[], uploads: readonly AddedUpload[]): AnyPhoto[] {
  const photos: AnyPhoto[] = [...ready];
  for (const upload of uploads.toSorted((one, other) => one.place - other.place))
    photos.splice(upload.place, 0, upload);
  return photos;
}

type WithPhotos = {
  picture: Pick<StoredPhoto, 'hash' | 'widths' | 'placeholder'> | null;
  pictureAlt: string | null;
  photos: StoredPhoto[];
};

/** @returns a product's ready photos, the first one first */
export function readyPhotos({ picture, pictureAlt: alt, photos }: WithPhotos): StoredPhoto[] {
  if (!picture) return photos;
  const { hash, widths, placeholder } = picture;
  return [{ hash, widths, placeholder, alt }, ...photos];
}

export function presentStaffPhoto(photo: AnyPhoto, urlOf: (hash: string) => string): Schema<'StaffPhoto'> {
  const { hash: id, alt } = photo;
  if (isReady(photo)) return { id, state: 'ready', imageUrl: urlOf(id), alt };
  const state = photo.state === 'failed' ? 'failed' : 'processing';
  return { id, state, message: photo.failure ?? pictureMessages.processing, imageUrl: null, alt };
}
