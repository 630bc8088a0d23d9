/**
 * Restarts the job runner when it stops working. graphile-worker's own runner can get stuck permanently without an
 * error: it caches the failure of its first database query, and it ends when it cannot release a job.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Logger } from 'pino';
import { describeFailure } from '../db/core/loggedErrors';

/** Counted over all workers. Each polls every two seconds. */
const failuresInARow = 12;
const retryAfterMs = 2_000;
/** How long a stuck runner may take to finish its jobs before the next one starts beside it. */
const stopWithinMs = 5_000;

/**
 * @param start starts a runner
 * @throws when the first one cannot be started
 */
export async function superviseRunner(
  start: () => Promise<Runner>,
  logger: Logger,
): Promise<{ first: Runner; stop: () => Promise<void> }> {
  const ending = new AbortController();
  const first = await start();
  let runner: Runner | undefined = first;

  const supervise = async () => {
    for (; runner; runner = await restart()) {
      const failure = await Promise.race([whenStuck(runner), whenAborted(ending.signal)]);
      if (ending.signal.aborted) return;
      logger.error({ failure: describeFailure(failure) }, 'the job runner is stuck; starting a new one');
      await Promise.race([stop(runner), pause(stopWithinMs, undefined, { ref: false })]);
    }
  };
  /** @returns undefined when the shop stops before the runner could be started */
  const restart = async (): Promise<Runner | undefined> => {
    while (!ending.signal.aborted) {
      const next = await start().catch((error: unknown) => {
        logger.error({ failure: describeFailure(error) }, "couldn't start the job runner");
        return pause(retryAfterMs, undefined, { signal: ending.signal }).catch(() => undefined);
      });
      if (next) return next;
    }
    return undefined;
  };
  const supervising = supervise();

  return {
    first,
    async stop() {
      ending.abort();
      await supervising;
      if (runner) await stop(runner);
    },
  };
}

/** Resolves with the reason once `runner` has stopped working. */
function whenStuck({ events, promise }: Runner): Promise<unknown> {
  return new Promise((resolve) => {
    let failures = 0;
    events.on('worker:getJob:error', ({ error }) => {
      failures += 1;
      if (failures >= failuresInARow) resolve(error);
    });
    events.on('worker:getJob:empty', () => (failures = 0));
    events.on('job:start', () => (failures = 0));
    promise.then(() => resolve(new Error('the job runner stopped unexpectedly')), resolve);
  });
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** A runner that ended by itself rejects a stop. */
const stop = (runner: Runner): Promise<void> => runner.stop().catch(() => undefined);
