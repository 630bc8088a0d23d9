/**
 * Calls of the API that the server makes itself, in the name of whoever sent it a form: through the same routes, with the
 * same checks, budgets and limits, so that a form has no rules of its own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnswerOf, BodyOf, OperationId, Schema } from '../../shared/contract';
import { operations } from './operations';
import { Problem } from './problems';

/** What says who asks, from where, and from which page. */
const passedOn = ['host', 'cookie', 'origin', 'sec-fetch-site', 'user-agent', 'forwarded', 'via'];
const isPassedOn = (name: string) => passedOn.includes(name) || name.startsWith('x-forwarded-');

const calling = new AsyncLocalStorage<true>();

/** Whether a request is such a call: its answer goes to nobody but us. */
export const isOwnCall = (): boolean => calling.getStore() === true;

/**
 * @returns what makes calls for the sender of `request`; the cookies of an answer go out with `reply`
 * @throws Problem what the call was refused with
 */
export const callFor =
  (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) =>
  async <Id extends OperationId>(id: Id, body: BodyOf<Id>): Promise<AnswerOf<Id>> => {
    const path = operations.get(id)?.path ?? '';
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => isPassedOn(name)));
    const answer = await calling.run(true, () =>
      app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { ...headers, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
        remoteAddress: request.socket.remoteAddress ?? '',
      }),
    );
    if (answer.statusCode >= 400) throw problemOf(answer.json<Schema<'Problem'>>(), answer.headers['retry-after']);
    const cookies = answer.headers['set-cookie'];
    if (cookies !== undefined) void reply.header('set-cookie', cookies);
    return answer.json<AnswerOf<Id>>();
  };

export type CallFor = ReturnType<typeof callFor>;

const problemOf = ({ status, code, message, errors }: Schema<'Problem'>, retryAfter: unknown): Problem =>
  new Problem(status, code, message, {
    errors,
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
  });
