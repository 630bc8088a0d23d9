/** Calls operations by name, as a user or a visitor, and checks every response against the contract. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { UserRole } from '../../src/server/db/schema/tables';
import type { DataOf, OperationId, PathOf, ProblemCode, Schema } from '../../src/shared/contract';
import { findContractBreach, requireOperation, type ContractOperation } from './contract';
import { withStatements } from './statements';

export type Person = { userId: string; cartId: string; email: string; role: UserRole; token: string };

export type CallOptions<Id extends OperationId> = {
  as?: Person | undefined;
  path?: PathOf<Id>;
  /** Query and body, unlike the path, are untyped, since many tests send invalid ones. */
  query?: Record<string, unknown>;
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
};

export type Answer<Id extends OperationId> = {
  status: number;
  /** The data of a success; undefined for an error, though the type does not say so. */
  data: DataOf<Id>;
  message: string;
  code: ProblemCode | undefined;
  errors: { field: string; message: string }[];
  /** What the order costs now, in the error about a changed total. */
  quote: Schema<'Quote'> | undefined;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
  /** How many statements the call sent to the database, without begin and commit. */
  statements: number;
};

const isEndless = (id: OperationId) => 'text/event-stream' in (requireOperation(id).responses['200']?.content ?? {});

/** The first chunk of an endless stream. */
async function readFirst(stream: Readable): Promise<string> {
  for await (const chunk of stream) return String(chunk);
  return '';
}

/** Calls operations by name through the whole app. @throws when a response breaks the contract */
export const caller = (app: FastifyInstance) => callerBy((request) => app.inject(request));

/** The same over the network, to the server at `url`. Cannot read endless streams. */
export const callerAt = (url: string) =>
  callerBy(async ({ method, url: pathname, query, headers, payload }) => {
    const response = await fetch(`${url}${pathname}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
      ...(payload && { body: JSON.stringify(payload) }),
    });
    const body = await response.text();
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body,
      stream: () => Readable.from([body]),
    };
  });

type Request = {
  method: ContractOperation['method'];
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload?: object;
};
type Response = {
  statusCode: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
  stream: () => Readable;
};

function callerBy(send: (request: Request) => Promise<Response>) {
  return async function call<Id extends OperationId>(id: Id, options: CallOptions<Id> = {}): Promise<Answer<Id>> {
    const { path: template, method } = requireOperation(id);
    const values = (options.path ?? {}) as Record<string, string>;
    const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const isStream = isEndless(id);
    const sent = {
      method,
      ...(isStream && { payloadAsStream: true }),
      url: `/api${url}`,
      query: (options.query ?? {}) as Record<string, string>,
      headers: {
        ...(options.as && { authorization: `Bearer ${options.as.token}` }),
        ...(options.key && { 'idempotency-key': options.key }),
        ...options.headers,
      },
      ...(options.body !== undefined && { payload: options.body as object }),
    };
    const { result: response, statements } = await withStatements(() => send(sent));
    const text = isStream ? await readFirst(response.stream()) : response.body;
    const isJson = /json/.test(String(response.headers['content-type'] ?? ''));
    const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, never>;
    const type = String(response.headers['content-type'] ?? '');
    const breach =
      response.statusCode === 304 ? undefined : findContractBreach(id, response.statusCode, type, isJson ? body : text);
    if (breach) throw new Error(`${breach}\n${text.slice(0, 1000)}`);
    return {
      status: response.statusCode,
      data: body['data'] as unknown as DataOf<Id>,
      message: body['message'] ?? '',
      code: body['code'],
      errors: body['errors'] ?? [],
      quote: body['quote'],
      headers: response.headers,
      body,
      statements,
    };
  };
}
