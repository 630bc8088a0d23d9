import { useMutation, useQueryClient } from '@tanstack/react-query';
import { userMessages } from '../../shared/users';
import { answer, api } from '../server/client';
import { keyed, newKey, sendOnce } from '../server/keys';
import { userQuery } from './queries';

export function useSetPicture(userId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append('file', file);
      return answer(
        api.PUT('/public/users/{userId}/picture', {
          // each time a key of its own: the browser may draw the same photo smaller with other bytes
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

/** @param onRemoved runs while the button is still on the page, so that the focus can move away first */
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
