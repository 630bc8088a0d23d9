import { onTestFinished, vi } from 'vitest';

/**
 * Until the test ends, the page's waits of seconds take milliseconds: the retry of a failed call, and the redirect to
 * the payment page a second after the order. The server, in the same process, keeps its own time.
 */
export function hurry(): void {
  const wait = globalThis.setTimeout;
  const sooner = ((work: () => void, ms = 0, ...args: []) => {
    const isOfSeconds = ms >= 500 && ms <= 20_000;
    return wait(work, isOfSeconds && isPauseOfPage() ? ms / 50 : ms, ...args);
  }) as typeof setTimeout;
  const hurried = vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner);
  onTestFinished(() => hurried.mockRestore());
}

/**
 * Whether the page pauses there: before it leaves for the payment, or before a retry. A limit, such as the time in
 * which the outbox must be sent, stays unchanged: on a busy machine a short one would expire.
 */
function isPauseOfPage(): boolean {
  const callers = new Error('who waits').stack?.split('\n').slice(2, 7) ?? [];
  return callers.some((each) => pauses.test(each) && !each.includes('at async'));
}

const pauses = /\/src\/web\/(?:checkout\/usePlacing|outbox\/openOutbox)\.|\/query-core\//;
