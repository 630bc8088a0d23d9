import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Has everything under the key read again, because it may be different. A first reading under way, which has nothing to
 * show yet, is not broken off, and may have been answered before the change: it is followed by another one.
 */
export function readAnew(cache: QueryClient, queryKey: QueryKey): void {
  const first = cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: hasNothing });
  void cache.invalidateQueries({ queryKey });
  for (const { promise } of first) {
    const again = () => cache.invalidateQueries({ queryKey });
    void promise?.then(again, again);
  }
}

const hasNothing = ({ state }: { state: { data: unknown } }) => state.data === undefined;
