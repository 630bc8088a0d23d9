import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { savedWithout } from '../../../shared/pictureUploads';
import { preparePicture } from '../../forms/preparePicture';
import { answer, api } from '../../server/client';
import { ApiError } from '../../server/errors';
import { keyed, newKey } from '../../server/keys';
import { toast } from '../../ui/toast';
import { asForm, useStaffChange } from '../staffCalls';
import { productQuery } from './queries';
import { withProgress } from './upload';
import type { PhotoEntry, PhotosForm, SavedPhoto } from './usePhotos';

type Upload = { id: string; entry: PhotoEntry & { file: File }; onProgress: (sent: number) => void };

/** Sends the photos of the product form: what was removed, what is new, then the order and the descriptions. */
export function useSavePhotos() {
  const cache = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const upload = useStaffChange({ send: sendPhoto, meta: { failure: catalogStaffMessages.addPhoto.failure } });
  const remove = useStaffChange({
    send: ({ id, photoId }: { id: string; photoId: string }, { header }) =>
      answer(api.DELETE('/admin/products/{id}/photos/{photoId}', { params: { path: { id, photoId }, header } })),
    meta: { failure: catalogStaffMessages.removePhoto.failure },
  });
  const arrange = useStaffChange({
    send: ({ id, photos }: { id: string; photos: { id: string; alt?: string }[] }, { header }) =>
      answer(api.PUT('/admin/products/{id}/photos', { params: { path: { id }, header }, body: { photos } })),
    meta: { failure: catalogStaffMessages.arrangePhotos.failure },
  });

  const removeMissing = async (id: string, form: PhotosForm) => {
    const { entries, saved } = form.now();
    const left = new Set(entries.map((entry) => entry.id));
    for (const { id: photoId } of saved.filter((photo) => !left.has(photo.id)))
      form.learn((await remove.mutateAsync({ id, photoId })).product.photos);
  };
  const uploadNew = async (id: string, form: PhotosForm) => {
    const added = form.now().entries.filter((entry): entry is Upload['entry'] => entry.file !== undefined);
    for (const entry of added) {
      const before = form.now().saved;
      const fresh = await upload.mutateAsync({
        id,
        entry,
        onProgress: (progress) => form.change(entry.key, { progress }),
      });
      form.isUploaded(entry.key, idOfNew(before, fresh), fresh);
    }
    if (added.length > 0) toast.success(catalogStaffMessages.addPhoto.success);
  };
  const order = async (id: string, form: PhotosForm) => {
    if (form.isOrdered()) return;
    const { entries, saved } = form.now();
    const altOf = new Map(saved.map((photo) => [photo.id, photo.alt ?? '']));
    const photos = entries.flatMap(({ id: photoId, alt }) =>
      photoId === undefined ? [] : [{ id: photoId, ...(altOf.get(photoId) !== alt.trim() && { alt: alt.trim() }) }],
    );
    form.learn((await arrange.mutateAsync({ id, photos })).product.photos);
  };
  /** @returns whether all photos were saved; an error has already been shown */
  const save = async (id: string, form: PhotosForm): Promise<boolean> => {
    setSaving(true);
    try {
      await removeMissing(id, form);
      await uploadNew(id, form);
      await order(id, form);
      return true;
    } catch (error) {
      for (const { key, progress } of form.now().entries) {
        if (progress === undefined) continue;
        const isRefused = error instanceof ApiError && refusals.has(error.code);
        form.change(key, isRefused ? { progress: undefined, error: error.message } : { progress: undefined });
      }
      const fresh = await cache.fetchQuery({ ...productQuery(id), staleTime: 0 }).catch(() => undefined);
      if (fresh) form.learn(fresh.photos);
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { save, isSaving };
}

/** The photo itself was refused: its tile says why. */
const refusals: ReadonlySet<string> = new Set([
  'not_a_picture',
  'picture_too_large',
  'payload_too_large',
  'photo_taken',
  'too_many_photos',
]);

async function sendPhoto({ id, entry: { file, alt }, onProgress }: Upload): Promise<SavedPhoto[]> {
  onProgress(0);
  const prepared = await preparePicture(file); // again: the form may have been saved before the first check finished
  if ('wrong' in prepared) throw refusedWith(prepared.wrong);
  const form = asForm({ file: prepared.picture, alt: alt.trim() });
  try {
    const { product } = await answer(
      api.POST('/admin/products/{id}/photos', {
        // a new key for each attempt: the browser may scale the same photo to different bytes
        params: { path: { id }, ...keyed(newKey()) },
        body: { file: file.name },
        bodySerializer: () => form,
        fetch: withProgress(form, onProgress),
      }),
    );
    return product.photos;
  } catch (error) {
    if (error instanceof ApiError && refusals.has(error.code)) {
      const { status, code, errors } = error;
      throw new ApiError(status, { code, errors, message: savedWithout(error.message) });
    }
    throw error;
  }
}

const refusedWith = (wrong: string) =>
  new ApiError(400, { code: 'not_a_picture', message: savedWithout(wrong), errors: [] });

/** @returns the id of the uploaded photo: a new one, or a failed one that was uploaded again */
function idOfNew(before: readonly SavedPhoto[], after: readonly SavedPhoto[]): string {
  const known = new Map(before.map(({ id, state }) => [id, state]));
  const added = after.findLast(({ id, state }) => known.get(id) !== state && known.get(id) !== 'processing');
  return added?.id ?? '';
}
