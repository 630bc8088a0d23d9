/**
 * Binds the contract to the server: one typed handler for each operationId, Ajv for what comes in, the contract's own
 * answer schemas for what goes out, its `x-roles` for who may call. A mutation with an Idempotency-Key runs in the one
 * transaction that is opened here. Reads contract.gen.json, which `npm run contract` writes from openapi/.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fastJson from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from '../../shared/contract';
import type { Clock } from '../clock';
import { transact, type Db, type Tx } from '../db/transact';
import { uuidPattern } from '../ids';
import { admit, type AccessRule, type Admission, type Role, type Session } from './access';
import contract from './contract.gen.json' with { type: 'json' };
import { checkForm } from './forms';
import { hashRequest, once, onceByItself, type KeptAnswer, type KeyedRequest } from './idempotency';
import { readMultipart } from './multipart';
import { splitLists } from './queryLists';
import { notBuilt, unsupportedMediaType } from './problems';

/** What a handler gets. `session` is whoever the token says; it is undefined for a visitor. */
export type Call<Id extends OperationId> = {
  params: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  session: Session;
  visitor: boolean;
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
  form?: ZodType;
  /** Looks at the body before anything else does, and throws what stands in the way. */
  refuse?: (body: unknown) => void;
  /** Answers 501 to whoever may call it. */
  isNotBuilt?: boolean;
};

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  explode?: boolean;
  schema: object;
  'x-own'?: boolean;
};
type Content = { required?: boolean; content?: Record<string, { schema: object }> };
export type ContractOperation = {
  operationId: OperationId;
  'x-roles'?: readonly Role[];
  'x-transaction'?: 'own';
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Bound = { path: string; method: string; operation: ContractOperation };

export type Binding = { db: Db; clock: Clock; admission: Admission };
export type ContractApi = ReturnType<typeof bindContract>;

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
}

/** Every operation of the contract, by its id. */
export const operations: ReadonlyMap<OperationId, Bound> = new Map(
  Object.entries(contract.paths as unknown as Record<string, Record<string, ContractOperation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { path, method: method.toUpperCase(), operation },
      ]),
  ),
);

export function bindContract(app: FastifyInstance, binding: Binding) {
  const options = { useDefaults: true, strictSchema: false };
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
    answer: (call: Call<Id>, bound: Bound) => Promise<unknown>,
  ): void {
    const bound = unanswered.get(id);
    if (!bound) throw new Error(`${id} is answered twice or is not in the contract`);
    unanswered.delete(id);
    const { path, method, operation } = bound;
    const rule = accessRule(bound);
    const lists = (operation.parameters ?? []).filter(({ explode }) => explode === false).map(({ name }) => name);
    const isMultipart = operation.requestBody?.content?.['multipart/form-data'] !== undefined;
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      schema: schemasOf(bound),
      validatorCompiler: ({ schema, httpPart }) =>
        (httpPart !== 'body' ? texts : isMultipart ? formLists : bodies).compile(schema as object),
      onRequest: async (request) => {
        request.session = await admit(request, rule, binding.admission);
        if (options.isNotBuilt) throw notBuilt();
      },
      preValidation: async (request) => {
        if (lists.length > 0) request.query = { ...(request.query as object), ...splitLists(request.url, lists) };
        if (isMultipart) request.body = await readMultipart(request);
        else if (request.isMultipart()) throw unsupportedMediaType();
        else if (!operation.requestBody?.required) request.body ??= {};
        options.refuse?.(request.body);
        if (options.form) request.body = checkForm(options.form, request.body);
      },
      handler: (request, reply) => answer(callOf<Id>(request, reply), bound),
    });
  }

  const callOf = <Id extends OperationId>(request: FastifyRequest, reply: FastifyReply): Call<Id> => {
    const { params, query, body, session } = request as unknown as {
      params: never;
      query: never;
      body: never;
      session: Session;
    };
    const now = binding.clock.now();
    return {
      params,
      query,
      body,
      session,
      visitor: !session,
      db: binding.db,
      tx: undefined as never /* answerOnce opens it */,
      now,
      request,
      reply,
    };
  };

  return {
    /** Binds the handler of one operation; its answer goes out by the contract's schema. */
    on<Id extends OperationId>(id: Id, handler: Handler<Id>, options: Options = {}): void {
      route(id, options, (call, bound) => answerOnce(call as Call<never>, bound, handler as AnyHandler));
    },
    /** Binds an operation whose handler sends the reply itself (kept bytes, conditional answers). */
    serve<Id extends OperationId>(id: Id, handler: (call: Call<Id>) => Promise<FastifyReply>): void {
      route(id, {}, handler);
    },
    /** The bytes that an answer of this operation has on the wire. */
    stringify<Id extends OperationId>(id: Id, answer: AnswerOf<Id>): string {
      const write = stringifiers.get(id) ?? fastJson(answerSchema(id));
      stringifiers.set(id, write);
      return write(answer);
    },
    /** Called after all features: `later` answers 501, and an operation that nobody answers stops the start. */
    complete(later: readonly OperationId[]): void {
      for (const id of later) route(id, { isNotBuilt: true }, () => Promise.reject(notBuilt()));
      if (unanswered.size > 0) throw new Error(`Nobody answers ${[...unanswered.keys()].join(', ')}`);
    },
  };
}

