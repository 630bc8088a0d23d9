import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { userMessages } from '../../shared/users';
import { answer, api } from '../server/client';
import { sendOnce } from '../server/keyMemory';
import { userQuery } from './queries';

/** @param addressId the address to change; undefined for a new one */
export function useSaveAddress(userId: string, addressId: string | undefined) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'AddressForm'>) =>
      sendOnce(['saveAddress', userId, addressId, body], ({ header }) =>
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
    meta: addressId === undefined ? userMessages.addAddress : userMessages.updateAddress,
  });
}

/** @param onRemoved runs while the address is still rendered, so that the focus can move first */
export function useRemoveAddress(userId: string, onRemoved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (addressId: string) =>
      sendOnce(['removeAddress', userId, addressId], ({ header }) => {
        const params = { path: { userId, addressId }, header };
        return answer(api.DELETE('/public/users/{userId}/address/{addressId}', { params }));
      }),
    onSuccess: onRemoved,
    onSettled: () => cache.invalidateQueries(userQuery(userId)),
    meta: userMessages.removeAddress,
  });
}
