import createClient from 'openapi-fetch';
import type { paths } from '../../shared/contract.gen';
import { reachability } from '../offline/reachability';
import { accessToken, ownerOf, renewToken } from './accessToken';
import { ApiError } from './apiError';
import { type Duty, dutyByCode } from './duties';
import { payLogout } from './owedLogout';
import { session } from './session';

/**
 * Typed calls of the contract. A refusal arrives as ApiError. A call that is refused for its token gets a new one and is
 * sent once more; when there is no new one the session is over. What is answered by anything but our API (a café's login
 * page, a proxy with no shop behind it) counts as no connection, and is never read as data.
 */
const origin = typeof location === 'undefined' ? 'http://localhost' : location.origin;
const baseUrl = `${origin}/api`;

const answersWithinMs = 10_000;

type Send = (request: Request) => Promise<Response>;
let sendAnyhow: Send = (request) => fetch(request);
let onExpired = (): void => undefined;
let onDuty = (_duty: Duty): void => undefined;

/** Where calls go instead of the network: for rendering pages inside the server. */
export function sendThrough(other: Send): void {
  sendAnyhow = other;
}

/** Calls `listener` when the server ended the session, after it was cleared. */
export function whenSessionExpires(listener: () => void): void {
  onExpired = listener;
}

/** Calls `listener` when the server refused a call until its user has done something first. */
export function whenDutyIsOwed(listener: (duty: Duty) => void): void {
  onDuty = listener;
}

export const api = createClient<paths>({ baseUrl, credentials: 'include', fetch: authorizedFetch });

/** Calls in nobody's name, whoever is signed in. */
export const apiForVisitors = createClient<paths>({ baseUrl, credentials: 'omit', fetch: send });

reachability.askWith((signal) => send(new Request(`${origin}/healthz`, { signal, cache: 'no-store' })));

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
  const refusal = new ApiError(response.status, { message: failure, ...(typeof error === 'object' && error) });
  const duty = dutyByCode[refusal.code];
  if (duty) onDuty(duty);
  throw refusal;
}

/**
 * Makes sure that calls go in this user's name, with a token if need be: a cookie could be somebody else's by now.
 * @returns false when that user's session is over
 * @throws ApiError when the server could not say
 */
export async function speaksFor(userId: string): Promise<boolean> {
  if (session.get()?.id !== userId) return false;
  if (!accessToken.get() && !(await renewToken(undefined, refresh))) endSession(userId);
  return session.get()?.id === userId && ownerOf(accessToken.get()) === userId;
}

/** Gets a new token for the cookie and for the header, or ends the session. @throws ApiError when the server could not say */
export async function renewSession(): Promise<void> {
  const userId = session.get()?.id;
  if (userId !== undefined && !(await renewToken(accessToken.get(), refresh))) endSession(userId);
}

async function authorizedFetch(request: Request): Promise<Response> {
  const replay = request.clone(); // a body can be read once only
  const used = accessToken.get();
  const userId = session.get()?.id;
  const response = await send(withToken(request, used));
  if (response.status !== 401 || !userId || isAboutTheSessionItself(request)) return response;
  const isRenewed = await renewToken(used, refresh);
  if (session.get()?.id !== userId) return response; // somebody else signed in meanwhile: it is not theirs to send
  if (!isRenewed) endSession(userId);
  else if (ownerOf(accessToken.get()) === userId) return send(withToken(replay, accessToken.get()));
  return response;
}

/** The first of the calls that waited ends it for all. */
function endSession(userId: string): void {
  if (session.get()?.id !== userId) return;
  session.clear();
  onExpired();
}

/** A wrong password is no reason to refresh; nor is a logout. The second factor is set up by somebody signed in. */
function isAboutTheSessionItself(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith('/api/auth/') && !pathname.startsWith('/api/auth/second-factor/');
}

function refresh(): Promise<Response> {
  return send(post('/auth/refresh-token'));
}

function post(path: string): Request {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(answersWithinMs); // other calls, and other tabs, wait for this one
  return new Request(`${baseUrl}${path}`, { method: 'POST', credentials: 'include', headers, body: '{}', signal });
}

function withToken(request: Request, token: string | undefined): Request {
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

/** @throws ApiError no_connection when no answer of ours came, or a logout that goes before it could not be done */
async function send(request: Request): Promise<Response> {
  const isProbe = new URL(request.url).pathname === '/healthz';
  let response: Response | undefined;
  try {
    await payLogout(endOwedSession, request.signal);
    response = await sendAnyhow(request);
  } catch (error) {
    if (request.signal.aborted && (error as Error).name === 'AbortError') throw error; // nobody wants it any more
  }
  if (response && isOurs(response)) {
    reachability.sawAnswer();
    return response;
  }
  if (!isProbe) reachability.sawFailure();
  throw new ApiError(0, { code: 'no_connection' });
}

/** An answer that is none of ours, or the server's trouble, ended no session. */
async function endOwedSession(): Promise<void> {
  const response = await sendAnyhow(post('/auth/logout'));
  if (!isOurs(response) || response.status >= 500 || response.status === 429)
    throw new Error('the logout is still owed');
}

function isOurs({ status, headers }: Response): boolean {
  return status === 204 || /json|csv/.test(headers.get('content-type') ?? '');
}
