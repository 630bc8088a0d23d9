import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { atMostEvery } from '../browser/atMostEvery';

/** A shelf that was counted without a connection is forty answers: drawn one by one, they take longer than the calls. */
const drawsEveryMs = 200;

/**
 * While many changes are sent, draws what became of them together, a few times per second. Only the drawing waits: who
 * looks at the outbox or the query cache finds what is so by then, and who made a change is told at once.
 */
export function drawTogether(areMany: () => boolean) {
  const held: (() => void)[] = [];
  const drawNow = () => held.splice(0).forEach((draw) => draw());
  const drawing = atMostEvery(drawsEveryMs, drawNow);
  const later = (draw: () => void) => {
    held.push(draw);
    drawing.ask();
  };
  // what is held goes first
  notifyManager.setScheduler((draw) => defaultScheduler(() => (areMany() || held.length > 0 ? later(draw) : draw())));
  return {
    later: (draw: () => void): void => (areMany() ? later(draw) : draw()),
    now: drawNow,
    stop: (): void => {
      notifyManager.setScheduler(defaultScheduler);
      drawNow();
    },
  };
}
