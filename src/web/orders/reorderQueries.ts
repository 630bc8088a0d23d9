import { queryOptions, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '../../shared/contract';
import { reorderSays } from '../../shared/reorder';
import { answer, api } from '../api/client';
import { personalKey } from '../api/queryClient';
import { outbox } from '../offline/outbox';

/** The order's lines as they can be had now: asked anew each time, since prices and stock may have moved. */
export const reorderQuery = (userId: string, orderId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'reorder', orderId],
    queryFn: async ({ signal }) => {
      const params = { path: { orderId } };
      return (await answer(api.GET('/public/order/{orderId}/reorder', { params, signal }))).reorder.lines;
    },
    staleTime: 0,
    gcTime: 0,
  });

/**
 * Puts what can be had into the cart by the one way that changes take, and shows the cart. What the shop refuses after
 * all (somebody else was quicker) stands in the cart with its reason.
 */
export function useAddAgain(userId: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (lines: readonly Schema<'ReorderLine'>[]) => {
      const sent = await Promise.allSettled(
        lines.filter(({ quantity }) => quantity > 0).map((line) => outbox.send('addCartItem', addition(userId, line))),
      );
      for (const each of sent) if (each.status === 'rejected') throw each.reason;
      return sent.map((each) => each.status === 'fulfilled' && each.value).find((each) => each && each.queued);
    },
    onSettled: () => navigate({ to: '/cart' }),
    meta: reorderSays.addAll,
  });
}

const addition = (userId: string, line: Schema<'ReorderLine'>) => ({
  userId,
  item: {
    productId: line.productId,
    name: line.productName,
    price: line.currentPrice,
    quantity: line.quantity,
    image: line.imageUrl,
  },
});
