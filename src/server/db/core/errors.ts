/** Finds the cause of a failed query in a chain of wrapped errors. */

/** @returns PostgreSQL's SQLSTATE or Node's error code, if `error` or one of its causes has one */
export function databaseErrorCode(error: unknown): string | undefined {
  for (const each of causesOf(error)) if ('code' in each && typeof each.code === 'string') return each.code;
  return undefined;
}

/**
 * Lets a database constraint enforce a rule: with a check beforehand, two concurrent writes could both pass.
 * @returns the result of `write`
 * @throws the error of `rejection` when the constraint is violated
 */
export async function refuseViolation<T>(write: Promise<T>, constraint: string, rejection: () => Error): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw violatedConstraint(error) === constraint ? rejection() : error;
  }
}

/** @returns the name of the violated constraint, if any */
function violatedConstraint(error: unknown): string | undefined {
  for (const each of causesOf(error))
    if ('constraint' in each && typeof each.constraint === 'string') return each.constraint;
  return undefined;
}

/** The error itself and the errors it wraps. */
function* causesOf(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) yield at;
}

/**
 * Errors from database connections. The code alone is ambiguous: files, mail servers and S3 use the same codes.
 */
const lostConnections = new WeakSet<Error>();

/** Notes that a connection to the database failed with this error, so that isDatabaseOutOfReach knows it again. */
export function markLostConnection(error: unknown): void {
  if (error instanceof Error) lostConnections.add(error);
}

// SQLSTATE. 08: connection, 53: resources, 57P0x: shut down, crashed or starting, 57014 and 55P03: statement or lock
// timeout, 25006: read-only, since another server is the primary now
const outOfReach = /^(08...|25006|53[023]00|57P0[1-5]|57014|55P03)$/;
/** Messages of pg's errors without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection)/;

/** Too many calls are waiting for a connection, so this one was rejected. */
export class TooManyWaiting extends Error {}

export const isTooManyWaiting = (error: unknown): boolean =>
  [...causesOf(error)].some((cause) => cause instanceof TooManyWaiting);

/** Whether the database was unreachable or overloaded, rather than refusing the query. */
export function isDatabaseOutOfReach(error: unknown): boolean {
  if (isTooManyWaiting(error)) return true;
  if (outOfReach.test(databaseErrorCode(error) ?? '')) return true;
  return [...causesOf(error)].some((cause) => lostConnections.has(cause) || lostConnection.test(cause.message));
}

/** Whether a disk or quota is full: the database's (53100) or our own, or a file is too large. */
export const isDiskFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'].includes(databaseErrorCode(error) ?? '');

/** Whether it is a deadlock or a lock timeout. */
export const isInTheWay = (error: unknown): boolean => ['40P01', '55P03'].includes(databaseErrorCode(error) ?? '');
