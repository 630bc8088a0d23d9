/** Errors in a form that may be logged: a failed query, a cause or a message may contain what people wrote. */
import { DrizzleQueryError } from 'drizzle-orm';
import { databaseErrorCode } from './errors';

export type LoggableFailure = {
  type: string;
  message: string;
  code?: string | undefined;
  constraint?: string;
  /** Where it happened, without the message that a stack begins with. */
  stack?: string;
  cause?: LoggableFailure;
};

const maxDepth = 5;

/** @returns names, places and causes of `error`, without values: no parameters of queries, no addresses of people */
export function describeFailure(error: unknown, depth = 1): LoggableFailure {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { stack = '', cause } = error;
  return {
    type: error.constructor.name,
    message: messageOf(error),
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...('constraint' in error && typeof error.constraint === 'string' && { constraint: error.constraint }),
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(cause !== undefined && depth < maxDepth && { cause: describeFailure(cause, depth + 1) }),
  };
}

function messageOf(error: Error): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  // class 22, data exceptions: PostgreSQL repeats the text that it could not take
  if (!error.cause && databaseErrorCode(error)?.startsWith('22')) return 'the database could not take a value';
  return withoutAddresses(error.message);
}

/** Word by word: a pattern that looks for the @ would take long on a long message without one. */
const withoutAddresses = (message: string) =>
  message
    .split(/(\s)/)
    .map((word) => (word.includes('@') ? '…@…' : word))
    .join('');
