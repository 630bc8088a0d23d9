/**
 * Binds the contract to the server: one typed handler per operationId, Ajv validation of requests, response serialization
 * by the contract's schemas, and access control by `x-roles`. A mutation with an Idempotency-Key runs in the single
 * transaction that call.ts opens.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isStaff } from '../../../shared/auth';
import { isTime } from '../../../shared/times';
import fastJson from 'fast-json-stringify';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { callbackify } from 'node:util';
import type { ZodType } from 'zod';
import type { AnswerOf, OperationId, TransactionOf } from '../../../shared/contract';
import type { Clock } from '../../core/clock';
import type { Db } from '../../db/core/transact';
import { uuidPattern } from '../../core/ids';
import { admit, type Admission, type Session } from './access';
import { bodyLimitOf } from './bodyLimits';
import { rateLimitOf, spentOnMiss, type RateLimits } from '../limits/rateLimits';
import { allowSlowUpload } from '../core/slowUploads';
import { readCall, runCall, typed, type Call, type EarlyCall, type RawCall, type Work } from './call';
import { checkForm } from './forms';
import type { CheckBytes } from './json';
import { readMultipart } from './multipart';
import { accessRule, answerSchema, operations, schemasOf, type Bound } from './operations';
import { splitLists } from './queryLists';
import { unsupportedMediaType } from '../core/problems';

type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id>>;
type Options = {
  /** The form's own schema, run before the contract's check so that its messages are shown. */
  form?: ZodType | ((body: unknown) => ZodType | Promise<ZodType>);
  /** Checks the body before everything else, and throws the error. */
  refuse?: (body: unknown) => void;
  /** Checks the body's bytes before they are parsed, for example their signature. */
  checkBytes?: CheckBytes;
};

export type Binding = { db: Db; clock: Clock; admission: Admission; requestKey: Uint8Array; rateLimits: RateLimits };
export type ContractApi = ReturnType<typeof bindContract>;

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
  interface FastifyContextConfig {
    operationId?: OperationId;
  }
}

/** Shared by all apps of a process. Schemas are compiled on first use: compiling all took most of the startup time. */
const ajv = createAjv();
const writers = new WeakMap<object, (answer: unknown) => string>();

export function bindContract(app: FastifyInstance, binding: Binding) {
  const { db, rateLimits } = binding;
  const unanswered = new Map(operations);
  app.decorateRequest('session', undefined);

  function take(id: OperationId): Bound {
    const bound = unanswered.get(id);
    if (!bound) throw new Error(`${id} has two handlers, or isn't in the contract`);
    unanswered.delete(id);
    return bound;
  }
  function route(bound: Bound, options: Options, answer: (call: RawCall) => unknown): void {
    const isMultipart = bound.operation.requestBody?.content?.['multipart/form-data'] !== undefined;
    app.route({
      method: bound.method,
      url: bound.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operationId: bound.operation.operationId, checkBytes: options.checkBytes },
      bodyLimit: bodyLimitOf(bound),
      schema: schemasOf(bound),
      validatorCompiler: ({ schema, httpPart }) =>
        checkBy(httpPart !== 'body' ? ajv.texts : isMultipart ? ajv.formLists : ajv.bodies, schema as object),
      serializerCompiler: writerOf,
      onRequest: admitting(bound, binding),
      preValidation: reading(bound, options, isMultipart),
      handler: (request, reply) => answer(readCall(request, reply, binding.clock.now())),
    });
  }
  function run(id: OperationId, options: Options, begin: (call: RawCall) => Work | Promise<Work>): void {
    const bound = take(id);
    route(bound, options, (call) =>
      rateLimits.run(call.request, bound, async () => runCall(call, bound, binding, await begin(call))),
    );
  }

  return {
    /** Binds the handler of one operation. Its answer is serialized by the contract's schema. */
    on<Id extends OperationId>(id: Id, handler: Handler<Id>, options: Options = {}): void {
      run(id, options, (call) => (connection) => handler(typed(id, { ...call, ...connection })));
    },
    /**
     * The same with slow work that needs no transaction, such as hashing a password. It runs before the transaction opens,
     * even if the answer turns out to be saved under the request's key.
     */
    onPrepared<Id extends OperationId, Prepared>(
      id: Id,
      prepare: (call: EarlyCall<Id>) => Promise<Prepared>,
      handler: (call: Call<Id> & { prepared: Prepared }) => Promise<AnswerOf<Id>>,
      options: Options = {},
    ): void {
      run(id, options, async (call) => {
        const prepared = await prepare({ ...typed(id, { ...call, db }), db });
        return (connection) => handler({ ...typed(id, { ...call, ...connection }), prepared });
      });
    },
    /**
     * Binds an operation whose handler sends the reply itself (cached bytes, conditional responses). If its rate limit
     * counts only cache misses, the handler must build the missing response within `call.missed`.
     */
    serve<Id extends ServedId>(id: Id, handler: (call: ServedCall<Id>) => FastifyReply | Promise<FastifyReply>): void {
      const bound = take(id);
      const isSpentOnMiss = spentOnMiss.has(rateLimitOf(bound));
      route(bound, {}, (call) => {
        const missed = <T>(make: () => Promise<T>) => rateLimits.run(call.request, bound, make);
        const answer = () => handler({ ...typed(id, { ...call, db }), missed });
        return isSpentOnMiss ? answer() : missed(async () => answer());
      });
    },
    /** The answer as it is sent on the wire. */
    stringify<Id extends OperationId>(id: Id, answer: AnswerOf<Id>): string {
      return writerOf({ schema: answerSchema(id) })(answer);
    },
    /** Called after all features are bound. Throws if an operation has no handler. */
    complete(): void {
      if (unanswered.size > 0) throw new Error(`No handler registered for ${[...unanswered.keys()].join(', ')}`);
    },
  };
}

