import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { byServerTime, type Intent, intentMessages, isOver } from '../../shared/intent';
import { baseUrl, send } from '../server/send';
import { ApiError } from '../server/errors';
import { isOfUserHere, personalKey } from '../server/queries';
import { reachability } from '../server/reachability';
import { outbox } from '../outbox/outbox';
import { toast } from '../ui/toast';

/** The order of this user that waits on this device; null: none does. */
export const intentQuery = (userId: string) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'intent'],
    queryFn: () => readIntent(userId),
    networkMode: 'always',
    refetchOnWindowFocus: 'always', // another tab may have given it up
    enabled: ({ queryKey }) => isOfUserHere(queryKey),
    retry: false,
  });

export const useIntent = (userId: string): Intent | null | undefined => useQuery(intentQuery(userId)).data;

/** One that was kept for a day is given up, with a sentence. */
async function readIntent(userId: string): Promise<Intent | null> {
  const { findIntent, clearIntent, saveIntent } = await import('./savedIntent');
  const found = await findIntent(userId);
  if (!found) return null;
  const serverMs = await serverTime();
  // what was made by the server's clock is not judged by the device's, which may be wrong by hours
  if (serverMs === undefined && found.isServerTime) return found;
  const intent = serverMs === undefined ? found : byServerTime(found, serverMs, Date.now());
  if (!isOver(intent, serverMs ?? Date.now())) {
    if (intent !== found) await saveIntent(intent, found);
    return intent;
  }
  await clearIntent(found);
  toast.info(intentMessages.over);
  return null;
}

/** @returns in ms; undefined where the server cannot be asked */
async function serverTime(): Promise<number | undefined> {
  if (!reachability.isOnline()) return undefined;
  const { origin } = new URL(baseUrl);
  const asked = new Request(`${origin}/healthz`, { cache: 'no-store', signal: AbortSignal.timeout(2000) });
  const said = await send(asked).then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => Number.NaN,
  );
  return Number.isNaN(said) ? undefined : said;
}

/** Keeps the order until there is a connection. @throws what the database throws */
export async function saveIntent(cache: QueryClient, intent: Intent): Promise<void> {
  await (await import('./savedIntent')).saveIntent(intent);
  await cache.cancelQueries(intentQuery(intent.userId)); // a read that is under way knows the one before
  cache.setQueryData(intentQuery(intent.userId).queryKey, intent);
}

/** @returns gives the order up that waits, on this device and in this tab */
export function useGiveUp(): (intent: Intent) => Promise<void> {
  const cache = useQueryClient();
  return async (intent) => {
    await (await import('./savedIntent')).clearIntent(intent);
    await cache.cancelQueries(intentQuery(intent.userId));
    cache.setQueryData(intentQuery(intent.userId).queryKey, null);
  };
}

/**
 * Once the cart is ordered, wherever. What cannot be deleted is over in a day anyway.
 * @param of.id of this one; without it, whichever waits
 */
export async function dropIntent(
  cache: QueryClient,
  of: Pick<Intent, 'userId'> & Partial<Pick<Intent, 'id'>>,
): Promise<void> {
  await import('./savedIntent').then(({ clearIntent }) => clearIntent(of)).catch(() => undefined);
  await cache.cancelQueries(intentQuery(of.userId));
  cache.setQueryData(intentQuery(of.userId).queryKey, (known) =>
    of.id === undefined || known?.id === of.id ? null : known,
  );
}

/**
 * Before the order is placed: it waits here still, and the new prices that were listed are kept one by one, as in the cart.
 * @throws ApiError when it was given up, or placed, in another tab, or is over; what a change of the cart throws
 */
export async function acceptListed(intent: Intent, lines: readonly Schema<'CartItem'>[]): Promise<void> {
  const kept = await readIntent(intent.userId);
  if (kept?.id !== intent.id) throw new ApiError(0, { message: intentMessages.gone });
  for (const { id: cartItemId, quantity, productName: name } of lines)
    // oxlint-disable-next-line no-await-in-loop -- one by one
    await outbox.send('updateCartItem', { userId: intent.userId, update: { cartItemId, quantity }, name });
}
