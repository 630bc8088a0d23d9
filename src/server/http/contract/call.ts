/**
 * The typed arguments of a handler, and the transaction around it. The contract defines which operations always have a
 * session and which run in a transaction opened here, so a handler that uses something it does not have fails to compile.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, OperationId, PathOf, QueryOf, RolesOf, TransactionOf } from '../../../shared/contract';
import { transact, type Db, type Tx } from '../../db/core/transact';
import type { Actor, Session } from './access';
import { hashRequest, once, onceWithoutTransaction, type SavedResponse, type KeyedRequest } from './idempotency';
import { takesKey, type Bound } from './operations';

/** A handler's argument. `by` is the author for the audit log. */
export type Call<Id extends OperationId> = Asked<Id> & Caller<RolesOf<Id>> & ConnectionOf<TransactionOf<Id>>;

/** The argument of the work that runs before the transaction. */
export type EarlyCall<Id extends OperationId> = Asked<Id> & Caller<RolesOf<Id>> & { db: Db };

type Asked<Id extends OperationId> = {
  params: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  now: Date;
  request: FastifyRequest;
  reply: FastifyReply;
};
type Caller<Roles> = 'visitor' extends Roles
  ? { session: Session | undefined; by: Actor }
  : { session: Session; by: Actor & { userId: string } };
/** Only one of them: a query on `db` would run outside the open transaction. */
type ConnectionOf<Transaction> = Transaction extends 'opened' ? { tx: Tx } : { db: Db };
type Connection = { tx: Tx } | { db: Db };

/** The same before the contract's types are applied. */
export type RawCall = {
  params: unknown;
  query: unknown;
  body: unknown;
  session: Session | undefined;
  by: Actor;
  now: Date;
  request: FastifyRequest;
  reply: FastifyReply;
};
export type Work = (connection: Connection) => Promise<unknown>;

export function readCall(request: FastifyRequest, reply: FastifyReply, now: Date): RawCall {
  const { params, query, body, session } = request;
  const by = { userId: session?.userId ?? null, requestId: request.id };
  return { params, query, body, session, by, now, request, reply };
}

/**
 * The only cast to a call's contract types. It is safe because the route's schemas have checked `params`, `query` and
 * `body`, the access rule has checked the session, and runCall opens a transaction by the same contract setting.
 */
export const typed = <Id extends OperationId>(_id: Id, call: object): Call<Id> => call as Call<Id>;

/** Runs the work, once per Idempotency-Key if one was sent, and in a transaction if the contract requires it. */
export async function runCall(
  call: RawCall,
  { operation, method }: Bound,
  { db, requestKey }: { db: Db; requestKey: Uint8Array },
  work: Work,
): Promise<unknown> {
  const status = Number(Object.keys(operation.responses).find((code) => code.startsWith('2')));
  call.reply.code(status);
  const keyed = takesKey(operation) ? keyedRequest(call, operation.operationId, method, requestKey) : undefined;
  if (operation['x-transaction'] === 'opened') {
    const done = await transact(db, async (tx) => {
      const answer = async () => ({ status, answer: await work({ tx }) });
      return keyed ? once(tx, keyed, answer) : { ...(await answer()), replayed: false };
    });
    return answerOf(call.reply, done);
  }
  if (!keyed) return work({ db });
  return answerOf(
    call.reply,
    await onceWithoutTransaction(db, keyed, async () => ({ status, answer: await work({ db }) })),
  );
}

function answerOf(reply: FastifyReply, done: SavedResponse & { replayed: boolean }): unknown {
  if (done.replayed) reply.code(done.status).header('idempotency-replayed', 'true');
  return done.answer;
}

function keyedRequest(
  { request, session, params, query, body, now }: RawCall,
  operationId: OperationId,
  method: string,
  requestKey: Uint8Array,
): KeyedRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const requestHash = hashRequest(requestKey, operationId, method, params, query, body);
  return { scope: session?.userId ?? operationId, key: key.toLowerCase(), requestHash, now };
}
