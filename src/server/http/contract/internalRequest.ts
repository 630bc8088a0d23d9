/**
 * API calls that the server makes on behalf of the sender of a form or batch. They go through the same routes, checks and
 * rate limits, so that forms and batches need no rules of their own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, OperationId, Schema } from '../../../shared/contract';
import { asInternalRequest } from '../core/internalRequests';
import { operations } from './operations';
import { Problem } from '../core/problems';

/** The headers that identify the caller, their network and the page. */
const passedOn = ['host', 'cookie', 'origin', 'sec-fetch-site', 'user-agent', 'forwarded', 'via'];
const isPassedOn = (name: string) => passedOn.includes(name) || name.startsWith('x-forwarded-');

type Injected = { method: 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body: object | undefined };

/** Makes a call for the sender of `request`. @param path as in the contract. @returns the full response */
export function inject(app: FastifyInstance, request: FastifyRequest, { method, path, headers, body }: Injected) {
  const sender = Object.fromEntries(Object.entries(request.headers).filter(([name]) => isPassedOn(name)));
  const call = {
    method,
    url: `/api${path}`,
    headers: { ...sender, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
    remoteAddress: request.socket.remoteAddress ?? '',
  };
  return asInternalRequest(async () => await app.inject(call)); // await inside the context: inject starts only when awaited
}

/**
 * @returns a function that makes calls for the sender of `request`; cookies that a call sets are added to `reply`
 * @throws the Problem of a failed call
 */
export const requestFor =
  (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) =>
  async <Id extends OperationId>(id: Id, body: BodyOf<Id>): Promise<AnswerOf<Id>> => {
    const answer = await inject(app, request, { method: 'POST', path: operations.get(id)?.path ?? '', body });
    if (answer.statusCode >= 400) throw problemOf(answer.json<Schema<'Problem'>>(), answer.headers['retry-after']);
    const cookies = answer.headers['set-cookie'];
    if (cookies !== undefined) void reply.header('set-cookie', cookies);
    return answer.json<AnswerOf<Id>>();
  };

export type RequestFor = ReturnType<typeof requestFor>;

const problemOf = ({ status, code, message, errors }: Schema<'Problem'>, retryAfter: unknown): Problem =>
  new Problem(status, code, message, {
    errors,
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  });
