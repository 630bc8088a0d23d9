/**
 * Several changes in one call. Each runs through its own route, one after the other, as if it had been sent separately.
 * Forty calls cost a phone forty round trips, although the server's work in each is short.
 * Rule: docs/rules/wire.md, Batches
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Schema } from '../../../shared/contract';
import { batchMessages as messages } from '../../../shared/outbox';
import { outsideRequests } from '../../db/core/fairPool';
import type { ContractApi } from './contract';
import { operations, type Bound } from './operations';
import { inject } from './internalRequest';
import { invalid, unavailable } from '../core/problems';

/** The browser gives up after 10 s, so the batch stops earlier and reports what is done. */
const endsAfterMs = 5_000;

export function batchRoutes(app: FastifyInstance, api: ContractApi): void {
  api.on('sendBatch', async ({ body: { changes }, request, reply }) => {
    for (const [place, change] of changes.entries()) requireBatched(change, place);
    const endsAt = performance.now() + endsAfterMs;
    const answers: BatchAnswer[] = [];
    for (const change of changes) {
      const answer = await make(app, request, change);
      if (!answer && answers.length === 0) throw unavailable();
      if (!answer) break;
      answers.push(answer);
      if (answer.status >= 400) break; // it may be retried, and later changes must not overtake it
      if (performance.now() > endsAt || request.socket.destroyed) break;
    }
    if (isRetryable(answers.at(-1))) await app.untilErrorMayGo(request, reply);
    return { message: messages.success, data: { answers } };
  });
}

const isRetryable = (last: BatchAnswer | undefined): boolean => last?.status === 429 || last?.status === 503;

/**
 * Runs one change within its caller's rate limits and turns, like any call.
 * @returns undefined when the server is closing and accepts no more calls
 */
async function make(app: FastifyInstance, request: FastifyRequest, change: Change): Promise<BatchAnswer | undefined> {
  const { key, method, path, body } = change;
  const { authorization } = request.headers;
  const headers = { 'idempotency-key': key, ...(authorization !== undefined && { authorization }) };
  const calling = outsideRequests(() => inject(app, request, { method, path, headers, body }));
  const response = await calling.catch(() => undefined);
  if (!response) return undefined;
  const { statusCode: status } = response;
  return status < 400
    ? { status, answer: response.json<Schema<'ListAnswer'>>() }
    : { status, problem: response.json<Schema<'Problem'>>() };
}

type BatchAnswer = Schema<'ChangeAnswer'>;
type Change = Schema<'BatchedChange'>;

/** @throws Problem 400 invalid_request */
function requireBatched({ method, path }: Change, place: number): void {
  if (batched().some((bound) => bound.method === method && isAt(path, bound))) return;
  const message = "This change can't be sent in a batch";
  throw invalid(message, [{ field: `changes/${place}/path`, message }]);
}

const batched = (): Bound[] => [...operations.values()].filter(({ operation }) => operation['x-batched']);

function isAt(path: string, bound: Bound): boolean {
  const [parts, names] = [path.split('/'), bound.path.split('/')];
  return parts.length === names.length && names.every((name, place) => name.startsWith('{') || name === parts[place]);
}
