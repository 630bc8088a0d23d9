/**
 * Binds the contract to the server: one typed handler for each operationId, Ajv for what comes in, the contract's own
 * answer schemas for what goes out, its `x-roles` for who may call. A mutation with an Idempotency-Key runs in the one
 * transaction that is opened here.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fastJson from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callbackify } from 'node:util';
import type { ZodType } from 'zod';
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from '../../shared/contract';
import type { Actor } from '../audit/service';
import type { Clock } from '../clock';
import { transact, type Db, type Tx } from '../db/transact';
import { uuidPattern } from '../ids';
import { admit, type Admission, type Session } from './access';
import { checkForm } from './forms';
import { hashRequest, once, onceByItself, type KeptAnswer, type KeyedRequest } from './idempotency';
import { readMultipart } from './multipart';
import { accessRule, answerSchema, operations, schemasOf, type Bound, type ContractOperation } from './operations';
import { splitLists } from './queryLists';
import { unsupportedMediaType } from './problems';

/** What a handler gets. `session` is whoever the token says; it is undefined for a visitor. */
export type Call<Id extends OperationId> = {
  params: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  session: Session;
  visitor: boolean;
  /** Who does it, for the audit log. */
  by: Actor;
  db: Db;
  /** The operation's transaction; only where the contract lists an Idempotency-Key. */
  tx: Tx;
  now: Date;
  request: FastifyRequest;
  reply: FastifyReply;
};
type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id>>;
type AnyHandler = (call: Call<never>) => Promise<unknown>;
type Options = {
  /** The form's own schema, run before the contract's check so that its sentences are the ones shown. */
  form?: ZodType | ((body: unknown) => ZodType);
  /** Looks at the body before anything else does, and throws what stands in the way. */
  refuse?: (body: unknown) => void;
};

export type Binding = { db: Db; clock: Clock; admission: Admission; requestKey: Uint8Array };
export type ContractApi = ReturnType<typeof bindContract>;

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
  interface FastifyContextConfig {
    operationId?: OperationId;
  }
}

