import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type { ProductList } from '../../shared/lists';
import { orSaved } from '../device/answers';
import { outbox } from '../outbox/outbox';
import { answer, api } from '../server/client';
import { listsKey } from './listsKey';

/** The user's lists as the server last said them; without a connection, as this device last heard them. */
export const listsQuery = (userId: string) =>
  queryOptions({
    queryKey: listsKey(userId),
    queryFn: (query) =>
      orSaved(query, readLists(userId, query), async () => (await import('./savedLists')).findSavedLists(userId)),
    refetchOnReconnect: 'always',
    gcTime: Infinity, // what is kept in memory is what is saved
  });

/** Known ones are answered with what is being sent, so that reading them again can wait for that. */
async function readLists(
  userId: string,
  { client, queryKey, signal }: QueryFunctionContext,
): Promise<readonly ProductList[]> {
  if (client.getQueryData(queryKey) !== undefined) await outbox.rested();
  signal.throwIfAborted(); // what was sent meanwhile has asked for another reading
  const { lists } = await answer(api.GET('/public/lists/{userId}', { params: { path: { userId } }, signal }));
  await outbox.settled(); // they may include a change whose answer is not here yet, and be put below a newer one
  return lists;
}
