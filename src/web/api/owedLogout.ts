/**
 * A logout without a connection: the app signs out at once and leaves this mark, which says nothing about anybody. The
 * cookies, which no script can touch, are still there; so the call that ends the session goes before any other as soon
 * as the shop can be reached again, in whichever tab that is. Source: decisions §2
 */
const key = 'logout-owed';
let paying: Promise<void> | undefined;

export function oweLogout(): void {
  localStorage.setItem(key, 'yes');
}

/**
 * @param logOut makes the call; throws when the shop did not do it
 * @param signal of the call that waits for it
 * @returns when nothing is owed any more
 * @throws what `logOut` throws, or why the waiting call was given up
 */
export async function payLogout(logOut: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (!isOwed()) return;
  paying ??= inTurn(async () => {
    if (!isOwed()) return;
    await logOut();
    localStorage.removeItem(key);
  }).finally(() => {
    paying = undefined;
  });
  await Promise.race([paying, whenAborted(signal)]);
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

function isOwed(): boolean {
  try {
    return typeof localStorage !== 'undefined' && localStorage.getItem(key) !== null;
  } catch {
    return false; // where the browser keeps nothing, no session was kept either
  }
}

async function inTurn(work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined; // absent where the shop is not served securely
  await (locks ? locks.request(key, work) : work());
}
