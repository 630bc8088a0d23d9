import { sessionChannel, sessionRefreshLock } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { createChannel } from '../browser/channel';
import { withFreeLock, withLock } from '../browser/locks';
import { ApiError } from './errors';
import { post, sendProven } from './send';
import { session } from './session';

/**
 * Keeps the access token in memory only. Requests in this tab share one refresh; tabs take turns with a Web Lock and
 * send each other the new token. A tab that was just reloaded has no token and relies on the cookie.
 *
 * Rejected: storing it in sessionStorage, where any script could read it; refreshing on a timer, which wakes sleeping
 * tabs and still has to handle the 401.
 */
let token: string | undefined;
let refreshing: Promise<boolean> | undefined;
const otherTabs = createChannel<{ userId: string | undefined; token: string }>(sessionChannel);

otherTabs.subscribe((message) => {
  if (message.userId && message.userId === session.get()?.id) ({ token } = message);
});

export const accessToken = {
  get: () => token,
  set(next: string) {
    token = next;
    otherTabs.notify({ userId: session.get()?.id, token: next });
  },
  forget: () => void (token = undefined),
};

/** @returns the user ID in the token: another tab may have logged in another user before this tab was notified */
export function tokenOwner(): string | undefined {
  const payload = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  return attempt(() => (JSON.parse(atob(payload)) as { sub?: string }).sub);
}

/**
 * Gets a new access token after the server rejected `used`.
 * @param used the rejected request's token; undefined when it was sent with the cookie only
 * @returns false when the session is over
 * @throws ApiError when the server gave no clear answer
 */
export function renewToken(used: string | undefined): Promise<boolean> {
  if (isNewer(used)) return Promise.resolve(true); // another request has already refreshed it
  refreshing ??= oneTabAtATime(async () => isNewer(used) || renew()).finally(() => (refreshing = undefined));
  return refreshing;
}

const isNewer = (used: string | undefined): boolean => token !== undefined && token !== used;

async function renew(): Promise<boolean> {
  const response = await sendProven(post('/auth/refresh-token'));
  const rejection = response.ok ? undefined : await ApiError.from(response);
  if (rejection?.status === 401) return false;
  if (rejection) throw rejection; // other errors don't mean that the session is over
  const { data } = (await response.json()) as { data: { authResponse: { jwt: string } } };
  accessToken.set(data.authResponse.jwt);
  return true;
}

const tokenWaitMs = 100;

/** One tab at a time. A tab that had to wait gives the other tab's token time to arrive. */
async function oneTabAtATime(work: () => Promise<boolean>): Promise<boolean> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, tokenWaitMs));
  return (await withFreeLock(sessionRefreshLock, work)) ?? withLock(sessionRefreshLock, () => pause().then(work));
}
