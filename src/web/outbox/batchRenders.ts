import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { throttle } from '../browser/throttle';

/** Counting a shelf offline produces about forty answers: rendered one by one, they take longer than the calls. */
const renderEveryMs = 200;

/**
 * While many changes are being sent, renders their results together a few times per second. Only rendering is delayed:
 * the outbox and the query cache are always up to date, and the caller that made a change is notified immediately.
 */
export function batchRenders(areMany: () => boolean) {
  const queued: (() => void)[] = [];
  const flush = () => queued.splice(0).forEach((render) => render());
  const rendering = throttle(renderEveryMs, flush);
  const later = (render: () => void) => {
    queued.push(render);
    rendering.request();
  };
  // queued renders go first
  notifyManager.setScheduler((render) =>
    defaultScheduler(() => (areMany() || queued.length > 0 ? later(render) : render())),
  );
  return {
    later: (render: () => void): void => (areMany() ? later(render) : render()),
    now: flush,
    stop: (): void => {
      notifyManager.setScheduler(defaultScheduler);
      flush();
    },
  };
}
