/**
 * Keeps a job runner at work. graphile-worker's own can come to stand for good, and says nothing of it: it keeps the
 * failure of its first question to the database as the answer, and it ends when it cannot let go of a job. Then a new one
 * takes its place.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Logger } from 'pino';
import { describeFailure } from '../db/core/loggedErrors';

/** Of both workers together, each of which asks every two seconds. */
const failuresInARow = 6;
const tryAgainAfterMs = 2_000;
/** A runner that stands is given so long to finish its jobs before the next one begins beside it. */
const endsWithinMs = 5_000;

/**
 * @param start a runner
 * @throws when the first one cannot be started
 */
export async function superviseRunner(
  start: () => Promise<Runner>,
  logger: Logger,
): Promise<{ first: Runner; stop: () => Promise<void> }> {
  const ending = new AbortController();
  const first = await start();
  let runner: Runner | undefined = first;

  const keep = async () => {
    for (; runner; runner = await startAgain()) {
      const failure = await Promise.race([whenStanding(runner), whenAborted(ending.signal)]);
      if (ending.signal.aborted) return;
      logger.error({ failure: describeFailure(failure) }, 'the job runner stands still: another one takes its place');
      await Promise.race([stop(runner), pause(endsWithinMs, undefined, { ref: false })]);
    }
  };
  /** @returns undefined when the shop ends before it could be started */
  const startAgain = async (): Promise<Runner | undefined> => {
    while (!ending.signal.aborted) {
      const next = await start().catch((error: unknown) => {
        logger.error({ failure: describeFailure(error) }, 'the job runner could not be started');
        return pause(tryAgainAfterMs, undefined, { signal: ending.signal }).catch(() => undefined);
      });
      if (next) return next;
    }
    return undefined;
  };
  const kept = keep();

  return {
    first,
    async stop() {
      ending.abort();
      await kept;
      if (runner) await stop(runner);
    },
  };
}

/** @returns why `runner` does nothing any more, once that is so */
function whenStanding({ events, promise }: Runner): Promise<unknown> {
  return new Promise((resolve) => {
    let failures = 0;
    events.on('worker:getJob:error', ({ error }) => {
      failures += 1;
      if (failures >= failuresInARow) resolve(error);
    });
    events.on('worker:getJob:empty', () => (failures = 0));
    events.on('job:start', () => (failures = 0));
    promise.then(() => resolve(new Error('the job runner ended by itself')), resolve);
  });
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** One that ended by itself refuses to be stopped. */
const stop = (runner: Runner): Promise<void> => runner.stop().catch(() => undefined);
