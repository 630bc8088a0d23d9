import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { authSays } from '../../shared/auth';
import { type CartChanges, cartSays, withChange, withServerLine } from '../../shared/cart';
import type { DataOf, Schema } from '../../shared/contract';
import { ApiError } from '../api/apiError';
import { answer, api } from '../api/client';
import { personalKey } from '../api/queryClient';
import { session } from '../api/session';
import { outbox } from '../offline/outbox';
import { toast } from '../ui/toast';
import { keepIntention } from './intention';

export const cartQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'cart'],
    queryFn: async ({ signal }) => {
      if (!userId) throw new ApiError(0, { message: cartSays.noUser });
      const call = api.GET('/public/cart/{userId}', { params: { path: { userId } }, signal });
      const { cartResponse } = (await answer(call)) as Partial<DataOf<'getCart'>>; // whatever stands in between may answer
      if (!cartResponse) throw new ApiError(0, { message: cartSays.noData });
      return cartResponse;
    },
  });

/** What the server last said, with the changes that still wait applied on top. */
export function useCart(userId: string): Schema<'Cart'> | undefined {
  const { data: cart } = useQuery(cartQuery(userId));
  const waiting = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.waiting(userId),
    () => outbox.waiting(userId),
  );
  return cart && waiting.reduce(withChange, cart);
}

/** A change of the cart by its operation's name: `useCartChange('clearCart').mutate({ userId })`. */
export function useCartChange<Name extends keyof CartChanges>(operation: Name) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: CartChanges[Name]) => outbox.send(operation, input),
    networkMode: 'always', // the outbox decides when to wait
    // a refusal often means that the cart is not what was shown
    onError: (_error, { userId }) => cache.invalidateQueries(cartQuery(userId)),
    meta: cartSays[operation],
  });
}

/** Puts a product into the cart; a visitor's wish is kept until the login. Source: specification §6, decisions §5 */
export function useAddToCart() {
  const navigate = useNavigate();
  const here = useLocation({ select: ({ href }) => href });
  const { mutate, isPending } = useCartChange('addCartItem');
  const add = (product: Schema<'Product'>, quantity = 1) => {
    const item = { productId: product.id, name: product.name, price: product.price, quantity, image: product.imageUrl };
    const user = session.get();
    if (user) return mutate({ userId: user.id, item });
    keepIntention(item);
    toast.warning(authSays.loginToAdd);
    return void navigate({ to: '/login', search: { redirect: here } });
  };
  return { add, isPending };
}

/** Lets the outbox put the server's answers where the pages read them. */
export function keepCartAnswers(cache: QueryClient): void {
  outbox.keepAnswersWith((change, data) => {
    const key = cartQuery(change.input.userId).queryKey;
    if ('cartResponse' in data) cache.setQueryData(key, data.cartResponse);
    else if (change.operation === 'updateCartItem') {
      const { update } = change.input;
      const id = 'change' in update ? update.productId : update.cartItemId;
      cache.setQueryData(key, (cart) => cart && withServerLine(cart, id, data.cartItem));
    }
  });
}
