import { sessionChannel, sessionRefreshLock } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { createChannel } from '../browser/channel';
import { withFreeLock, withLock } from '../browser/locks';
import { ApiError } from './errors';
import { post, sendProven } from './send';
import { session } from './session';

/**
 * The access token is kept in memory only, and refreshed once at a time: callers in this tab share one request, and
 * tabs take turns by a Web Lock and send each other the new token. A tab that was just reloaded has none and relies on
 * the cookie.
 *
 * Tried and dropped: keeping it in sessionStorage, where any script could read it; refreshing on a timer, which wakes
 * sleeping tabs and still has to handle the 401.
 */
let token: string | undefined;
let flight: Promise<boolean> | undefined;
const otherTabs = createChannel<{ userId: string | undefined; token: string }>(sessionChannel);

otherTabs.subscribe((heard) => {
  if (heard.userId && heard.userId === session.get()?.id) ({ token } = heard);
});

export const accessToken = {
  get: () => token,
  set(next: string) {
    token = next;
    otherTabs.tell({ userId: session.get()?.id, token: next });
  },
  forget: () => void (token = undefined),
};

/** @returns the token's user: another tab may have signed in as somebody else before this tab was notified */
export function tokenOwner(): string | undefined {
  const payload = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
  return attempt(() => (JSON.parse(atob(payload)) as { sub?: string }).sub);
}

/**
 * Gets a new access token after `used` was refused.
 * @param used the token that the refused call carried; undefined when it went with the cookie alone
 * @returns false when the session is over
 * @throws ApiError when the server could not say
 */
export function renewToken(used: string | undefined): Promise<boolean> {
  if (isNewer(used)) return Promise.resolve(true); // another call has refreshed already
  flight ??= inTurn(async () => isNewer(used) || renew()).finally(() => (flight = undefined));
  return flight;
}

const isNewer = (used: string | undefined): boolean => token !== undefined && token !== used;

async function renew(): Promise<boolean> {
  const response = await sendProven(post('/auth/refresh-token'));
  const rejection = response.ok ? undefined : await ApiError.from(response);
  if (rejection?.status === 401) return false;
  if (rejection) throw rejection; // this answer does not mean that the session is over
  const { data } = (await response.json()) as { data: { authResponse: { jwt: string } } };
  accessToken.set(data.authResponse.jwt);
  return true;
}

const tokenArrivesWithinMs = 100;

/** One tab at a time. A tab that had to wait first gives the other tab's token time to arrive. */
async function inTurn(work: () => Promise<boolean>): Promise<boolean> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, tokenArrivesWithinMs));
  return (await withFreeLock(sessionRefreshLock, work)) ?? withLock(sessionRefreshLock, () => pause().then(work));
}
