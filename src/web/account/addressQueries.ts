import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { userSays } from '../../shared/users';
import { answer, api } from '../api/client';
import { onceEach } from './onceEach';
import { userQuery } from './queries';

/** @param addressId the address to change; none for a new one */
export function useSaveAddress(userId: string, addressId: string | undefined) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'AddressForm'>) =>
      onceEach('saveAddress', [userId, addressId, body], ({ header }) =>
        answer(
          addressId === undefined
            ? api.PUT('/public/users/address/{userId}', { params: { path: { userId }, header }, body })
            : api.PUT('/public/users/address/{userId}/{addressId}', {
                params: { path: { userId, addressId }, header },
                body,
              }),
        ),
      ),
    onSettled: () => cache.invalidateQueries(userQuery(userId)),
    meta: addressId === undefined ? userSays.addAddress : userSays.updateAddress,
  });
}

/** @param onRemoved while the address is still on the page: what has the focus must not vanish under it */
export function useRemoveAddress(userId: string, onRemoved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (addressId: string) =>
      onceEach('removeAddress', [userId, addressId], ({ header }) => {
        const params = { path: { userId, addressId }, header };
        return answer(api.DELETE('/public/users/{userId}/address/{addressId}', { params }));
      }),
    onSuccess: onRemoved,
    onSettled: () => cache.invalidateQueries(userQuery(userId)),
    meta: userSays.removeAddress,
  });
}
