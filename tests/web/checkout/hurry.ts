import { onTestFinished, vi } from 'vitest';

/**
 * Until the test ends, what waits for seconds waits for milliseconds: the next try of a call that failed, and the payment
 * page, which comes a second after the order.
 */
export function hurry(): void {
  const wait = globalThis.setTimeout;
  const isOfSeconds = (ms: number) => ms >= 500 && ms <= 20_000;
  const sooner = ((work: () => void, ms = 0, ...args: []) =>
    wait(work, isOfSeconds(ms) ? ms / 50 : ms, ...args)) as typeof setTimeout;
  const hurried = vi.spyOn(globalThis, 'setTimeout').mockImplementation(sooner);
  onTestFinished(() => hurried.mockRestore());
}
