import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { orderMessages } from '../../shared/orders';
import { answer, api } from '../server/client';
import { personalKey } from '../server/queries';
import { toast } from '../ui/toast';
import { forgetPaying } from './paying';

/** An order that this tab went to pay, as the shop has it now. */
export const payingOrderQuery = (userId: string, orderId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'orders', 'paying', orderId],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/public/order/{orderId}', { params: { path: { orderId } }, signal }))).orderResponse,
    staleTime: 0,
  });

/**
 * Cancels an unpaid order. Rule: docs/rules/orders-and-payment.md, Canceling an unpaid order
 * @param putBack offered with the message; puts the items into the cart
 */
export function useCancelOrder(userId: string, putBack?: (order: Schema<'Order'>) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (orderId: string) => {
      const call = api.POST('/public/order/{orderId}/cancel', { params: { path: { orderId } }, body: {} });
      return (await answer(call)).orderResponse;
    },
    onSuccess: (order) => {
      forgetPaying();
      const action = putBack && { label: 'Add items to cart', onPress: () => putBack(order) };
      toast.success(orderMessages.cancelOwnOrder.success, action);
    },
    onSettled: () =>
      Promise.all(
        ['orders', 'cart'].map((what) => cache.invalidateQueries({ queryKey: [...personalKey(userId), what] })),
      ),
    meta: { failure: orderMessages.cancelOwnOrder.failure },
  });
}
