/** Reads the cause of a failed query, through the errors that wrap it. */

/** @returns PostgreSQL's SQLSTATE or Node's error code, if `error` or one of its causes has one */
export function databaseErrorCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

/** @returns the name of the constraint that refused a write, if one did */
export function violatedConstraint(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('constraint' in at && typeof at.constraint === 'string') return at.constraint;
  }
  return undefined;
}

// 08: connection, 53: resources, 57P0x: shut down, crashed or starting, 57014 and 55P03: a statement or lock took too long;
// EAGAIN: so many wait on its socket that it takes no more; 25006: this is a replica, since another is the primary now
const outOfReach =
  /^(08...|25006|53[023]00|57P0[1-5]|57014|55P03|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAGAIN)$/;
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection)/;

/** Whether the database was unreachable or overloaded, rather than refusing the query. */
export function isDatabaseOutOfReach(error: unknown): boolean {
  if (outOfReach.test(databaseErrorCode(error) ?? '')) return true;
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (lostConnection.test(at.message)) return true;
  }
  return false;
}

/** Whether there is no room to write: in the database (53100), on our own disk, in our quota, past the largest file. */
export const isDiskFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'].includes(databaseErrorCode(error) ?? '');
