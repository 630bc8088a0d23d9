import createClient from 'openapi-fetch';
import type { paths } from '../../shared/contract.gen';
import { accessToken, renewToken } from './accessToken';
import { ApiError } from './apiError';
import { session } from './session';

/**
 * Typed calls of the contract. A refusal arrives as ApiError. A call that is refused for its token gets a new one and is
 * sent once more; when there is no new one the session is over.
 */
const baseUrl = `${typeof location === 'undefined' ? 'http://localhost' : location.origin}/api`;

type Send = (request: Request) => Promise<Response>;
let send: Send = (request) => fetch(request);
let onExpired = (): void => undefined;

/** Where calls go instead of the network: for rendering pages inside the server. */
export function sendThrough(other: Send): void {
  send = other;
}

/** Calls `listener` when the server ended the session, after it was cleared. */
export function whenSessionExpires(listener: () => void): void {
  onExpired = listener;
}

export const api = createClient<paths>({ baseUrl, credentials: 'include', fetch: authorizedFetch });

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
  throw new ApiError(response.status, { message: failure, ...(typeof error === 'object' && error) });
}

async function authorizedFetch(request: Request): Promise<Response> {
  const replay = request.clone(); // a body can be read once only
  const used = accessToken.get();
  const userId = session.get()?.id;
  const response = await send(withToken(request, used));
  if (response.status !== 401 || !userId || isAboutTheSessionItself(request)) return response;
  const isRenewed = await renewToken(used, refresh);
  if (session.get()?.id !== userId) return response; // somebody else signed in meanwhile: it is not theirs to send
  if (isRenewed) return send(withToken(replay, accessToken.get()));
  if (session.get()) {
    // the first of the calls that waited ends it for all
    session.clear();
    onExpired();
  }
  return response;
}

/** A wrong password is no reason to refresh; nor is a logout. */
function isAboutTheSessionItself(request: Request): boolean {
  return new URL(request.url).pathname.startsWith('/api/auth/');
}

function refresh(): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return send(
    new Request(`${baseUrl}/auth/refresh-token`, { method: 'POST', credentials: 'include', headers, body: '{}' }),
  );
}

function withToken(request: Request, token: string | undefined): Request {
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  return request;
}
