const firstMs = 1000;
const longestMs = 60_000;

/**
 * How long to wait before the next try: twice as long after each failure, up to a minute, and shorter by up to half at
 * random, so that not all devices come back in the same moment.
 * @param failures how many tries failed, one after the other; at least 1
 */
export function retryAfterMs(failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
