import { focusManager, onlineManager } from '@tanstack/react-query';
import { listen, stopAll } from '../browser/listen';
import { syncOrders } from '../device/orders';
import { saveAnswers } from '../device/saveAnswers';
import { saveStep } from '../kitchen/inStep';
import { journal } from '../kitchen/journal';
import { syncLists } from '../lists/syncLists';
import { outbox } from '../outbox/outbox';
import { followChanges, onHello } from '../server/live';
import { reachability } from '../server/reachability';
import { watchReachability } from '../server/watchReachability';
import { followUnsent } from './appBadge';
import type { Shop } from './shop';

/**
 * Keeps what this device has in step with the server: sends what waits, hears of what others change, saves what can be
 * read without a connection. None of it is needed for the first view. Here the outbox and what the device keeps come
 * together; neither knows the other.
 * @returns how to stop
 */
export function startLiveUpdates({ queryClient }: Pick<Shop, 'queryClient'>): () => void {
  focusManager.setEventListener((look) =>
    stopAll(
      listen(window, 'focus', () => look()),
      listen(document, 'visibilitychange', () => look()),
    ),
  );
  return stopAll(
    watchReachability(),
    outbox.start(),
    saveAnswers(queryClient),
    syncOrders(journal),
    saveStep(),
    syncLists(queryClient),
    onHello(() => void outbox.flush().catch(() => undefined)), // a part did not come: asked again next time
    followChanges(queryClient, outbox.rested),
    followUnsent(),
    // queries read again when the shop can be reached again, rather than when the browser thinks so
    reachability.subscribe(() => onlineManager.setOnline(reachability.isOnline())),
  );
}
