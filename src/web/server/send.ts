import { owedLogoutKey, owedLogoutLock } from '../../shared/deviceNames';
import { withLock } from '../browser/locks';
import { discardBody } from '../browser/discardBody';
import { readText, removeText, writeText } from '../browser/storage';
import { ApiError, noConnection } from './errors';
import { reachability } from './reachability';

/**
 * The transport of every call: a pending logout goes first, and each response updates the reachability. A response that
 * isn't from our API (a captive portal's login page, a proxy without the shop behind it) counts as no connection, and
 * is never read as data.
 */
export type Send = (request: Request) => Promise<Response>;

const origin = typeof location === 'undefined' ? 'http://localhost' : location.origin;
export const baseUrl = `${origin}/api`;

const timeoutMs = 10_000;

let network: Send = (request) => fetch(request);

/** Replaces the network, for rendering pages on the server. */
export const replaceNetwork = (other: Send): void => void (network = other);

const healthRequest = (signal: AbortSignal) => new Request(`${origin}/healthz`, { signal, cache: 'no-store' });
reachability.probeWith((signal) => send(healthRequest(signal)).then(discardBody));

/**
 * @param transport does the transport
 * @throws ApiError no_connection when our API didn't respond, or a pending logout failed
 */
export async function send(request: Request, transport = network): Promise<Response> {
  let response: Response | undefined;
  try {
    await sendPendingLogout(request.signal);
    response = await transport(request);
  } catch (error) {
    if (request.signal.aborted && (error as Error).name === 'AbortError') throw error; // aborted by the caller
  }
  if (response && isFromOurApi(response)) {
    reachability.noteAnswer();
    return response;
  }
  void reachability.probe(); // to confirm; the failed request may be the probe itself, which is still in flight
  throw noConnection();
}

/**
 * Sends a login or refresh with a proof of this browser's key. Without a key, or when the chunk fails to load, it is
 * sent without proof.
 * @throws ApiError no_connection also when the session requires a proof and we have none: the session has not ended
 */
export async function sendProven(request: Request): Promise<Response> {
  const part = await import('./proof').catch(() => undefined);
  const proven = await part?.sendWithProof(request, send);
  if (proven) return proven;
  const response = await send(request);
  const { code } = await ApiError.from(response.clone());
  if (code !== 'proof_required') return response;
  discardBody(response);
  throw noConnection();
}

/**
 * A logout while offline: the app logs out immediately and leaves this mark, which contains no personal data. Scripts
 * can't delete the session cookies, so as soon as the shop is reachable, in any tab, the call that ends the session is
 * sent before all others. Rule: docs/rules/accounts.md, Logging out
 */
export const savePendingLogout = (): void => void writeText(owedLogoutKey, 'yes');

const isLogoutPending = (): boolean => readText(owedLogoutKey) !== undefined;
let sendingLogout: Promise<void> | undefined;

/** @throws the logout's error, or the abort reason of the call that waits for it */
async function sendPendingLogout(signal: AbortSignal): Promise<void> {
  if (!isLogoutPending()) return;
  sendingLogout ??= withLock(owedLogoutLock, async () => {
    if (isLogoutPending()) await endPendingSession();
  }).finally(() => (sendingLogout = undefined));
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );
  await Promise.race([sendingLogout, aborted]);
}

/** A response from elsewhere or a server error doesn't mean that the session has ended. */
async function endPendingSession(): Promise<void> {
  const response = await network(post('/auth/logout'));
  if (!isFromOurApi(response) || response.status >= 500 || response.status === 429)
    throw new Error("a logout hasn't been sent yet");
  removeText(owedLogoutKey);
}

/** @returns a call about the session itself, authenticated by its cookies */
export function post(path: '/auth/refresh-token' | '/auth/logout'): Request {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(timeoutMs); // other calls, and other tabs, wait for this one
  return new Request(`${baseUrl}${path}`, { method: 'POST', credentials: 'include', headers, body: '{}', signal });
}

const isFromOurApi = ({ status, headers }: Response): boolean =>
  status === 204 || /json|csv/.test(headers.get('content-type') ?? '');
