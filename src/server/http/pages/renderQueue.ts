/**
 * Renders pages one at a time. A page blocks the process for about 10 ms. Networks take turns, and after each page
 * rendering pauses for as long as the page took, so pages use at most half of the process. Rule: docs/rules/running.md, Overload
 */
import { setTimeout as pause } from 'node:timers/promises';
import { TooManyWaiting } from '../../db/core/errors';
import { createFairQueue } from '../limits/fairQueue';

export type RenderQueue = ReturnType<typeof createRenderQueue>;

/** A page that waits longer than this for its data no longer blocks the next one. */
const longestTurnMs = 250;
const refuse = () => new TooManyWaiting();
const limits = { concurrency: 1, waiting: 200, ofNetwork: 50, ofAccount: 50, tooMany: refuse, full: refuse };

/** One queue per process. */
export function createRenderQueue() {
  const queue = createFairQueue(limits);
  let freeUntil = 0;

  /** @throws TooManyWaiting, or the errors of `render` */
  return async function inTurn<T>(network: string, draw: () => Promise<T>): Promise<T> {
    const rendering = await queue.run({ network, account: '' }, async () => {
      await pause(Math.max(0, freeUntil - performance.now()));
      const began = performance.now();
      const drawn = draw();
      await Promise.race([drawn.catch(() => undefined), pause(longestTurnMs, undefined, { ref: false })]);
      const ended = performance.now();
      freeUntil = ended + (ended - began);
      return { drawn };
    });
    return rendering.drawn;
  };
}
