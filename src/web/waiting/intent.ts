import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { byServerTime, type Intent, intentMessages, isOver } from '../../shared/intent';
import { baseUrl, send } from '../server/send';
import { ApiError } from '../server/errors';
import { belongsToCurrentUser, personalKey } from '../server/queries';
import { reachability } from '../server/reachability';
import { outbox } from '../outbox/outbox';
import { toast } from '../ui/toast';

/** This user's order waiting on this device, or null. */
export const intentQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'intent'],
    queryFn: () => readIntent(userId),
    networkMode: 'always',
    refetchOnWindowFocus: 'always', // another tab may have canceled it
    enabled: ({ queryKey }) => belongsToCurrentUser(queryKey),
    retry: false,
  });

export const useIntent = (userId: string): Intent | null | undefined => useQuery(intentQuery(userId)).data;

/** An order that waited for a day is dropped, with a message. */
async function readIntent(userId: string): Promise<Intent | null> {
  const { findIntent, clearIntent, saveIntent } = await import('./savedIntent');
  const saved = await findIntent(userId);
  if (!saved) return null;
  const serverMs = await serverTime();
  // an order timed by the server's clock isn't judged by the device's, which may be hours off
  if (serverMs === undefined && saved.isServerTime) return saved;
  const intent = serverMs === undefined ? saved : byServerTime(saved, serverMs, Date.now());
  if (!isOver(intent, serverMs ?? Date.now())) {
    if (intent !== saved) await saveIntent(intent, saved);
    return intent;
  }
  await clearIntent(saved);
  toast.info(intentMessages.over);
  return null;
}

/** @returns in ms; undefined where the server can't be asked */
async function serverTime(): Promise<number | undefined> {
  if (!reachability.isOnline()) return undefined;
  const { origin } = new URL(baseUrl);
  const request = new Request(`${origin}/healthz`, { cache: 'no-store', signal: AbortSignal.timeout(2000) });
  const dateMs = await send(request).then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => Number.NaN,
  );
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

/** Saves the order until there is a connection. @throws the database's error */
export async function saveIntent(cache: QueryClient, intent: Intent): Promise<void> {
  await (await import('./savedIntent')).saveIntent(intent);
  await cache.cancelQueries(intentQuery(intent.userId)); // a read in flight would return the previous order
  cache.setQueryData(intentQuery(intent.userId).queryKey, intent);
}

/** @returns a function that cancels the waiting order, on this device and in this tab */
export function useGiveUp(): (intent: Intent) => Promise<void> {
  const cache = useQueryClient();
  return async (intent) => {
    await (await import('./savedIntent')).clearIntent(intent);
    await cache.cancelQueries(intentQuery(intent.userId));
    cache.setQueryData(intentQuery(intent.userId).queryKey, null);
  };
}

/**
 * Called once the cart has been ordered, on any device. If deleting fails, it expires within a day anyway.
 * @param intent.id drops only this order; without it, any
 */
export async function dropIntent(
  cache: QueryClient,
  intent: Pick<Intent, 'userId'> & Partial<Pick<Intent, 'id'>>,
): Promise<void> {
  await import('./savedIntent').then(({ clearIntent }) => clearIntent(intent)).catch(() => undefined);
  await cache.cancelQueries(intentQuery(intent.userId));
  cache.setQueryData(intentQuery(intent.userId).queryKey, (current) =>
    intent.id === undefined || current?.id === intent.id ? null : current,
  );
}

/**
 * Called before placing the order, which stays saved meanwhile. The listed new prices are accepted one by one, as in
 * the cart.
 * @throws ApiError when the order was canceled or placed in another tab, or expired; also the errors of cart changes
 */
export async function acceptListed(intent: Intent, lines: readonly Schema<'CartItem'>[]): Promise<void> {
  const saved = await readIntent(intent.userId);
  if (saved?.id !== intent.id) throw new ApiError(0, { message: intentMessages.gone });
  for (const { id: cartItemId, quantity, productName: name } of lines)
    // oxlint-disable-next-line no-await-in-loop -- one by one
    await outbox.send('updateCartItem', { userId: intent.userId, update: { cartItemId, quantity }, name });
}
