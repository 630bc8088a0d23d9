/** Errors that the caller can act on, and the one handler that turns any error into a response. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemCode, Schema } from '../../../shared/contract';
import { unexpected } from '../../../shared/failures';
import { errorMessages } from '../../../shared/errorMessages';
import { databaseErrorCode, isDatabaseOutOfReach, isDiskFull, isTooManyWaiting } from '../../db/core/errors';
import { describeFailure } from '../../db/core/loggedErrors';

export type FieldError = Schema<'FieldError'>;
type ProblemExtras = {
  errors?: FieldError[];
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** The current cost of the order, when the total that was shown is out of date. */
  quote?: Schema<'Quote'>;
};

/** An error the caller can act on. `message` is fit for a toast; `code` is for programs and must be listed in openapi/. */
export class Problem extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(status: number, code: ProblemCode, message: string, extras: ProblemExtras = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extras = extras;
  }
}

export const invalid = (message: string, errors: FieldError[] = [], code: ProblemCode = 'invalid_request') =>
  new Problem(400, code, message, { errors });
export const unauthenticated = (message = 'Log in to continue') => new Problem(401, 'unauthenticated', message);
export const forbidden = (message = "You don't have permission to do this") => new Problem(403, 'forbidden', message);
export const notFound = (code: ProblemCode = 'not_found', message = 'Not found') => new Problem(404, code, message);
export const conflict = (code: ProblemCode, message: string, errors: FieldError[] = []) =>
  new Problem(409, code, message, { errors });
export const tooManyRequests = (retryAfterSeconds: number, message: string, code: ProblemCode = 'too_many_requests') =>
  new Problem(429, code, message, { retryAfterSeconds });
export const unsupportedMediaType = () =>
  new Problem(415, 'unsupported_media_type', "This content type isn't supported");
export const unavailable = () =>
  new Problem(503, 'unavailable', 'The shop is busy right now. Try again in a moment.', { retryAfterSeconds: 2 });
export const storageFull = () => new Problem(507, 'storage_full', errorMessages.noSpace, { retryAfterSeconds: 30 });

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

/** The error handler of the whole server: always problem+json, and for internal errors only the request id. */
export function answerWithProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = asProblem(error);
    if (isTurnedAway(error)) request.log.info({ code: problem.code }, 'request sent away: the shop is busy');
    else if (problem.status >= 500) request.log.error({ failure: describeFailure(error) }, 'request failed');
    return sendProblem(request, reply, problem);
  });
}

/** Whether the request was turned away because the shop is busy, rather than failed. */
const isTurnedAway = (error: unknown): boolean =>
  isTooManyWaiting(error) || (error instanceof Problem && error.code === 'unavailable' && error.cause === undefined);

/** Answers a request that reached no route or hook, because its URL is malformed or too long. */
export const sendFrameworkError = (request: FastifyRequest, reply: FastifyReply, error: FastifyError): FastifyReply =>
  sendProblem(request, reply, fromFrameworkError(error));

/** Sends `problem` as RFC 9457 problem+json. Rule: docs/rules/wire.md, Errors */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { errors, retryAfterSeconds, headers, quote } = problem.extras;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterSeconds)));
  if (headers) reply.headers(headers);
  const body: Schema<'Problem'> = {
    type: 'about:blank',
    title: titles[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    message: problem.message,
    code: problem.code,
    errors: errors ?? [],
    requestId: request.id,
    ...(quote && { quote }),
  };
  return reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(body);
}

// a NUL character, which PostgreSQL's text and jsonb cannot store
const untranslatable = new Set<string | undefined>(['22021', '22P05']);

export function asProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error;
  if (error.validation) {
    const errors = ofLikeliestBranch(error.validation).map(asFieldError);
    const [first] = errors;
    return invalid(first ? `${first.field || 'The request'} ${first.message}` : errorMessages.invalid, errors);
  }
  if (untranslatable.has(databaseErrorCode(error))) return invalid(errorMessages.notStorable);
  if (isDiskFull(error)) return storageFull();
  if (isDatabaseOutOfReach(error)) return unavailable();
  return fromFrameworkError(error);
}

type ValidationError = NonNullable<FastifyError['validation']>[number];

/** For a body with alternative schemas, keeps only the errors about values: those of the other schema would confuse. */
function ofLikeliestBranch(errors: readonly ValidationError[]): readonly ValidationError[] {
  const inBranches = errors.filter(({ keyword }) => keyword !== 'oneOf');
  const aboutValues = inBranches.filter(({ keyword }) => keyword !== 'required' && keyword !== 'additionalProperties');
  const isOneOf = inBranches.length < errors.length;
  return isOneOf && aboutValues.length > 0 ? aboutValues : inBranches;
}

function asFieldError({ instancePath, params, message = "isn't valid", keyword }: ValidationError): FieldError {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const named = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  const field = [path, typeof named === 'string' ? named : ''].filter(Boolean).join('.');
  return { field, message: wordsFor[keyword]?.(params) ?? message };
}

/** Ajv's messages address programmers; these replace them in toasts. */
const wordsFor: Record<string, (params: ValidationError['params']) => string> = {
  additionalProperties: () => "isn't a known field",
  required: () => 'is required',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be no more than ${String(limit)}`,
  minLength: ({ limit }) => `must be at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must be no more than ${String(limit)} characters`,
  format: () => "isn't valid",
  pattern: () => "isn't valid",
  enum: () => "isn't one of the allowed values",
};

/** The framework's own errors (too large, not JSON, unknown type) keep their status but not their wording. */
function fromFrameworkError(error: FastifyError): Problem {
  switch (error.statusCode) {
    case 400:
      return invalid(errorMessages.unreadable);
    case 403: // a folder, or a path that leaves one
    case 404:
    case 414: // a path segment is longer than any id or name
      return notFound();
    case 412:
    case 416:
      return new Problem(error.statusCode, 'invalid_request', "This part of the file can't be sent");
    case 413:
      return new Problem(413, 'payload_too_large', 'The request is too large');
    case 415:
      return unsupportedMediaType();
    case 429:
    case 503:
      return unavailable();
    default:
      return new Problem(500, 'internal', unexpected);
  }
}
