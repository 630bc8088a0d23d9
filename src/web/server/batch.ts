import type { Schema } from '../../shared/contract';
import { answer, api, authorized, renewSession, ensureSessionOf } from './client';
import { ApiError, noConnection } from './errors';
import { keyed } from './keys';
import { baseUrl, type Send } from './send';
import { session } from './session';

const sendAlone = authorized();

/**
 * Sends several calls as one batch; each gets its own response. If the batch as a whole is rejected, the calls are sent
 * one by one. Rule: docs/rules/wire.md, Batches
 * @param keys the calls' idempotency keys, in order; the batch is sent once all calls have arrived
 * @returns a replacement for `fetch`; throws ApiError no_connection where a call was not attempted, or got no response
 */
export function createBatch(keys: readonly string[], signal: AbortSignal): Send {
  const requests = new Map<string, Request>();
  let send: (sending: Promise<readonly Response[]>) => void;
  const sent = new Promise<readonly Response[]>((resolve, reject) => {
    send = resolve;
    signal.addEventListener('abort', () => reject(noConnection()));
  });
  sent.catch(() => undefined); // avoids an unhandled rejection when no call arrives
  return async (request) => {
    const key = keyOf(request);
    requests.set(key, request);
    const inOrder = keys.flatMap((each) => requests.get(each) ?? []);
    if (inOrder.length === keys.length) send(sendTogether(inOrder, signal));
    const response = (await sent)[keys.indexOf(key)];
    if (!response) throw noConnection();
    return response;
  };
}

const keyOf = ({ headers }: Request): string => headers.get('idempotency-key') ?? '';

async function sendTogether(requests: readonly Request[], signal: AbortSignal): Promise<readonly Response[]> {
  const changes = await Promise.all(requests.map(changeOf));
  try {
    const { answers } = await answer(api.POST('/public/batch', { body: { changes }, signal }));
    return await withoutExpired(answers);
  } catch (error) {
    if (!(error instanceof ApiError) || !isBatchRejected(error)) throw error;
    return sendOneByOne(changes, signal);
  }
}

/** If the token expires during a batch, it is renewed, and the remaining calls count as not attempted. */
async function withoutExpired(answers: readonly Schema<'ChangeAnswer'>[]): Promise<readonly Response[]> {
  const done = answers.filter(({ status }) => status !== 401);
  if (done.length < answers.length) await renewSession();
  return done.map(
    ({ status, ...outcome }) =>
      new Response(JSON.stringify(outcome.answer ?? outcome.problem), { status, headers: asJson }),
  );
}

const asJson = { 'content-type': 'application/json' };

/** Because one change violates the contract. The rejection of a single change is in its own answer. */
const isBatchRejected = ({ status }: ApiError): boolean => [400, 413].includes(status);

type Change = Schema<'BatchedChange'>;

async function changeOf(request: Request): Promise<Change> {
  const { method, url } = request;
  if (method !== 'PUT') throw new Error(`${method} can't be sent in a batch`);
  const body = (await request.json()) as Change['body'];
  return { key: keyOf(request), method, path: url.slice(baseUrl.length), body };
}

/** As in a batch, a rejected or unanswered change stops those after it. */
async function sendOneByOne(changes: readonly Change[], signal: AbortSignal): Promise<Response[]> {
  const responses: Response[] = [];
  const userId = session.get()?.id ?? '';
  for (const { key, method, path, body } of changes) {
    const headers = { ...asJson, ...keyed(key).header };
    const init = { method, headers, body: JSON.stringify(body), credentials: 'include', signal } as const;
    try {
      if (!(await ensureSessionOf(userId))) break;
      responses.push(await sendAlone(new Request(`${baseUrl}${path}`, init)));
    } catch {
      break;
    }
    if (!responses.at(-1)?.ok) break;
  }
  return responses;
}
