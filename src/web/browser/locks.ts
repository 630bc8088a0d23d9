/**
 * Web Locks: the browser's tabs take turns. A lock is released when its tab closes or crashes. Without Web Locks (an
 * insecure origin, or the server itself) the work runs without a lock.
 */
const findLocks = () => (typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined));

/**
 * Waits for the lock, then runs the work while holding it.
 * @param signal cancels the wait
 * @throws the work's error, or the signal's reason
 */
export async function withLock<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const locks = findLocks();
  return locks ? locks.request(name, signal ? { signal } : {}, work) : work();
}

/** Runs the work if no other tab holds the lock. @returns undefined when another tab holds it */
export async function withFreeLock<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  const locks = findLocks();
  return locks ? locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : undefined)) : work();
}
