/** The API under /v1: authentication, routing, one response per idempotency key; every response is on disk before it is sent. */
import { setTimeout as pause } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from './apiError';
import { BodyTooLarge, goneSignal, readBody, sendJson } from './exchange';
import { expand } from './expand';
import type { Fault, Faults } from './faults';
import { decodeForm } from './form';
import { fingerprintOf, type IdempotencyKeys } from './idempotency';
import { newId } from './ids';
import { Params } from './params';
import { apiVersion, type Provider } from './provider';
import { findRoute } from './routes';
import { isSameSecret } from './secrets';
import { NotWritten, readSettled } from './settled';

type Parts = {
  provider: Provider;
  secretKey: string;
  keys: IdempotencyKeys;
  faults: Faults;
  /** Resolves once everything done so far is on disk; then starts due deliveries. */
  settle: () => Promise<void>;
};

type HttpCall = { method: string; url: URL; body: string; requestId: string; key: string | undefined };
type ApiResponse = { status: number; body: string; headers: Record<string, string> };

const maxBodyBytes = 1024 * 1024;
const dripMs = 250;

export function createApi(
  parts: Parts,
): (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> {
  const { keys, faults } = parts;

  return async (request, response, url) => {
    const gone = goneSignal(response);
    const call: HttpCall = { method: request.method ?? '', url, body: '', requestId: newId('req_'), key: undefined };
    setHeaders(request, response, call.requestId);
    let fault: Fault | undefined;
    let work: () => ApiResponse;
    let hasStarted = false;
    try {
      authenticate(request, parts.secretKey);
      call.body = await readBody(request, response, maxBodyBytes);
      call.key = call.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined;
      fault = faults.take(call.method, url.pathname);
      throwFault(fault, request);
      const stored = findStored(parts, call);
      hasStarted = !stored;
      work = () => stored ?? respondToNew(parts, call, fault);
    } catch (error) {
      work = () => rejection(error);
    }
    const answer = await respondWhenSettled(parts, call, work);
    if (fault === 'hold') await faults.hold(gone);
    if (hasStarted && call.key !== undefined) keys.end(call.key);
    if (!gone.aborted) await send(request, response, answer, fault, gone);
  };
}

/** Sends each response only after its changes are on disk. */
async function respondWhenSettled(
  { settle }: Parts,
  { method }: HttpCall,
  work: () => ApiResponse,
): Promise<ApiResponse> {
  const answerOf = () => {
    try {
      return work();
    } catch (error) {
      return rejection(error);
    }
  };
  if (method === 'GET') return readSettled(settle, answerOf).catch(rejection);
  const answer = answerOf();
  return settle().then(
    () => answer,
    () => rejection(new NotWritten()),
  );
}

/** Responds to URLs that neither the API nor the payment pages have. */
export async function respondUnknown(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  setHeaders(request, response, newId('req_'));
  const { status, body } = rejection(unrecognized(request.method ?? '', url.pathname));
  sendJson(response, status, body);
}

function setHeaders(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  response.setHeader('Request-Id', requestId);
  response.setHeader('Stripe-Version', headerOf(request, 'stripe-version') ?? apiVersion);
  const key = headerOf(request, 'idempotency-key');
  if (key !== undefined) response.setHeader('Idempotency-Key', key);
}

function authenticate(request: IncomingMessage, secretKey: string): void {
  const [scheme, credentials = ''] = (headerOf(request, 'authorization') ?? '').split(' ');
  const isBasic = scheme?.toLowerCase() === 'basic';
  const credential = isBasic ? Buffer.from(credentials, 'base64').toString().split(':')[0]! : credentials;
  if (credential === '') {
    const message =
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
    throw new ApiError(401, message);
  }
  if (!isSameSecret(credential, secretKey))
    throw new ApiError(401, `Invalid API Key provided: ****${credential.slice(-4)}`);
}

/** Returns the response stored under the call's idempotency key; if there is none, locks the key. */
function findStored({ keys }: Parts, { method, url, body, key }: HttpCall): ApiResponse | undefined {
  if (key === undefined) return undefined;
  const entry = keys.begin(key, fingerprintOf(method, url.pathname, body));
  return (
    entry && {
      status: entry.status,
      body: entry.body,
      headers: { 'Idempotent-Replayed': 'true', 'Original-Request': entry.requestId },
    }
  );
}

/** Handles the call, and stores its response under the key in the same transaction. */
function respondToNew(parts: Parts, call: HttpCall, fault: Fault | undefined): ApiResponse {
  const { store } = parts.provider;
  const { key, method, url, requestId } = call;
  const keep = ({ status, body }: ApiResponse) => {
    if (key === undefined) return;
    parts.keys.save(key, fingerprintOf(method, url.pathname, call.body), requestId, status, body);
  };
  try {
    return store.transact(() => {
      const answer = fault === '500' ? rejection(new Error('ordered')) : run(parts.provider, call);
      keep(answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    process.stderr.write(`test payment provider: ${error instanceof Error ? error.stack : String(error)}\n`);
    const answer = rejection(error);
    store.transact(() => keep(answer));
    return answer;
  }
}

function run(provider: Provider, { method, url, body, requestId, key }: HttpCall): ApiResponse {
  const route = findRoute(method, url.pathname);
  if (!route) throw unrecognized(method, url.pathname);
  const params = new Params(decodeForm(method === 'GET' ? url.search.slice(1) : body));
  const paths = params.texts('expand');
  const cause = { id: requestId, idempotency_key: key ?? null };
  const object = route.handler({ provider, params, id: route.id, cause });
  params.rejectUnknown(); // last: only the handler knows which parameters it reads; the throw undoes its work
  return { status: 200, body: JSON.stringify(expand(provider, object, paths)), headers: {} };
}

const unrecognized = (method: string, path: string) =>
  new ApiError(
    404,
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  );

function throwFault(fault: Fault | undefined, request: IncomingMessage): void {
  if (fault === 'reset_before') request.socket.destroy();
  if (fault === 'reset_before') throw new ApiError(503, 'The connection was cut.');
  if (fault === '400') throw new ApiError(400, 'This cannot be done now.', { code: 'balance_insufficient' });
  if (fault === '429') throw new ApiError(429, 'Too many requests.', { code: 'rate_limit', shouldRetry: true });
  if (fault === '409') throw new ApiError(409, 'The object is in use.', { code: 'lock_timeout', shouldRetry: true });
  if (fault === '503') throw new ApiError(503, 'Try again later.', { type: 'api_error', shouldRetry: true });
}

function rejection(error: unknown): ApiResponse {
  if (error instanceof ApiError) {
    const headers: Record<string, string> = error.shouldRetry ? { 'Stripe-Should-Retry': 'true' } : {};
    return { status: error.status, body: error.toBody(), headers };
  }
  if (error instanceof BodyTooLarge) {
    return { status: 413, body: new ApiError(413, error.message).toBody(), headers: {} };
  }
  const failure = new ApiError(500, 'An unknown error occurred', { type: 'api_error' });
  return { status: 500, body: failure.toBody(), headers: {} };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse,
  fault: Fault | undefined,
  gone: AbortSignal,
): Promise<void> {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (fault === 'reset_after') return void request.socket.destroy();
  if (fault === 'bad_json') return sendJson(response, answer.status, answer.body.slice(0, answer.body.length / 2));
  if (fault === 'drip') return drip(response, answer, gone);
  sendJson(response, answer.status, answer.body);
}

async function drip(response: ServerResponse, { status, body }: ApiResponse, gone: AbortSignal): Promise<void> {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  for (const char of body) {
    if (gone.aborted) return;
    response.write(char);
    await pause(dripMs, undefined, { ref: false });
  }
  response.end();
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
