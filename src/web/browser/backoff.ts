const firstDelayMs = 1000;
const maxDelayMs = 60_000;

/**
 * Delay before the next attempt: doubles after each failure, up to a minute, with random jitter of up to half, so that
 * not all devices return at the same moment.
 * @param failures consecutive failures; at least 1
 */
export function retryAfterMs(failures: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
