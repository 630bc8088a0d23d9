import { focusManager, onlineManager } from '@tanstack/react-query';
import { listen, stopAll } from '../browser/listen';
import { keepOrders } from '../device/orders';
import { saveAnswers } from '../device/saveAnswers';
import { keepStep } from '../kitchen/inStep';
import { journal } from '../kitchen/journal';
import { keepLists } from '../lists/keepLists';
import { outbox } from '../outbox/outbox';
import { followChanges, whenGreeted } from '../server/live';
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
export function keepInStep({ queryClient }: Pick<Shop, 'queryClient'>): () => void {
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
    keepOrders(journal),
    keepStep(),
    keepLists(queryClient),
    whenGreeted(() => void outbox.flush().catch(() => undefined)), // a part did not come: asked again next time
    followChanges(queryClient, outbox.rested),
    followUnsent(),
    // queries read again when the shop can be reached again, rather than when the browser thinks so
    reachability.subscribe(() => onlineManager.setOnline(reachability.isOnline())),
  );
}
