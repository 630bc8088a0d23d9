import { type QueryClient, type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import { cartMessages } from '../../shared/cartMessages';
import type { DataOf, Schema } from '../../shared/contract';
import { ApiError } from '../server/errors';
import { answer, api } from '../server/client';
import { outbox } from '../outbox/outbox';
import { orSaved } from '../device/answers';
import { cartKey } from './cartKey';
import { clearIntention, readIntentions } from './intention';

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
