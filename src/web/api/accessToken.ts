import { ApiError } from './apiError';
import { openChannel } from './channel';
import { session } from './session';

/**
 * The access token lives in memory only, and a new one is fetched at most once at a time: callers in this tab share one
 * flight, tabs take turns by a Web Lock and tell each other the new token. A tab that was just reloaded has none and
 * lets the cookie speak for it.
 *
 * Tried and dropped: keeping it in sessionStorage, where any script could read it; refreshing on a timer, which wakes
 * sleeping tabs and still has to handle the 401.
 */
type Refresh = () => Promise<Response>;

let token: string | undefined;
let flight: Promise<boolean> | undefined;
const otherTabs = openChannel('session');

export const accessToken = {
  get: () => token,
  set(next: string) {
    token = next;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    otherTabs?.postMessage({ userId: session.get()?.id, token: next });
  },
  forget() {
    token = undefined;
  },
};

/** @returns whose token it is: another tab may have signed in as somebody else, and this one not heard of it yet */
export function ownerOf(jwt: string | undefined): string | undefined {
  const payload = jwt?.split('.')[1];
  if (!payload) return undefined;
  try {
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: string };
    return sub;
  } catch {
    return undefined;
  }
}

otherTabs?.addEventListener('message', ({ data }: MessageEvent<{ userId?: string; token: string }>) => {
  if (data.userId && data.userId === session.get()?.id) token = data.token;
});

/**
 * Gets a new access token after `used` was refused.
 * @param used the token that the refused call carried; undefined when it went with the cookie alone
 * @param refresh asks the server; its cookie carries the refresh token
 * @returns false when the session is over
 * @throws ApiError when the server could not say
 */
export function renewToken(used: string | undefined, refresh: Refresh): Promise<boolean> {
  if (isNewer(used)) return Promise.resolve(true); // another call was quicker
  flight ??= inTurn(() => (isNewer(used) ? Promise.resolve(true) : ask(refresh))).finally(() => {
    flight = undefined;
  });
  return flight;
}

function isNewer(used: string | undefined): boolean {
  return token !== undefined && token !== used;
}

async function ask(refresh: Refresh): Promise<boolean> {
  const response = await refresh();
  if (response.status === 401) return false;
  if (!response.ok) throw await ApiError.from(response); // it did not say that the session is over
  const { data } = (await response.json()) as { data: { authResponse: { jwt: string } } };
  accessToken.set(data.authResponse.jwt);
  return true;
}

const lockName = 'session-refresh';
const tokenArrivesWithinMs = 100;

/** One tab at a time. The one that had to wait first gives the other's token time to arrive. */
async function inTurn(work: () => Promise<boolean>): Promise<boolean> {
  const locks = navigator.locks as LockManager | null | undefined; // absent where the shop is not served securely
  if (!locks) return work();
  const atOnce = await locks.request(lockName, { ifAvailable: true }, async (lock) => (lock ? work() : undefined));
  if (atOnce !== undefined) return atOnce;
  return locks.request(lockName, async () => {
    await new Promise((resolve) => setTimeout(resolve, tokenArrivesWithinMs));
    return work();
  });
}
