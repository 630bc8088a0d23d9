import createClient from 'openapi-fetch';
import type { paths } from '../../shared/contract.gen';
import { skipBody } from '../browser/skipBody';
import { createEvent } from '../browser/store';
import { accessToken, renewToken, tokenOwner } from './accessToken';
import { ApiError, type Duty, dutyByCode } from './errors';
import { baseUrl, send, type Send } from './send';
import { session } from './session';

/**
 * Typed calls of the contract. A refusal arrives as ApiError. A call that is refused for its token gets a new one and is
 * sent once more; when there is no new one the session is over. How a call gets to the shop stands in send.ts.
 */
export const api = createClient<paths>({ baseUrl, credentials: 'include', fetch: authorized() });

/** Calls without a session, whoever is signed in. */
export const apiForVisitors = createClient<paths>({ baseUrl, credentials: 'omit', fetch: (request) => send(request) });

const userMust = createEvent<[Duty | 'log_in']>();

/**
 * Calls `listener` when the server refused a call until its user has done something first; when it ended the session,
 * which is cleared then, that is to log in. @returns how to stop listening
 */
export const whenUserMust = userMust.subscribe;

/**
 * @param call what `api.GET` and its sisters give
 * @param failure what is said when the answer says nothing
 * @returns the `data` of the answer
 * @throws ApiError when the server refused
 */
export async function answer<T>(
  call: Promise<{ data?: { data: T }; response: Response; error?: unknown }>,
  failure = '',
): Promise<T> {
  const { data, error, response } = await call;
  if (data) return data.data;
  const rejection = new ApiError(response.status, { message: failure, ...(typeof error === 'object' && error) });
  const duty = dutyByCode[rejection.code];
  if (duty) userMust.tell(duty);
  throw rejection;
}

/**
 * Makes sure that calls have this user's session, with a token if necessary: the cookie could be another user's by now.
 * @returns false when that user's session is over
 * @throws ApiError when the server could not say
 */
export async function speaksFor(userId: string): Promise<boolean> {
  if (session.get()?.id !== userId) return false;
  if (!accessToken.get() && !(await renewToken(undefined))) endSession(userId);
  return session.get()?.id === userId && tokenOwner() === userId;
}

/**
 * Gets a new token for the cookie and for the header, or ends the session.
 * @param refused what the server did not take: when there is a newer one already, nothing is asked
 * @throws ApiError when the server could not say
 */
export async function renewSession(refused = { token: accessToken.get() }): Promise<void> {
  const userId = session.get()?.id;
  if (userId !== undefined && !(await renewToken(refused.token))) endSession(userId);
}

/**
 * @param carry takes the request over the network, where that is not `fetch`
 * @returns what sends a request in the name of whoever is signed in
 */
export function authorized(carry?: Send): Send {
  return async (request) => {
    const replay = request.clone(); // a body can be read only once
    const used = accessToken.get();
    const userId = session.get()?.id;
    const response = await send(withToken(request), carry);
    if (response.status !== 401 || !userId || isAboutTheSessionItself(request)) return response;
    const isRenewed = await renewToken(used);
    if (session.get()?.id !== userId) return response; // another user signed in meanwhile: no retry in their name
    if (!isRenewed) endSession(userId);
    if (!isRenewed || tokenOwner() !== userId) return response;
    skipBody(response);
    return send(withToken(replay), carry);
  };
}

/** The first waiting call ends the session for all. */
function endSession(userId: string): void {
  if (session.get()?.id !== userId) return;
  session.clear();
  userMust.tell('log_in');
}

/** A wrong password is no reason to refresh; nor is a logout. Second factor and email are confirmed by a signed-in user. */
function isAboutTheSessionItself(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith('/api/auth/') && !/^\/api\/auth\/(?:second-factor|email)\//.test(pathname);
}

function withToken(request: Request): Request {
  const token = accessToken.get();
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
