/** Sends several statements in one socket write: a write costs as much as a small statement. */
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** A private part of pg, used only here and in socketTimeout.ts, and checked by tests/server/db/transact.test.ts. */
type Wire = { connection: { stream: Socket } };

/**
 * Sends the queries of `send` together, with any others of the same turn of the event loop. The client must support
 * pipelining (`pipeline` in db/open.ts).
 */
export function sendTogether<T>(client: ClientBase, send: () => T): T {
  const { stream } = (client as unknown as Wire).connection;
  stream.cork();
  setImmediate(() => stream.uncork());
  return send();
}
