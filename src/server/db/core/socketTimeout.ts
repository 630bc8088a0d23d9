/**
 * A database that hangs: its disk, its process, or a network that drops packets. Then no query fails, and all of them
 * wait. So a connection is closed here when a query gets no byte for too long: the
 * query fails as with any lost connection, whatever is sent after it (a rollback) fails at once, and the pool drops it.
 * (pg's own `query_timeout` was tried: it leaves the connection in use, and the rollback waits as long again.)
 */
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/**
 * Private parts of pg, which only this file reads: the socket of a client, and whether the client waits for nothing. An
 * upgrade that moves either fails in tests/server/db/socketTimeout.test.ts.
 */
type Wire = { connection: { stream: Socket }; readyForQuery: boolean };
const wireOf = (client: object): Wire => client as Wire;

const patience = new WeakMap<ClientBase, number>();

/** From now on `client` is ended when a query has waited `afterMs` without a byte coming or going. */
export function endOnSocketTimeout(client: ClientBase, afterMs: number): void {
  const wire = wireOf(client);
  const { stream } = wire.connection;
  patience.set(client, afterMs);
  stream.setTimeout(afterMs);
  stream.on('timeout', () => {
    if (!wire.readyForQuery) stream.destroy(new Error('Connection terminated: the database does not answer'));
  });
}

/** Has `client` wait longer for what `work` asks it, if it is watched at all. */
export async function waitLonger<T>(client: ClientBase, forMs: number, work: () => Promise<T>): Promise<T> {
  const usual = patience.get(client);
  if (usual === undefined) return work();
  const { stream } = wireOf(client).connection;
  stream.setTimeout(forMs);
  try {
    return await work();
  } finally {
    stream.setTimeout(usual);
  }
}
