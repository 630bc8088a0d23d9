import { useMutation, useQueryClient } from '@tanstack/react-query';
import { userMessages } from '../../shared/users';
import { answer, api } from '../server/client';
import { keyed, newKey } from '../server/keys';
import { sendOnce } from '../server/keyMemory';
import { userQuery } from './queries';

export function useSetPicture(userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append('file', file);
      return answer(
        api.PUT('/public/users/{userId}/picture', {
          // a new key each time: the browser may scale the same photo to different bytes
          params: { path: { userId }, ...keyed(newKey()) },
          body: { file: file.name },
          bodySerializer: () => form,
        }),
      );
    },
    onSettled: () => cache.invalidateQueries(userQuery(userId)),
    meta: userMessages.setOwnPicture,
  });
}

/** @param onRemoved runs while the button is still rendered, so that the focus can move first */
export function useRemovePicture(userId: string, onRemoved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () =>
      sendOnce(['removePicture', userId], ({ header }) =>
        answer(api.DELETE('/public/users/{userId}/picture', { params: { path: { userId }, header } })),
      ),
    onSuccess: onRemoved,
    onSettled: () => cache.invalidateQueries(userQuery(userId)),
    meta: userMessages.removeOwnPicture,
  });
}
