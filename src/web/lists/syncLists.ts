import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { oneAtATime } from '../browser/oneAtATime';
import { sweepKitchen } from '../device/kitchen';
import { stopAll } from '../browser/listen';
import { session, whenUserChanges } from '../server/session';
import { listsQuery } from './listsQuery';
import { saveLists } from './savedLists';

/**
 * Keeps the signed-in user's lists on this device, for a visit without a connection: read at the start and whenever another
 * device changed them, and saved with the answers of changes. Rule: docs/rules/offline.md, What is on the device
 * @returns how to stop
 */
export function syncLists(cache: QueryClient): () => void {
  let stop = stopAll();
  const follow = () => {
    const userId = session.get()?.id;
    stop();
    stop = userId === undefined ? stopAll() : keepListsOf(userId, cache);
  };
  void sweepKitchen().catch(() => undefined); // what cannot be opened has nothing to sweep
  follow();
  return stopAll(whenUserChanges(follow), () => stop());
}

function keepListsOf(userId: string, cache: QueryClient): () => void {
  const observer = new QueryObserver(cache, { ...listsQuery(userId), notifyOnChangeProps: ['data'] });
  // at once, since the page may be left; of what comes while one is being written only the last
  const save = oneAtATime(async () => {
    const { data } = observer.getCurrentResult();
    if (data) await saveLists(userId, data).catch(() => undefined); // where nothing is kept, the shop goes on online
  });
  return observer.subscribe(() => void save());
}
