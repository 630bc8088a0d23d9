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
 * @param logOut makes the call; throws when it was not answered
 * @returns when nothing is owed any more
 */
export async function payLogout(logOut: () => Promise<unknown>): Promise<void> {
  if (!isOwed()) return;
  paying ??= inTurn(async () => {
    if (!isOwed()) return;
    await logOut();
    localStorage.removeItem(key);
  }).finally(() => {
    paying = undefined;
  });
  await paying;
}

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
