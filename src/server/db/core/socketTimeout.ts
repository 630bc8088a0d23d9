/**
 * Handles a database that hangs because of its disk, its process, or a network that drops packets. Queries would then wait
 * forever instead of failing. So a connection is closed when a query receives no byte for too long: the query fails as with
 * any lost connection, later ones (a rollback) fail immediately, and the pool drops the connection.
 * (pg's own `query_timeout` leaves the connection in use, and the rollback waits just as long again.)
 */
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/**
 * Private parts of pg: the client's socket, and whether the client is idle. tests/server/db/socketTimeout.test.ts fails if
 * an upgrade changes either.
 */
type Wire = { connection: { stream: Socket }; readyForQuery: boolean };
const wireOf = (client: object): Wire => client as Wire;

const patience = new WeakMap<ClientBase, number>();

/** Closes `client` whenever a query waits `afterMs` without socket activity. */
export function endOnSocketTimeout(client: ClientBase, afterMs: number): void {
  const wire = wireOf(client);
  const { stream } = wire.connection;
  patience.set(client, afterMs);
  stream.setTimeout(afterMs);
  stream.on('timeout', () => {
    if (!wire.readyForQuery) stream.destroy(new Error("Connection terminated: the database isn't responding"));
  });
}

/** Raises the timeout of `client` during `work`, if it has one. */
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
