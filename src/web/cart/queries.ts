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

/** The cart as the server last returned it; offline, as saved on this device. */
export const cartQuery = (userId: string) =>
  queryOptions({
    queryKey: cartKey(userId),
    queryFn: (query) => orSaved(query, readCart(userId, query)),
    // in case an event about another device's change was missed
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    gcTime: Infinity, // memory and the saved copy stay the same
  });

/** A refetch of a known cart first waits for changes in flight, whose answers contain the cart. */
async function readCart(userId: string, { client, queryKey, signal }: QueryFunctionContext): Promise<Schema<'Cart'>> {
  if (!userId) throw new ApiError(0, { message: cartMessages.noUser });
  if (client.getQueryData(queryKey) !== undefined) await outbox.rested();
  signal.throwIfAborted(); // a change sent meanwhile has started another read
  const call = api.GET('/public/cart/{userId}', { params: { path: { userId } }, signal });
  const { cartResponse } = (await answer(call)) as Partial<DataOf<'getCart'>>; // a proxy may have answered
  if (!cartResponse) throw new ApiError(0, { message: cartMessages.noData });
  await outbox.settled(); // the cart may include a change whose answer has not arrived, which would count twice
  return cartResponse;
}

/** The server's cart with the unsent changes applied on top. */
export function useCart(userId: string): Schema<'Cart'> | undefined {
  const { data: cart } = useQuery(cartQuery(userId));
  const waiting = useWaiting(userId);
  return cart && waiting.filter(isCartChange).reduce(withChange, cart);
}

/** @returns the units in the cart: from the server's cart, or until it loads from the cart saved on this device */
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

/** @returns a cart of only the unsent changes, for when the rest cannot be loaded */
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
    // a rejection often means that the shown cart was outdated
    onError: (_error, { userId }) => cache.invalidateQueries(cartQuery(userId)),
    meta: cartMessages[operation],
  });
}

/**
 * Adds what the user put into the cart as a visitor, on this page or on one that was left before the device stored it.
 */
export function addIntentions(cache: QueryClient, userId: string): void {
  for (const { key, item, userId: claimedBy } of readIntentions()) {
    if (claimedBy !== userId) continue;
    const clear = () => clearIntention(key);
    const adding = cache.getMutationCache().build(cache, {
      mutationFn: () => outbox.send('addCartItem', { userId, item }, { key, onStored: clear }),
      onSuccess: ({ queued }) => queued || clear(),
      onError: () => cache.invalidateQueries(cartQuery(userId)),
      meta: cartMessages.addCartItem,
    });
    adding.execute(undefined).catch(() => undefined); // the mutation has already shown it
  }
}

/**
 * Puts a product into the cart; for a visitor, saves it until the login.
 * Rule: docs/rules/cart.md, Adding before login
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
