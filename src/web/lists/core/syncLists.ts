import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { oneAtATime } from '../../browser/oneAtATime';
import { sweepKitchen } from '../../device/lists';
import { stopAll } from '../../browser/listen';
import { session, whenUserChanges } from '../../server/session';
import { listsQuery } from './listsQuery';
import { saveLists } from './savedLists';

/**
 * Keeps the signed-in user's lists on this device for offline use: reads them at the start and whenever another device
 * changed them, and saves them with the answers to changes. Rule: docs/rules/offline.md, What is on the device
 * @returns a function that stops it
 */
export function syncLists(cache: QueryClient): () => void {
  let stop = stopAll();
  const follow = () => {
    const userId = session.get()?.id;
    stop();
    stop = userId === undefined ? stopAll() : syncListsOf(userId, cache);
  };
  void sweepKitchen().catch(() => undefined); // a database that cannot be opened has nothing to sweep
  follow();
  return stopAll(whenUserChanges(follow), () => stop());
}

function syncListsOf(userId: string, cache: QueryClient): () => void {
  const observer = new QueryObserver(cache, { ...listsQuery(userId), notifyOnChangeProps: ['data'] });
  // immediately, since the page may be left; of several updates during a write only the last is saved
  const save = oneAtATime(async () => {
    const { data } = observer.getCurrentResult();
    if (data) await saveLists(userId, data).catch(() => undefined); // if the device stores nothing, the shop keeps working online
  });
  return observer.subscribe(() => void save());
}
