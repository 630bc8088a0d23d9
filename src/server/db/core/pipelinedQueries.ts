/** Statements that go out in one write: a write costs as much as a small statement. */
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** A private part of pg, which only this file and silence.ts read; tests/server/db/transact.test.ts tries it. */
type Wire = { connection: { stream: Socket } };

/**
 * What `send` asks `client`, and what is asked of it in the same turn of the event loop, goes out together. The client has
 * to be one that sends without waiting for the answer before (`pipeline` in db/open.ts).
 */
export function sendTogether<T>(client: ClientBase, send: () => T): T {
  const { stream } = (client as unknown as Wire).connection;
  stream.cork();
  setImmediate(() => stream.uncork());
  return send();
}
