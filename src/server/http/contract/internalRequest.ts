/**
 * Calls of the API that the server makes itself, in the name of whoever sent it a form or a batch: through the same
 * routes, with the same checks, budgets and limits, so that a form or a batch has no rules of its own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, OperationId, Schema } from '../../../shared/contract';
import { asInternalRequest } from '../core/internalRequests';
import { operations } from './operations';
import { Problem } from '../core/problems';

/** What says who asks, from where, and from which page. */
const passedOn = ['host', 'cookie', 'origin', 'sec-fetch-site', 'user-agent', 'forwarded', 'via'];
const isPassedOn = (name: string) => passedOn.includes(name) || name.startsWith('x-forwarded-');

type Injected = { method: 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body: object | undefined };

/** Makes a call for the sender of `request`. @param path as the contract has it. @returns the whole answer */
export function inject(app: FastifyInstance, request: FastifyRequest, { method, path, headers, body }: Injected) {
  const sender = Object.fromEntries(Object.entries(request.headers).filter(([name]) => isPassedOn(name)));
  const call = {
    method,
    url: `/api${path}`,
    headers: { ...sender, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
    remoteAddress: request.socket.remoteAddress ?? '',
  };
  return asInternalRequest(async () => await app.inject(call)); // awaited in here, since inject begins only then
}

/**
 * @returns what makes calls for the sender of `request`; the cookies of an answer go out with `reply`
 * @throws Problem what the call was refused with
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
