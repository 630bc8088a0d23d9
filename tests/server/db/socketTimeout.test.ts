import net from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { isDatabaseOutOfReach } from '../../../src/server/db/core/errors';
import { endOnSocketTimeout } from '../../../src/server/db/core/socketTimeout';

/** The shop relies on internals of pg: after an upgrade these tests fail before anything else does. */
const opened: Client[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.end().catch(() => undefined)));
});

async function connect(config: ClientConfig = inject('database').config): Promise<Client> {
  const client = new Client(config);
  client.on('error', () => undefined);
  opened.push(client);
  await client.connect();
  return client;
}

test('pg has its socket and its readiness where the shop expects them', async () => {
  const client = await connect();
  expect(client).toMatchObject({ connection: { stream: expect.any(net.Socket) }, readyForQuery: true });
  const answer = client.query('select 1');
  expect(client).toMatchObject({ readyForQuery: false });
  await answer;
  expect(client).toMatchObject({ readyForQuery: true });
});

test('a connection with a query that waits too long is closed, and an idle one is not', async () => {
  const idle = await connect();
  const busy = await connect();
  const { stream } = (idle as Client & { connection: { stream: net.Socket } }).connection;
  for (const client of [idle, busy]) endOnSocketTimeout(client, 50);
  const sawSilence = new Promise((resolve) => stream.once('timeout', resolve));
  await expect(busy.query('select pg_sleep(10)')).rejects.toThrow(
    "Connection terminated: the database isn't responding",
  );
  await sawSilence;
  stream.setTimeout(10_000); // later queries may take longer on a busy machine
  expect((await idle.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('pg’s error for a lost connection counts as unreachable', async () => {
  const client = await connect();
  const said = [
    await reasonOf(connectToSilence()),
    await reasonOf(client.query('select pg_terminate_backend(pg_backend_pid())')),
    await reasonOf(client.query('select 1')),
  ];
  expect(said.filter((reason) => !isDatabaseOutOfReach(reason))).toEqual([]);
});

const reasonOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );

/** A server that accepts every client and never answers. */
async function connectToSilence(): Promise<unknown> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  try {
    return await connect({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 });
  } finally {
    server.close();
  }
}
