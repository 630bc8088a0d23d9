import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { throttle } from '../browser/throttle';

/** Counting a shelf offline produces about forty answers: rendered one by one, they take longer than the calls. */
const renderEveryMs = 200;

/**
 * While many changes are being sent, renders their results together a few times per second. Only rendering is delayed:
 * the outbox and the query cache are always up to date, and the caller that made a change is notified immediately.
 */
export function batchRenders(areMany: () => boolean) {
  const held: (() => void)[] = [];
  const renderNow = () => held.splice(0).forEach((draw) => draw());
  const drawing = throttle(renderEveryMs, renderNow);
  const later = (draw: () => void) => {
    held.push(draw);
    drawing.ask();
  };
  // queued renders go first
  notifyManager.setScheduler((draw) => defaultScheduler(() => (areMany() || held.length > 0 ? later(draw) : draw())));
  return {
    later: (draw: () => void): void => (areMany() ? later(draw) : draw()),
    now: renderNow,
    stop: (): void => {
      notifyManager.setScheduler(defaultScheduler);
      renderNow();
    },
  };
}
