/**
 * Several changes in one call: each is made as the call that it would be by itself, one after the other, through its own
 * route. Forty counts that a phone sends one by one take longer on their way than in the shop.
 * Rule: docs/rules/wire.md, Batches
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Schema } from '../../shared/contract';
import { batchSays as says } from '../../shared/outbox';
import { outsideCalls } from '../db/fairPool';
import type { ContractApi } from './contract';
import { operations, type Bound } from './operations';
import { inject } from './ownCall';
import { invalid } from './problems';

export function batchRoutes(app: FastifyInstance, api: ContractApi): void {
  api.on('sendBatch', async ({ body: { changes }, request }) => {
    for (const [place, change] of changes.entries()) requireBatched(change, place);
    const answers: Made[] = [];
    for (const change of changes) {
      const answer = await make(app, request, change);
      answers.push(answer);
      if (answer.status >= 400) break; // it may come again, and what is behind it must not overtake it
    }
    return { message: says.success, data: { answers } };
  });
}

/** Counted in its caller's budgets, and waiting for its turn, like any call. */
async function make(app: FastifyInstance, request: FastifyRequest, { key, method, path, body }: Change): Promise<Made> {
  const headers = { 'idempotency-key': key };
  const response = await outsideCalls(() => inject(app, request, { method, path, headers, body }));
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
