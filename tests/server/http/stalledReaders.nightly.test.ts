import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endStalledReaders } from '../../../src/server/http/limits/stalledReaders';

const patienceMs = 2_500; // a busy machine stalls all of them for a moment
const page = Buffer.alloc(100_000, 'x');
const server = createServer((_request, response) => response.end(page));

beforeAll(async () => {
  endStalledReaders(server, patienceMs);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Requests this many pages in parallel on one connection. */
async function askFor(pages: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let isClosed = false;
  socket.on('close', () => (isClosed = true)).on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(pages));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, isClosed: () => isClosed };
}
const connections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

test('a client that requests hundreds of pages on one connection and reads none is disconnected', async () => {
  const { socket } = await askFor(400);
  await expect.poll(connections).toBe(1);
  await expect.poll(connections).toBe(0);
  socket.destroy();
});

test('a client that reads a little now and then gets all of it', async () => {
  const { socket, isClosed } = await askFor(60);
  let taken = 0;
  socket.on('data', (chunk: Buffer) => {
    taken += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 10);
  });
  socket.resume();
  await expect.poll(() => taken > 60 * page.length || isClosed(), { timeout: 120_000 }).toBe(true);
  expect(isClosed()).toBe(false);
  socket.destroy();
});
