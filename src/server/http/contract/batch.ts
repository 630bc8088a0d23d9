/**
 * Several changes in one call: each is made as the call that it would be by itself, one after the other, through its own
 * route. Forty calls cost a phone forty ways to the shop and back, and the shop's work in each is short.
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

/** The browser gives a call up after ten; what is done by then is told. */
const endsAfterMs = 5_000;

export function batchRoutes(app: FastifyInstance, api: ContractApi): void {
  api.on('sendBatch', async ({ body: { changes }, request, reply }) => {
    for (const [place, change] of changes.entries()) requireBatched(change, place);
    const endsAt = performance.now() + endsAfterMs;
    const answers: Made[] = [];
    for (const change of changes) {
      const answer = await make(app, request, change);
      if (!answer && answers.length === 0) throw unavailable();
      if (!answer) break;
      answers.push(answer);
      if (answer.status >= 400) break; // it may come again, and what is behind it must not overtake it
      if (performance.now() > endsAt || request.socket.destroyed) break;
    }
    if (isLater(answers.at(-1))) await app.untilErrorMayGo(request, reply);
    return { message: messages.success, data: { answers } };
  });
}

const isLater = (last: Made | undefined): boolean => last?.status === 429 || last?.status === 503;

/**
 * Makes one change, counted in its caller's budgets and waiting for its turn, like any call.
 * @returns undefined when the server is closing, and takes no call any more
 */
async function make(app: FastifyInstance, request: FastifyRequest, change: Change): Promise<Made | undefined> {
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

type Made = Schema<'ChangeAnswer'>;
type Change = Schema<'BatchedChange'>;

/** @throws Problem 400 invalid_request */
function requireBatched({ method, path }: Change, place: number): void {
  if (batched().some((bound) => bound.method === method && isAt(path, bound))) return;
  const message = 'This change cannot come in a batch';
  throw invalid(message, [{ field: `changes/${place}/path`, message }]);
}

const batched = (): Bound[] => [...operations.values()].filter(({ operation }) => operation['x-batched']);

function isAt(path: string, bound: Bound): boolean {
  const [parts, names] = [path.split('/'), bound.path.split('/')];
  return parts.length === names.length && names.every((name, place) => name.startsWith('{') || name === parts[place]);
}
