import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import {
  type PersistedClient,
  persistQueryClientSave,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client';
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import { answersKey } from '../../shared/deviceNames';
import { stopAll } from '../browser/listen';
import { session, whenUserChanges } from '../server/session';

/**
 * Saves the signed-in user's small responses (cart, account) in localStorage for offline visits, under a key with the
 * user's ID. Queries read them only after asking the network (answers.ts).
 * Rule: docs/rules/offline.md, What is on the device
 */
const savedQueries: readonly unknown[] = ['cart', 'account'];

/** @returns a function that stops it */
export function saveAnswers(cache: QueryClient): () => void {
  let stop = stopAll();
  const follow = () => {
    const userId = session.get()?.id;
    stop();
    stop = userId === undefined ? stopAll() : saveAnswersOf(userId, cache);
  };
  follow();
  return stopAll(whenUserChanges(follow), () => stop());
}

function saveAnswersOf(userId: string, queryClient: QueryClient): () => void {
  const shouldDehydrateQuery = ({ queryKey, state }: { queryKey: QueryKey; state: { status: string } }) =>
    state.status === 'success' &&
    queryKey[0] === 'user' &&
    queryKey[1] === userId &&
    savedQueries.includes(queryKey[2]);
  const options = {
    queryClient,
    persister: persisterOf(userId),
    dehydrateOptions: { shouldDehydrateQuery, shouldDehydrateMutation: () => false },
  };
  void persistQueryClientSave(options); // saves responses received before the subscription
  return persistQueryClientSubscribe(options);
}

/** @returns the response to a query of the signed-in user, saved by an earlier visit */
export async function findSaved<T>(queryKey: QueryKey): Promise<T | undefined> {
  const userId = session.get()?.id;
  if (userId === undefined || queryKey[1] !== userId) return undefined;
  const saved: PersistedClient | undefined = await persisterOf(userId).restoreClient();
  const query = saved?.clientState.queries.find(({ queryHash }) => queryHash === hashKey(queryKey));
  return query?.state.data as T | undefined;
}

function persisterOf(userId: string) {
  const storage = {
    getItem: (key: string) => localStorage.getItem(key),
    // another tab may have logged out since, and deleted everything
    setItem: (key: string, value: string) => {
      if (session.stored()?.id === userId) localStorage.setItem(key, value);
    },
    removeItem: (key: string) => localStorage.removeItem(key),
  };
  const key = answersKey(userId);
  const serialize = (client: PersistedClient) => JSON.stringify(withSaved(client, storage.getItem(key)));
  return createSyncStoragePersister({ storage, key, throttleTime: 0, serialize });
}

/** Keeps saved responses until their queries have been read again. */
function withSaved(client: PersistedClient, text: string | null): PersistedClient {
  const { mutations, queries } = client.clientState;
  const { clientState } = JSON.parse(text ?? '{}') as Partial<PersistedClient>;
  const isNewer = new Set(queries.map(({ queryHash }) => queryHash));
  const others = clientState?.queries.filter(({ queryHash }) => !isNewer.has(queryHash)) ?? [];
  return { ...client, clientState: { mutations, queries: [...queries, ...others] } };
}
