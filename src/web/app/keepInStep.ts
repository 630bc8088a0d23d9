import { focusManager, onlineManager } from '@tanstack/react-query';
import { followChanges, whenOwnOrdersChange } from '../api/live';
import { session } from '../api/session';
import { outbox } from '../offline/outbox';
import { reachability, watchReachability } from '../offline/reachability';
import { saveAnswers } from '../offline/savedQueries';
import { saveOrders, sweepOrders } from '../offline/savedOrders';
import type { Shop } from './shop';

/**
 * Keeps what this device has in step with the server: sends what waits, hears of what others change, saves what can be
 * read without a connection. None of it is needed for the first view.
 * @returns how to stop
 */
export function keepInStep({ queryClient }: Shop): () => void {
  let savedFor: string | undefined;
  let hasFailed = false;
  const saveTheirOrders = () => {
    savedFor = session.get()?.id;
    hasFailed = false;
    if (savedFor !== undefined) void saveOrders(savedFor).catch(() => (hasFailed = true));
  };
  const saveIfFailed = () => {
    if (hasFailed && reachability.isOnline()) saveTheirOrders();
  };
  void sweepOrders().catch(() => undefined); // what cannot be opened has nothing to sweep, or the next start comes
  saveTheirOrders();
  focusManager.setEventListener((look) => {
    const stops = [listen(window, 'focus', () => look()), listen(document, 'visibilitychange', () => look())];
    return () => stops.forEach((stop) => stop());
  });
  const stops = [
    watchReachability(),
    outbox.start(),
    saveAnswers(queryClient),
    followChanges(queryClient),
    session.subscribe(() => {
      if (session.get()?.id !== savedFor) saveTheirOrders();
    }),
    whenOwnOrdersChange(saveTheirOrders),
    reachability.subscribe(saveIfFailed),
    listen(window, 'focus', saveIfFailed),
    // queries read again when the shop can be reached again, rather than when the browser thinks so
    reachability.subscribe(() => onlineManager.setOnline(reachability.isOnline())),
  ];
  return () => stops.forEach((stop) => stop());
}

function listen(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}