export function bindContract(app: FastifyInstance, binding: Binding) {
  // 4.51 is a multiple of 0.01, whatever binary fractions make of it
  const options = { useDefaults: true, strictSchema: false, multipleOfPrecision: 6 };
  // strictNumbers would let the limits of a number pass by 'Infinity', once that has become one
  const texts = new Ajv2020({ ...options, coerceTypes: true, strictNumbers: false }); // a URL's or a form's parts are strings by nature
  const formLists = new Ajv2020({ ...options, coerceTypes: 'array', strictNumbers: false }); // one value of a repeated form field is a list of one
  const bodies = new Ajv2020(options); // in JSON "5" is not 5
  // ours is stricter than the library's, which takes 'urn:uuid:…' too, as the database does not
  for (const ajv of [texts, formLists, bodies]) addFormats(ajv).addFormat('uuid', uuidPattern);
  app.decorateRequest('session', undefined);
  const unanswered = new Map(operations);
  const stringifiers = new Map<OperationId, (answer: unknown) => string>();

  function route<Id extends OperationId>(
    id: Id,
    options: Options,
    answer: (call: Call<Id>, bound: Bound) => unknown,
  ): void {
    const bound = unanswered.get(id);
    if (!bound) throw new Error(`${id} is answered twice or is not in the contract`);
    unanswered.delete(id);
    const { path, method, operation } = bound;
    const rule = accessRule(bound);
    const lists = (operation.parameters ?? []).filter(({ explode }) => explode === false).map(({ name }) => name);
    // a visitor who reads: nothing about the caller is to be found out, and nothing to be waited for
    const isOpen = method === 'GET' && rule.roles.includes('visitor');
    const isMultipart = operation.requestBody?.content?.['multipart/form-data'] !== undefined;
    const admitCaller = callbackify(async (request: FastifyRequest) => {
      request.session = await admit(request, rule, binding.admission);
    });
    const readBody = callbackify(async (request: FastifyRequest) => {
      if (isMultipart) request.body = await readMultipart(request);
      else if (request.isMultipart()) throw unsupportedMediaType();
      else if (!operation.requestBody?.required) request.body ??= {};
      options.refuse?.(request.body);
      const form = typeof options.form === 'function' ? options.form(request.body) : options.form;
      if (form) request.body = checkForm(form, request.body);
    });
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operationId: id },
      schema: schemasOf(bound),
      validatorCompiler: ({ schema, httpPart }) =>
        (httpPart !== 'body' ? texts : isMultipart ? formLists : bodies).compile(schema as object),
      onRequest: (request, _reply, done) => {
        const { authorization, cookie } = request.headers;
        if (isOpen && authorization === undefined && cookie === undefined) done();
        else admitCaller(request, done);
      },
      preValidation: (request, _reply, done) => {
        if (lists.length > 0) request.query = { ...(request.query as object), ...splitLists(request.url, lists) };
        if (method === 'GET') done(request.isMultipart() ? unsupportedMediaType() : undefined);
        else readBody(request, done);
      },
      handler: (request, reply) => answer(callOf<Id>(request, reply), bound),
    });
  }

  const callOf = <Id extends OperationId>(request: FastifyRequest, reply: FastifyReply): Call<Id> => {
    const { params, query, body, session } = request as unknown as {
      params: never;
      query: never;
      body: never;
      session: Session | undefined;
    };
    const now = binding.clock.now();
    return {
      params,
      query,
      body,
      session: session as Session,
      visitor: !session,
      by: { userId: session?.userId ?? null, requestId: request.id },
      db: binding.db,
      tx: undefined as never /* answerOnce opens it */,
      now,
      request,
      reply,
    };
  };

  function bindAnswer<Id extends OperationId>(
    id: Id,
    handler: Handler<Id>,
    options: Options,
    prepare?: (call: Call<Id>) => Promise<unknown>,
  ): void {
    route(id, options, async (call, bound) => {
      const whole = prepare ? { ...call, prepared: await prepare(call) } : call;
      return answerOnce(whole as Call<never>, bound, handler, binding.requestKey);
    });
  }

  return {
    /** Binds the handler of one operation; its answer goes out by the contract's schema. */
    on<Id extends OperationId>(id: Id, handler: Handler<Id>, options: Options = {}): void {
      bindAnswer(id, handler, options);
    },
    /**
     * The same for an operation with slow work that needs no transaction (hashing a password): it is done before one is
     * opened, also when the answer turns out to be kept under the request's key.
     */
    onPrepared<Id extends OperationId, Prepared>(
      id: Id,
      prepare: (call: Call<Id>) => Promise<Prepared>,
      handler: (call: Call<Id> & { prepared: Prepared }) => Promise<AnswerOf<Id>>,
      options: Options = {},
    ): void {
      bindAnswer(id, handler as Handler<Id>, options, prepare);
    },
    /** Binds an operation whose handler sends the reply itself (kept bytes, conditional answers). */
    serve<Id extends OperationId>(id: Id, handler: (call: Call<Id>) => FastifyReply | Promise<FastifyReply>): void {
      route(id, {}, handler);
    },
    /** The bytes that an answer of this operation has on the wire. */
    stringify<Id extends OperationId>(id: Id, answer: AnswerOf<Id>): string {
      const write = stringifiers.get(id) ?? fastJson(answerSchema(id));
      stringifiers.set(id, write);
      return write(answer);
    },
    /** Called after all features: an operation that nobody answers stops the start. */
    complete(): void {
      if (unanswered.size > 0) throw new Error(`Nobody answers ${[...unanswered.keys()].join(', ')}`);
    },
  };
}

/** Answers by the key where one was sent, in one transaction where the contract asks for it. */
async function answerOnce(
  call: Call<never>,
  { operation, method }: Bound,
  handler: AnyHandler,
  requestKey: Uint8Array,
): Promise<unknown> {
  const { db, reply } = call;
  const status = Number(Object.keys(operation.responses).find((code) => code.startsWith('2')));
  reply.code(status);
  const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
  if (!takesKey) return handler(call);

  const keyed = keyedRequest(call, operation, method, requestKey);
  if (operation['x-transaction'] === 'own') {
    if (!keyed) return handler(call);
    const done = await onceByItself(db, keyed, async () => ({ status, answer: await handler(call) }));
    return done.replayed ? replay(reply, done) : done.answer;
  }
  const done = await transact(db, async (tx) => {
    const work = async () => ({ status, answer: await handler({ ...call, tx }) });
    return keyed ? once(tx, keyed, work) : { ...(await work()), replayed: false };
  });
  return done.replayed ? replay(reply, done) : done.answer;
}

function replay(reply: FastifyReply, kept: KeptAnswer): unknown {
  reply.code(kept.status).header('idempotency-replayed', 'true');
  return kept.answer;
}

function keyedRequest(
  call: Call<never>,
  operation: ContractOperation,
  method: string,
  requestKey: Uint8Array,
): KeyedRequest | undefined {
  const key = call.request.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const scope = call.visitor ? operation.operationId : call.session.userId;
  const requestHash = hashRequest(requestKey, operation.operationId, method, call.params, call.query, call.body);
  return { scope, key: key.toLowerCase(), requestHash, now: call.now };
}
