import { owedLogoutKey, owedLogoutLock } from '../../shared/deviceNames';
import { withLock } from '../browser/locks';
import { skipBody } from '../browser/skipBody';
import { readText, removeText, writeText } from '../browser/storage';
import { ApiError, noConnection } from './errors';
import { reachability } from './reachability';

/**
 * The road of every call: a logout that is owed goes first, and each answer says whether the shop can be reached. What
 * is answered by anything but our API (a café's login page, a proxy with no shop behind it) counts as no connection, and
 * is never read as data.
 */
export type Send = (request: Request) => Promise<Response>;

const origin = typeof location === 'undefined' ? 'http://localhost' : location.origin;
export const baseUrl = `${origin}/api`;

const answersWithinMs = 10_000;

let overNetwork: Send = (request) => fetch(request);

/** Where calls go instead of the network: for rendering pages inside the server. */
export const sendThrough = (other: Send): void => void (overNetwork = other);

const askHealth = (signal: AbortSignal) => new Request(`${origin}/healthz`, { signal, cache: 'no-store' });
reachability.askWith((signal) => send(askHealth(signal)).then(skipBody));

/**
 * @param carry takes the request over the network
 * @throws ApiError no_connection when no answer of ours came, or a logout that goes before it could not be done
 */
export async function send(request: Request, carry = overNetwork): Promise<Response> {
  let response: Response | undefined;
  try {
    await sendPendingLogout(request.signal);
    response = await carry(request);
  } catch (error) {
    if (request.signal.aborted && (error as Error).name === 'AbortError') throw error; // the caller aborted it
  }
  if (response && isOurs(response)) {
    reachability.sawAnswer();
    return response;
  }
  void reachability.probe(); // to be sure; this may be its own call, which is under way
  throw noConnection();
}

/**
 * Sends a login or a refresh with a proof of this browser's key. Without a key, or the part that has it (it is loaded
 * when it is needed), the call goes as from a browser that can keep none.
 * @throws ApiError no_connection also when only the proof is missing that the session asks for: it has not ended
 */
export async function sendProven(request: Request): Promise<Response> {
  const part = await import('./proof').catch(() => undefined);
  const proven = await part?.sendWithProof(request, send);
  if (proven) return proven;
  const response = await send(request);
  const { code } = await ApiError.from(response.clone());
  if (code !== 'proof_required') return response;
  skipBody(response);
  throw noConnection();
}

/**
 * A logout without a connection: the app signs out at once and leaves this mark, which holds no personal data. Scripts
 * cannot delete the session cookies, so as soon as the shop is reachable, in any tab, the call that ends the session
 * goes before all others. Rule: docs/rules/accounts.md, Logging out
 */
export const savePendingLogout = (): void => void writeText(owedLogoutKey, 'yes');

const isOwed = (): boolean => readText(owedLogoutKey) !== undefined;
let paying: Promise<void> | undefined;

/** @throws what kept the logout from being done, or why the call that waits for it was given up */
async function sendPendingLogout(signal: AbortSignal): Promise<void> {
  if (!isOwed()) return;
  paying ??= withLock(owedLogoutLock, async () => {
    if (isOwed()) await endOwedSession();
  }).finally(() => (paying = undefined));
  const givenUp = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );
  await Promise.race([paying, givenUp]);
}

/** A foreign answer or a server error does not mean that the session has ended. */
async function endOwedSession(): Promise<void> {
  const response = await overNetwork(post('/auth/logout'));
  if (!isOurs(response) || response.status >= 500 || response.status === 429)
    throw new Error('the logout is still owed');
  removeText(owedLogoutKey);
}

/** @returns a call of the session itself, which its cookies carry */
export function post(path: '/auth/refresh-token' | '/auth/logout'): Request {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(answersWithinMs); // other calls, and other tabs, wait for this one
  return new Request(`${baseUrl}${path}`, { method: 'POST', credentials: 'include', headers, body: '{}', signal });
}

const isOurs = ({ status, headers }: Response): boolean =>
  status === 204 || /json|csv/.test(headers.get('content-type') ?? '');
