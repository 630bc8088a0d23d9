import { offlineSays } from '../../shared/offline';
import { useIsOnline } from '../server/reachability';

/** @returns what to say of data that did not come: without a connection, that this is why; else `failure` */
export function useHonestSentence(failure: string): string {
  return useIsOnline() ? failure : offlineSays.notHere;
}
