import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { session } from './session';

/** Personal query keys start with this; their data is removed with the user. */
export const allPersonal = ['user'] as const;
export const personalKey = (userId: string) => [...allPersonal, userId] as const;

/** @returns false for data of a user who isn't, or is no longer, signed in here */
export const belongsToCurrentUser = ([first, userId]: QueryKey): boolean =>
  first !== allPersonal[0] || userId === session.get()?.id;

/**
 * Refetches all queries under the key. A first read in flight isn't canceled, because it has no data to show yet; its
 * response may predate the change, so another read follows.
 */
export function refetchAll(cache: QueryClient, queryKey: QueryKey): void {
  const hasNothing = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  const first = cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: hasNothing });
  const again = () => cache.invalidateQueries({ queryKey });
  void again();
  for (const { promise } of first) void promise?.then(again, again);
}
