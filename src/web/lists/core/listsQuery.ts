import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import type { ProductList } from '../../../shared/lists';
import { orSaved } from '../../device/answers';
import { outbox } from '../../outbox/outbox';
import { answer, api } from '../../server/client';
import { listsKey } from './listsKey';

/** The user's lists as the server last returned them; offline, as saved on this device. */
export const listsQuery = (userId: string) =>
  queryOptions({
    queryKey: listsKey(userId),
    queryFn: (query) =>
      orSaved(query, readLists(userId, query), async () => (await import('./savedLists')).findSavedLists(userId)),
    refetchOnReconnect: 'always',
    gcTime: Infinity, // memory and the saved copy stay the same
  });

/** A refetch of known lists first waits for changes in flight, whose answers contain the lists. */
async function readLists(
  userId: string,
  { client, queryKey, signal }: QueryFunctionContext,
): Promise<readonly ProductList[]> {
  if (client.getQueryData(queryKey) !== undefined) await outbox.rested();
  signal.throwIfAborted(); // a change sent meanwhile has started another read
  const { lists } = await answer(api.GET('/public/lists/{userId}', { params: { path: { userId } }, signal }));
  await outbox.settled(); // the lists may include a change whose answer has not arrived, and a newer one could be applied before it
  return lists;
}
