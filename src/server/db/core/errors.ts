/** Reads the cause of a failed query, through the errors that wrap it. */

/** @returns PostgreSQL's SQLSTATE or Node's error code, if `error` or one of its causes has one */
export function databaseErrorCode(error: unknown): string | undefined {
  for (const each of causesOf(error)) if ('code' in each && typeof each.code === 'string') return each.code;
  return undefined;
}

/**
 * Leaves a rule to the database: asking first would let two writes pass at the same moment.
 * @returns what `write` gives
 * @throws what `refusal` makes when the constraint refused the write
 */
export async function refuseViolation<T>(write: Promise<T>, constraint: string, rejection: () => Error): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw violatedConstraint(error) === constraint ? rejection() : error;
  }
}

/** @returns the name of the constraint that refused a write, if one did */
function violatedConstraint(error: unknown): string | undefined {
  for (const each of causesOf(error))
    if ('constraint' in each && typeof each.constraint === 'string') return each.constraint;
  return undefined;
}

/** The error itself, and those that it wraps. */
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

// SQLSTATE. 08: connection, 53: resources, 57P0x: shut down, crashed or starting, 57014 and 55P03: a statement or lock
// took too long; 25006: this is a replica, since another is the primary now
const outOfReach = /^(08...|25006|53[023]00|57P0[1-5]|57014|55P03)$/;
/** What pg says without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection)/;

/** So many wait for a connection that this one is told to come back. */
export class TooManyWaiting extends Error {}

export const isTooManyWaiting = (error: unknown): boolean =>
  [...causesOf(error)].some((cause) => cause instanceof TooManyWaiting);

/** Whether the database was unreachable or overloaded, rather than refusing the query. */
export function isDatabaseOutOfReach(error: unknown): boolean {
  if (isTooManyWaiting(error)) return true;
  if (outOfReach.test(databaseErrorCode(error) ?? '')) return true;
  return [...causesOf(error)].some((cause) => lostConnections.has(cause) || lostConnection.test(cause.message));
}

/** Whether there is no room to write: in the database (53100), on our own disk, in our quota, past the largest file. */
export const isDiskFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'].includes(databaseErrorCode(error) ?? '');

/** Whether two transactions waited for each other, or one waited for a lock longer than it may. */
export const isInTheWay = (error: unknown): boolean => ['40P01', '55P03'].includes(databaseErrorCode(error) ?? '');
