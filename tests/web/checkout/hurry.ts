import { onTestFinished, vi } from 'vitest';

/**
 * Until the test ends, what the page waits for by seconds takes milliseconds: the next try of a call that failed, and the
 * payment page, which comes a second after the order. The server, which runs in the same process, keeps its own time.
 */
export function hurry(): void {
  const wait = globalThis.setTimeout;
  const sooner = ((work: () => void, ms = 0, ...args: []) => {
    const isOfSeconds = ms >= 500 && ms <= 20_000;
    return wait(work, isOfSeconds && isAskedByPage() ? ms / 50 : ms, ...args);
  }) as typeof setTimeout;
  const hurried = vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner);
  onTestFinished(() => hurried.mockRestore());
}

/** Whether who sets the timer is code of the page, or the cache that reads for it. */
function isAskedByPage(): boolean {
  const callers = new Error('who waits').stack?.split('\n').slice(2, 7) ?? [];
  return callers.some((each) => /\/src\/web\/|\/query-core\//.test(each) && !each.includes('at async'));
}
