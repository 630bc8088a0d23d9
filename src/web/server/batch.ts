import type { Schema } from '../../shared/contract';
import { answer, api, authorized } from './client';
import { ApiError, noConnection } from './errors';
import { keyed } from './keys';
import { baseUrl, type Send } from './send';

const sendAlone = authorized();

/**
 * Gathers calls and sends them as one: each gets the answer that it would get by itself. A shop of the release before knows
 * no batches, and gets them one after the other. Rule: docs/rules/wire.md, Batches
 * @param keys of the calls, in the order in which they are to be made; it is sent once all of them are there
 * @returns what carries such a call, in the place of `fetch`; throws ApiError where it was not tried, since one before it
 *   was refused, or no answer came
 */
export function createBatch(keys: readonly string[], signal: AbortSignal): Send {
  const requests = new Map<string, Request>();
  let send: (sending: Promise<readonly Response[]>) => void;
  const sent = new Promise<readonly Response[]>((resolve, reject) => {
    send = resolve;
    signal.addEventListener('abort', () => reject(noConnection()));
  });
  return async (request) => {
    const key = keyOf(request);
    requests.set(key, request);
    if (requests.size === keys.length)
      send(
        sendTogether(
          keys.flatMap((each) => requests.get(each) ?? []),
          signal,
        ),
      );
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
    return answers.map(
      ({ status, ...said }) => new Response(JSON.stringify(said.answer ?? said.problem), { status, headers: asJson }),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || !isUnknown(error)) throw error;
    return sendOneByOne(changes, signal);
  }
}

const asJson = { 'content-type': 'application/json' };

/** Not of a change, which would be its own answer, but of the whole call. */
const isUnknown = ({ status }: ApiError): boolean => [400, 404, 405, 413].includes(status);

type Change = Schema<'BatchedChange'>;

async function changeOf(request: Request): Promise<Change> {
  const { method, url } = request;
  if (method !== 'PUT') throw new Error(`${method} cannot come in a batch`);
  const body = (await request.json()) as Change['body'];
  return { key: keyOf(request), method, path: url.slice(baseUrl.length), body };
}

/** What is refused keeps those behind it back, as in a batch. */
async function sendOneByOne(changes: readonly Change[], signal: AbortSignal): Promise<Response[]> {
  const responses: Response[] = [];
  for (const { key, method, path, body } of changes) {
    const headers = { ...asJson, ...keyed(key).header };
    const init = { method, headers, body: JSON.stringify(body), credentials: 'include', signal } as const;
    const response = await sendAlone(new Request(`${baseUrl}${path}`, init));
    responses.push(response);
    if (!response.ok) break;
  }
  return responses;
}
