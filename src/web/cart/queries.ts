import {
  type QueryClient,
  type QueryFunctionContext,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type CartChanges, cartMessages, countUnits, isCartChange, withChange } from '../../shared/cart';
import type { DataOf, Schema } from '../../shared/contract';
import { ApiError } from '../server/errors';
import { answer, api } from '../server/client';
import { session } from '../server/session';
import type { Inputs } from '../outbox/operation';
import { outbox, useWaiting } from '../outbox/outbox';
import { orSaved } from '../device/answers';
import { toast } from '../ui/toast';
import { cartKey } from './cartKey';
import { clearIntention, saveIntention, readIntentions } from './intention';

/** The cart as the server last said it; without a connection, as this device last heard it. */
export const cartQuery = (userId: string) =>
  queryOptions({
    queryKey: cartKey(userId),
    queryFn: (query) => orSaved(query, readCart(userId, query)),
    // other devices' changes, for where no event came through
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    gcTime: Infinity, // what is kept in memory is what is saved
  });

/** One that is known is answered with what is being sent, so that reading it again can wait for that. */
async function readCart(userId: string, { client, queryKey, signal }: QueryFunctionContext): Promise<Schema<'Cart'>> {
  if (!userId) throw new ApiError(0, { message: cartMessages.noUser });
  if (client.getQueryData(queryKey) !== undefined) await outbox.rested();
  signal.throwIfAborted(); // what was sent meanwhile has asked for another reading
  const call = api.GET('/public/cart/{userId}', { params: { path: { userId } }, signal });
  const { cartResponse } = (await answer(call)) as Partial<DataOf<'getCart'>>; // a proxy may have answered
  if (!cartResponse) throw new ApiError(0, { message: cartMessages.noData });
  await outbox.settled(); // the cart may include a change whose answer is not here yet, which would count twice
  return cartResponse;
}

/** What the server last said, with the changes that still wait applied on top. */
export function useCart(userId: string): Schema<'Cart'> | undefined {
  const { data: cart } = useQuery(cartQuery(userId));
  const waiting = useWaiting(userId);
  return cart && waiting.filter(isCartChange).reduce(withChange, cart);
}

/** @returns how many units are in the cart: until the server has said it, those of the cart that this device kept */
export function useCartUnits(userId: string): number {
  const { data: cart } = useQuery(cartQuery(userId));
  const saved = useSavedCart(userId, cart === undefined);
  const known = cart ?? saved;
  const waiting = useWaiting(userId);
  return known ? countUnits(waiting.filter(isCartChange).reduce(withChange, known)) : 0;
}

function useSavedCart(userId: string, isNeeded: boolean): Schema<'Cart'> | undefined {
  const [saved, setSaved] = useState<Schema<'Cart'>>();
  useEffect(() => {
    if (!isNeeded) return;
    const find = async () => (await import('../device/saveAnswers')).findSaved<Schema<'Cart'>>(cartKey(userId));
    void find().then(setSaved, () => undefined); // without it the badge waits for the server
  }, [userId, isNeeded]);
  return saved;
}

/** @returns what waits alone, for where the rest of the cart cannot be had */
export function useUnsentCart(userId: string): Schema<'Cart'> | undefined {
  const nothing: Schema<'Cart'> = { cartId: userId, cartItems: [], totalAmount: 0 };
  const cart = useWaiting(userId).filter(isCartChange).reduce(withChange, nothing);
  return cart.cartItems.length > 0 ? cart : undefined;
}

/**
 * A change of the cart by its operation's name: `useCartChange('addCartItem').mutate({ userId, item })`.
 */
export function useCartChange<Name extends keyof CartChanges>(operation: Name) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Inputs[Name]) => outbox.send(operation, input),
    networkMode: 'always', // the outbox decides when to wait
    // a refusal often means that the cart is not what was shown
    onError: (_error, { userId }) => cache.invalidateQueries(cartQuery(userId)),
    meta: cartMessages[operation],
  });
}

/** Puts into the cart what its user wanted as a visitor, in this page or in one that was left before the device had it. */
export function addIntentions(cache: QueryClient, userId: string): void {
  for (const { key, item, userId: claimedBy } of readIntentions()) {
    if (claimedBy !== userId) continue;
    const forget = () => clearIntention(key);
    const adding = cache.getMutationCache().build(cache, {
      mutationFn: () => outbox.send('addCartItem', { userId, item }, { key, onStored: forget }),
      onSuccess: ({ queued }) => queued || forget(),
      onError: () => cache.invalidateQueries(cartQuery(userId)),
      meta: cartMessages.addCartItem,
    });
    adding.execute(undefined).catch(() => undefined); // it has been told
  }
}

/**
 * Puts a product into the cart; a visitor's wish is kept until the login.
 * Rule: docs/rules/cart.md, A visitor's wish
 */
export function useAddToCart() {
  const navigate = useNavigate();
  const here = useLocation({ select: ({ href }) => href });
  const { mutate, isPending } = useCartChange('addCartItem');
  const add = (product: Schema<'Product'>, quantity = 1) => {
    const item = { productId: product.id, name: product.name, price: product.price, quantity, image: product.imageUrl };
    const user = session.get();
    if (user) return mutate({ userId: user.id, item });
    saveIntention(item);
    toast.warning(cartMessages.loginToAdd);
    return void navigate({ to: '/login', search: { redirect: here } });
  };
  return { add, isPending };
}
