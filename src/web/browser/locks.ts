/**
 * Web Locks: the tabs of a browser do some work one at a time. A lock ends with the tab that has it, however that ends.
 * Where the browser has none (a shop that is not served securely, the server itself) the work is done without.
 */
const findLocks = () => (typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined));

/**
 * Does the work when no other tab has the lock, and holds it until the work is done.
 * @param signal gives the waiting up
 * @throws what the work throws, or why the waiting was given up
 */
export async function withLock<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const locks = findLocks();
  return locks ? locks.request(name, signal ? { signal } : {}, work) : work();
}

/** Does the work if no other tab has the lock. @returns undefined when another tab has it */
export async function withFreeLock<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  const locks = findLocks();
  return locks ? locks.request(name, { ifAvailable: true }, async (lock) => (lock ? work() : undefined)) : work();
}
