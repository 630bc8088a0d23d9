// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../../src/web/browser/throttle';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('of a burst the first call runs immediately, and one more for all that came meanwhile', () => {
  const work = vi.fn();
  const { request } = throttle(250, work);
  for (let times = 0; times < 40; times += 1) request();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(250);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(2);
  request();
  expect(work).toHaveBeenCalledTimes(3);
});

test('a call after unsubscribing does not run', () => {
  const work = vi.fn();
  const { request, stop } = throttle(250, work);
  request();
  request();
  stop();
  vi.advanceTimersByTime(250);
  expect(work).toHaveBeenCalledTimes(1);
});
