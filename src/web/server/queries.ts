import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { session } from './session';

/** What belongs to one user stands under this key, and goes when the user does. */
export const allPersonal = ['user'] as const;
export const personalKey = (userId: string) => [...allPersonal, userId] as const;

/** @returns false of what belongs to somebody who is not signed in here, or no longer */
export const isOfUserHere = ([first, userId]: QueryKey): boolean =>
  first !== allPersonal[0] || userId === session.get()?.id;

/**
 * Reads everything under the key again. A first read that is running has nothing to show yet, so it is not cancelled;
 * it may have been answered before the change, so another read follows.
 */
export function readAnew(cache: QueryClient, queryKey: QueryKey): void {
  const hasNothing = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  const first = cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: hasNothing });
  const again = () => cache.invalidateQueries({ queryKey });
  void again();
  for (const { promise } of first) void promise?.then(again, again);
}
