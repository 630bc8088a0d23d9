/** Kills one of several processes after the other, while a chaos run goes on with the rest. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @param kill resolves when the process is ready again
 * @param everyMs milliseconds from then to the next kill
 */
export function createUnrest(kill: () => Promise<unknown>, everyMs: number) {
  let ending: AbortController | undefined;
  let working = Promise.resolve();
  let kills = 0;
  const work = async ({ signal }: AbortController) => {
    while (!signal.aborted) {
      await kill();
      kills++;
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    kills: () => kills,
    /** Starts with an immediate kill; does nothing when already started. */
    begin() {
      if (ending) return;
      ending = new AbortController();
      working = work(ending);
      working.catch(() => undefined); // `end` throws the error
    },
    /** Resolves when all processes are ready. @throws Error when one did not come back */
    async end() {
      ending?.abort();
      ending = undefined;
      await working;
    },
  };
}