/** Answers by the key where one was sent, in one transaction where the contract asks for it. */
async function answerOnce(call: Call<never>, { operation, method }: Bound, handler: AnyHandler): Promise<unknown> {
  const { db, reply } = call;
  const status = Number(Object.keys(operation.responses).find((code) => code.startsWith('2')));
  reply.code(status);
  const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
  if (!takesKey) return handler(call);

  const keyed = keyedRequest(call, operation, method);
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

function keyedRequest(call: Call<never>, operation: ContractOperation, method: string): KeyedRequest | undefined {
  const key = call.request.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const scope = call.visitor ? operation.operationId : call.session.userId;
  const requestHash = hashRequest(operation.operationId, method, call.params, call.query, call.body);
  return { scope, key: key.toLowerCase(), requestHash, now: call.now };
}

function accessRule({ path, operation }: Bound): AccessRule {
  const { operationId, parameters = [] } = operation;
  const roles = operation['x-roles'];
  if (!roles?.length) throw new Error(`${operationId} does not say which roles may call it`);
  const own = parameters.filter((parameter) => parameter['x-own']).map(({ name }) => name);
  return { roles, own, ignoresAuthorization: path.startsWith('/auth/') };
}

const schemasOf = ({ method, operation: { parameters = [], requestBody, responses } }: Bound) => {
  const [content] = Object.values(requestBody?.content ?? {});
  const body = content?.schema ?? (method === 'GET' ? undefined : objectOf([])); // no fields: then none are taken
  return {
    params: objectOf(parameters.filter((parameter) => parameter.in === 'path')),
    querystring: objectOf(parameters.filter((parameter) => parameter.in === 'query')),
    headers: headersOf(parameters.filter((parameter) => parameter.in === 'header')),
    ...(body && { body }),
    response: Object.fromEntries(
      Object.entries(responses).flatMap(([code, answer]) => {
        const schema = answer.content?.['application/json']?.schema;
        return schema && code.startsWith('2') ? [[code, schema]] : [];
      }),
    ),
  };
};

function answerSchema(id: OperationId): object {
  const answers = Object.entries(operations.get(id)?.operation.responses ?? {});
  const schema = answers.find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.schema;
  if (!schema) throw new Error(`${id} has no JSON answer`);
  return schema;
}

const objectOf = (parameters: readonly Parameter[]) => ({
  type: 'object',
  additionalProperties: false,
  required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
});

/** Header names are any case, and a request has many that are not ours. */
const headersOf = (parameters: readonly Parameter[]) => ({
  ...objectOf(parameters.map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }))),
  additionalProperties: true,
});
