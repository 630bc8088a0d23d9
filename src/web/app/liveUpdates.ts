import { focusManager, onlineManager } from '@tanstack/react-query';
import { listen, stopAll } from '../browser/listen';
import { syncOrders } from '../device/orders';
import { saveAnswers } from '../device/saveAnswers';
import { saveStep } from '../lists/pages/syncState';
import { journal } from '../lists/pages/journal';
import { syncLists } from '../lists/core/syncLists';
import { outbox } from '../outbox/outbox';
import { followChanges, onHello } from '../server/live';
import { reachability } from '../server/reachability';
import { watchReachability } from '../server/watchReachability';
import { followUnsent } from './appBadge';
import type { Shop } from './shop';

/**
 * Keeps this device in sync with the server: sends waiting changes, receives changes by others, and saves data for
 * offline use. The first view needs none of it. This is where the outbox and the device storage are connected; neither
 * knows the other.
 * @returns a function that stops it
 */
export function startLiveUpdates({ queryClient }: Pick<Shop, 'queryClient'>): () => void {
  focusManager.setEventListener((onFocus) =>
    stopAll(
      listen(window, 'focus', () => onFocus()),
      listen(document, 'visibilitychange', () => onFocus()),
    ),
  );
  return stopAll(
    watchReachability(),
    outbox.start(),
    saveAnswers(queryClient),
    syncOrders(journal),
    saveStep(),
    syncLists(queryClient),
    onHello(() => void outbox.flush().catch(() => undefined)), // a chunk failed to load; the next hello tries again
    followChanges(queryClient, outbox.rested),
    followUnsent(),
    // refetch when our API is reachable again, not when the browser reports "online"
    reachability.subscribe(() => onlineManager.setOnline(reachability.isOnline())),
  );
}
