/** Makes errors safe to log: queries, causes and messages may contain users' data. */
import { DrizzleQueryError } from 'drizzle-orm';
import { databaseErrorCode } from './errors';

export type LoggableFailure = {
  type: string;
  message: string;
  code?: string | undefined;
  constraint?: string;
  /** The stack without the leading message. */
  stack?: string;
  cause?: LoggableFailure;
};

const maxDepth = 5;

/** @returns the types, stacks and causes of `error`, without query parameters and email addresses */
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
  // class 22, data exceptions: the message repeats the invalid value
  if (!error.cause && databaseErrorCode(error)?.startsWith('22')) return 'the database rejected a value';
  return withoutAddresses(error.message);
}

/** Word by word: a regular expression that searches for the @ would be slow on a long message without one. */
const withoutAddresses = (message: string) =>
  message
    .split(/(\s)/)
    .map((word) => (word.includes('@') ? '…@…' : word))
    .join('');