/** `missed` builds a response that was not cached, within the caller's rate limits. @throws Problem 429 too_many_requests */
export type ServedCall<Id extends OperationId> = Call<Id> & { missed: <T>(make: () => Promise<T>) => Promise<T> };
/** Only operations without a transaction: a response that was sent cannot be rolled back. */
type ServedId = { [Id in OperationId]: TransactionOf<Id> extends 'none' ? Id : never }[OperationId];

function createAjv() {
  // multipleOfPrecision: 4.51 must count as a multiple of 0.01 despite binary floating point
  // validateSchema: src/tools/contract.mjs already checks the schemas
  const options = { useDefaults: true, strictSchema: false, multipleOfPrecision: 6, validateSchema: false };
  // with strictNumbers, a coerced 'Infinity' would bypass the limits of a number
  const texts = new Ajv2020({ ...options, coerceTypes: true, strictNumbers: false }); // the parts of a URL or form are always strings
  const formLists = new Ajv2020({ ...options, coerceTypes: 'array', strictNumbers: false }); // a repeatable form field sent once is a list of one
  const bodies = new Ajv2020(options); // in JSON, "5" is not 5
  // the library's format also accepts 'urn:uuid:', which the database does not
  for (const each of [texts, formLists, bodies]) {
    addFormats(each).addFormat('uuid', uuidPattern);
    const known = fullFormats['date-time'] as { validate: (text: string) => boolean };
    each.addFormat('date-time', (text: string) => known.validate(text) && isTime(text));
  }
  return { texts, formLists, bodies };
}

/** Such a field of a form is one part of JSON, as OpenAPI defines. */
function listsOfObjects(schema: object | undefined): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { items?: { type?: unknown } }> };
  return Object.keys(properties).filter((name) => properties[name]?.items?.type === 'object');
}

function checkBy(its: Ajv2020, schema: object) {
  let validate: ValidateFunction | undefined;
  return (data: unknown) => {
    validate ??= its.compile(schema);
    return validate(data) || { error: validate.errors ?? [] };
  };
}

const writerOf =
  ({ schema }: { schema: object }) =>
  (answer: unknown): string => {
    const write = writers.get(schema) ?? fastJson(schema);
    writers.set(schema, write);
    return write(answer);
  };

function admitting(bound: Bound, { admission, rateLimits }: Binding): onRequestHookHandler {
  const rule = accessRule(bound);
  const admitCaller = callbackify(async (request: FastifyRequest) => {
    request.session = await rateLimits.lookUp(request, () => admit(request, rule, admission));
  });
  // a public read needs no check of the caller, so it continues synchronously
  const isOpen = bound.method === 'GET' && rule.roles.includes('visitor');
  return (request, _reply, done) => {
    const { authorization, cookie } = request.headers;
    if (isOpen && authorization === undefined && cookie === undefined) done();
    else admitCaller(request, done);
  };
}

/** Prepares the input for the schemas: splits lists in the URL, reads the body and runs its form's check. */
function reading(bound: Bound, options: Options, isMultipart: boolean): preValidationHookHandler {
  const { method, operation } = bound;
  const lists = (operation.parameters ?? []).filter(({ explode }) => explode === false).map(({ name }) => name);
  const jsonFields = isMultipart ? listsOfObjects(schemasOf(bound).body) : [];
  const readBody = callbackify(async (request: FastifyRequest) => {
    if (operation['x-file-limit'] && request.session && isStaff(request.session.role)) allowSlowUpload(request.raw);
    if (isMultipart) request.body = await readMultipart(request, jsonFields, operation['x-file-limit']);
    else if (request.isMultipart()) throw unsupportedMediaType();
    else if (!operation.requestBody?.required) request.body ??= {};
    options.refuse?.(request.body);
    const form = typeof options.form === 'function' ? await options.form(request.body) : options.form;
    if (form) request.body = checkForm(form, request.body);
  });
  return (request, _reply, done) => {
    if (lists.length > 0) request.query = { ...(request.query as object), ...splitLists(request.url, lists) };
    if (method === 'GET') done(request.isMultipart() ? unsupportedMediaType() : undefined);
    else readBody(request, done);
  };
}
