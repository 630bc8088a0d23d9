import type { QueryClient } from '@tanstack/react-query';
import { type CartChanges, lineId, maxQuantity, withServerLine } from '../../shared/cart';
import { cartMessages } from '../../shared/cartMessages';
import type { Schema } from '../../shared/contract';
import type { Answer, Definitions } from '../outbox/operation';
import { answer, api } from '../server/client';
import { cartKey } from './cartKey';

declare module '../outbox/operation' {
  interface Inputs extends CartChanges {}
}

/** The cart's outbox operations. Their effect until they are sent: `withChange` in shared/cart.ts. */
export const cartOperations: Definitions<keyof CartChanges> = {
  addCartItem: {
    messages: cartMessages.addCartItem,
    send: ({ userId, item }, { header, signal }) =>
      answer(api.POST('/public/cart/add/{userId}', { params: { path: { userId }, header }, body: item, signal })),
    saveAnswer: saveCart,
    asOne(earlier, later) {
      const { item } = later;
      const quantity = earlier.item.quantity + item.quantity;
      if (earlier.item.productId !== item.productId || quantity > maxQuantity) return undefined;
      return { ...later, item: { ...item, quantity } };
    },
    isAbout: ({ item }, productId) => item.productId === productId,
  },

  updateCartItem: {
    messages: cartMessages.updateCartItem,
    send: ({ update }, { header, signal }) =>
      answer(api.PUT('/public/cart/item/update', { params: { header }, body: update, signal })),
    saveAnswer(cache, { userId, update }, { data, isOld }) {
      const id = 'change' in update ? update.productId : update.cartItemId;
      updateCache(cache, userId, isOld || !data, (cart) => cart && data && withServerLine(cart, id, data.cartItem));
    },
    asOne: mergeUpdates,
    isAbout: ({ userId, update }, productId) =>
      'change' in update ? update.productId === productId : update.cartItemId === lineId(userId, productId),
  },

  removeCartItem: {
    messages: cartMessages.removeCartItem,
    send({ userId, cartItemId }, { header, signal }) {
      const params = { path: { userId, cartItemId }, header };
      return answer(api.DELETE('/public/cart/item/{userId}/remove/{cartItemId}', { params, signal }));
    },
    saveAnswer: saveCart,
    isAbout: ({ userId, cartItemId }, productId) => cartItemId === lineId(userId, productId),
    // if another device has already removed the line, the goal is reached
    isDone: ({ code }) => code === 'cart_item_not_found',
  },

  clearCart: {
    messages: cartMessages.clearCart,
    send: ({ userId }, { header, signal }) =>
      answer(api.PUT('/public/cart/{userId}/clear', { params: { path: { userId }, header }, signal })),
    saveAnswer: saveCart,
  },
};

/**
 * Merges repeated changes: three presses of plus become one call. Only changes with the same result are merged. A plus
 * and a minus are not, because only a plus brings back a line that another device removed.
 */
function mergeUpdates(earlier: CartChanges['updateCartItem'], later: CartChanges['updateCartItem']) {
  const [before, { update, ...rest }] = [earlier.update, later];
  if ('quantity' in before && 'quantity' in update) return before.cartItemId === update.cartItemId ? later : undefined;
  if (!('change' in before && 'change' in update) || before.productId !== update.productId) return undefined;
  const change = before.change + update.change;
  if (Math.sign(before.change) !== Math.sign(update.change) || Math.abs(change) > maxQuantity) return undefined;
  return { ...rest, update: { ...update, change } };
}

type Cart = Schema<'Cart'>;

function saveCart(cache: QueryClient, { userId }: { userId: string }, { data, isOld }: Answer<{ cartResponse: Cart }>) {
  updateCache(cache, userId, isOld || !data, () => data?.cartResponse);
}

function updateCache(
  cache: QueryClient,
  userId: string,
  isStale: boolean,
  next: (cart: Cart | undefined) => Cart | undefined,
): void {
  const queryKey = cartKey(userId);
  const wasReading = cache.isFetching({ queryKey }) > 0;
  void cache.cancelQueries({ queryKey }); // a read that began before this answer would return an older cart
  cache.setQueryData<Cart>(queryKey, next);
  if (isStale || wasReading) void cache.invalidateQueries({ queryKey });
}
