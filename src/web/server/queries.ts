import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** What belongs to one user stands under this key, and goes when the user does. */
export const allPersonal = ['user'] as const;
export const personalKey = (userId: string) => [...allPersonal, userId] as const;

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
