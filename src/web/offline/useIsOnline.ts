import { useSyncExternalStore } from 'react';
import { reachability } from './reachability';

/** @returns whether the shop can be reached, as far as is known; true on the server */
export function useIsOnline(): boolean {
  return useSyncExternalStore(reachability.subscribe, reachability.isOnline, () => true);
}
