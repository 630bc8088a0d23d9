import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { authSays } from '../../shared/auth';
import { type CartChanges, cartSays, withChange, withServerLine } from '../../shared/cart';
import type { DataOf, Schema } from '../../shared/contract';
import { ApiError } from '../api/apiError';
import { answer, api } from '../api/client';
import { personalKey } from '../api/queryClient';
import { session } from '../api/session';
import { outbox } from '../offline/outbox';
import { orSaved } from '../offline/orSaved';
import { type Changes, isOfCart } from '../offline/outboxEntry';
import { useWaiting } from '../offline/useOutbox';
import { toast } from '../ui/toast';
import { keepIntention } from './intention';

/** The cart as the server last said it; without a connection, as this device last heard it. */
export const cartQuery = (userId: string) =>
  queryOptions({
    queryKey: cartKey(userId),
    queryFn: ({ signal }) => orSaved(cartKey(userId), readCart(userId, signal)),
    // other devices' changes, for where no event came through
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    gcTime: Infinity, // what is kept in memory is what is saved
  });

const cartKey = (userId: string) => [...personalKey(userId), 'cart'] as const;

async function readCart(userId: string, signal: AbortSignal): Promise<Schema<'Cart'>> {
  if (!userId) throw new ApiError(0, { message: cartSays.noUser });
  const call = api.GET('/public/cart/{userId}', { params: { path: { userId } }, signal });
  const { cartResponse } = (await answer(call)) as Partial<DataOf<'getCart'>>; // whatever stands in between may answer
  if (!cartResponse) throw new ApiError(0, { message: cartSays.noData });
  await outbox.settled(); // it may hold a change whose own answer is not here yet, and would be counted twice
  return cartResponse;
}

/** What the server last said, with the changes that still wait applied on top. */
export function useCart(userId: string): Schema<'Cart'> | undefined {
  const { data: cart } = useQuery(cartQuery(userId));
  const waiting = useWaiting(userId);
  return cart && waiting.filter(isOfCart).reduce(withChange, cart);
}

/** @returns what waits alone, for where the rest of the cart cannot be had */
export function useUnsentCart(userId: string): Schema<'Cart'> | undefined {
  const nothing: Schema<'Cart'> = { cartId: userId, cartItems: [], totalAmount: 0 };
  const cart = useWaiting(userId).filter(isOfCart).reduce(withChange, nothing);
  return cart.cartItems.length > 0 ? cart : undefined;
}

/**
 * A change of the cart by its operation's name: `useCartChange('clearCart').mutate({ userId })`.
 * @param onDone says that it is done, in place of the operation's own sentence
 */
export function useCartChange<Name extends keyof CartChanges>(operation: Name, onDone?: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: CartChanges[Name]) => outbox.send(operation, input as Changes[Name]),
    networkMode: 'always', // the outbox decides when to wait
    // a refusal often means that the cart is not what was shown
    onError: (_error, { userId }) => cache.invalidateQueries(cartQuery(userId)),
    onSuccess: ({ queued }) => queued || onDone?.(),
    meta: onDone ? { failure: cartSays[operation].failure } : cartSays[operation],
  });
}

/** Removes a line. What says that it is gone offers to put it back, if the shop still has it. */
export function useRemoveLine(userId: string, line: Schema<'CartItem'>) {
  const { productId, productName: name, price, quantity, imageUrl: image, notice } = line;
  const { mutate: add } = useCartChange('addCartItem');
  const onPress = () => add({ userId, item: { productId, name, price, quantity, image } });
  const undo = notice === null || notice === 'price_changed' ? { label: 'Undo', onPress } : undefined;
  const { mutate } = useCartChange('removeCartItem', () => toast.success(cartSays.removeCartItem.success, undo));
  return () => mutate({ userId, cartItemId: line.id });
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
  outbox.keepAnswersWith((change, data, isOld) => {
    if (change.operation === 'createContactMessage') return;
    const queryKey = cartKey(change.input.userId);
    const wasReading = cache.isFetching({ queryKey }) > 0;
    void cache.cancelQueries({ queryKey }); // what was asked before this answer tells of an earlier cart
    if (data && 'cartResponse' in data) cache.setQueryData(queryKey, data.cartResponse);
    else if (data && change.operation === 'updateCartItem') {
      const { update } = change.input;
      const id = 'change' in update ? update.productId : update.cartItemId;
      const { cartItem } = data as DataOf<'updateCartItem'>;
      cache.setQueryData<Schema<'Cart'>>(queryKey, (cart) => cart && withServerLine(cart, id, cartItem));
    }
    if (isOld || wasReading || !data) void cache.invalidateQueries({ queryKey });
  });
}
