import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { throttle } from '../browser/throttle';

/** A shelf that was counted without a connection is forty answers: drawn one by one, they take longer than the calls. */
const renderEveryMs = 200;

/**
 * While many changes are sent, draws what became of them together, a few times per second. Only the drawing waits: who
 * looks at the outbox or the query cache finds what is so by then, and who made a change is told at once.
 */
export function batchRenders(areMany: () => boolean) {
  const held: (() => void)[] = [];
  const renderNow = () => held.splice(0).forEach((draw) => draw());
  const drawing = throttle(renderEveryMs, renderNow);
  const later = (draw: () => void) => {
    held.push(draw);
    drawing.ask();
  };
  // what is held goes first
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
