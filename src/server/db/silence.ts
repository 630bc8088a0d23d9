/**
 * A database that is neither there nor gone: a hanging disk, a stopped process, a network that drops what it is given.
 * Nothing fails then, everything waits. So a connection on which a query hears nothing for too long is ended here: the
 * query fails as with any lost connection, whatever is sent after it (a rollback) fails at once, and the pool drops it.
 * (pg's own `query_timeout` was tried: it leaves the connection in use, and the rollback waits as long again.)
 */
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** What pg keeps to itself. */
type Wire = { connection: { stream: Socket }; readyForQuery: boolean };

const patience = new WeakMap<ClientBase, number>();

/** From now on `client` is ended when a query has waited `afterMs` without a byte coming or going. */
export function endWhenSilent(client: ClientBase, afterMs: number): void {
  const wire = client as unknown as Wire;
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
  const { stream } = (client as unknown as Wire).connection;
  stream.setTimeout(forMs);
  try {
    return await work();
  } finally {
    stream.setTimeout(usual);
  }
}
