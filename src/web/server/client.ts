import createClient from 'openapi-fetch';
import type { paths } from '../../shared/contract.gen';
import { discardBody } from '../browser/discardBody';
import { createEvent } from '../browser/store';
import { accessToken, renewToken, tokenOwner } from './accessToken';
import { ApiError, type Duty, dutyByCode } from './errors';
import { baseUrl, send, type Send } from './send';
import { session } from './session';

/**
 * Typed client of the contract. Errors are thrown as ApiError. A call whose token was rejected is retried once with a
 * new token; if none is issued, the session is over. send.ts does the transport.
 */
export const api = createClient<paths>({ baseUrl, credentials: 'include', fetch: authorized() });

/** Calls without a session, even when a user is signed in. */
export const apiForVisitors = createClient<paths>({ baseUrl, credentials: 'omit', fetch: (request) => send(request) });

const userMust = createEvent<[Duty | 'log_in']>();

/**
 * Calls `listener` when the server rejects calls until the user has fulfilled a duty, or, with 'log_in', when it ended
 * the session, which is cleared first. @returns a function that unsubscribes
 */
export const whenUserMust = userMust.subscribe;

/**
 * @param call the result of `api.GET`, `api.POST` etc.
 * @param failure the message if the response has none
 * @returns the response's `data`
 * @throws ApiError when the server responded with an error
 */
export async function answer<T>(
  call: Promise<{ data?: { data: T }; response: Response; error?: unknown }>,
  failure = '',
): Promise<T> {
  const { data, error, response } = await call;
  if (data) return data.data;
  const rejection = new ApiError(response.status, { message: failure, ...(typeof error === 'object' && error) });
  const duty = dutyByCode[rejection.code];
  if (duty) userMust.notify(duty);
  throw rejection;
}

/**
 * Makes sure that calls use this user's session, with a token if necessary: the cookie could be another user's by now.
 * @returns false when that user's session is over
 * @throws ApiError when the server gave no clear answer
 */
export async function ensureSessionOf(userId: string): Promise<boolean> {
  if (session.get()?.id !== userId) return false;
  if (!accessToken.get() && !(await renewToken(undefined))) endSession(userId);
  return session.get()?.id === userId && tokenOwner() === userId;
}

/**
 * Gets a new token for the cookie and the header, or ends the session.
 * @param refused the rejected token; nothing happens when there is already a newer one
 * @throws ApiError when the server gave no clear answer
 */
export async function renewSession(refused = { token: accessToken.get() }): Promise<void> {
  const userId = session.get()?.id;
  if (userId !== undefined && !(await renewToken(refused.token))) endSession(userId);
}

/**
 * @param transport does the transport instead of `fetch`
 * @returns a function that sends a request as the signed-in user
 */
export function authorized(transport?: Send): Send {
  return async (request) => {
    const replay = request.clone(); // a body can be read only once
    const used = accessToken.get();
    const userId = session.get()?.id;
    const response = await send(withToken(request), transport);
    if (response.status !== 401 || !userId || isSessionCall(request)) return response;
    const isRenewed = await renewToken(used);
    if (session.get()?.id !== userId) return response; // another user signed in meanwhile: don't retry as that user
    if (!isRenewed) endSession(userId);
    if (!isRenewed || tokenOwner() !== userId) return response;
    discardBody(response);
    return send(withToken(replay), transport);
  };
}

/** The first of several concurrent calls ends the session for all. */
function endSession(userId: string): void {
  if (session.get()?.id !== userId) return;
  session.clear();
  userMust.notify('log_in');
}

/**
 * A wrong password or a logout is no reason to refresh. The second-factor and email calls need a signed-in user, so
 * they refresh.
 */
function isSessionCall(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith('/api/auth/') && !/^\/api\/auth\/(?:second-factor|email)\//.test(pathname);
}

function withToken(request: Request): Request {
  const token = accessToken.get();
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
