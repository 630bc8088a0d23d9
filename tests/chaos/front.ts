/**
 * A reverse proxy: one port for several processes. Each request goes to the next process, or to another one when that
 * one does not listen. A request that is in flight in a process that dies is cut, and never sent again.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export async function openFront(ports: readonly number[]) {
  const backends = ports.map((port) => ({ host: '127.0.0.1', port, agent: new Agent({ keepAlive: true }) }));
  let turn = 0;
  const server = createServer((asked, answer) => {
    const first = turn++;
    const inTurn = backends.map((_, each) => backends[(first + each) % backends.length] ?? {});
    passOn(asked, answer, inTurn);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const { agent } of backends) agent.destroy();
      await once(server, 'close');
    },
  };
}

type Backend = { host?: string; port?: number; agent?: Agent };

function passOn(asked: IncomingMessage, answer: ServerResponse, [backend, ...others]: Backend[]): void {
  if (!backend || answer.destroyed) return void answer.destroy(); // as a port without a listener does
  const { method = 'GET', url: path = '/', headers } = asked;
  const sent = request({ ...backend, method, path, headers });
  let isConnected = false;
  const hand = () => {
    isConnected = true; // nothing of the request was sent before
    asked.pipe(sent);
  };
  sent.once('socket', (socket) => (socket.connecting ? socket.once('connect', hand) : hand()));
  sent.once('response', (response) => {
    const { connection: _, 'keep-alive': _for, ...headers } = response.headers; // they concern one connection only
    answer.writeHead(response.statusCode ?? 500, headers);
    pipeline(response, answer, () => undefined); // a connection that is cut on one side is cut on the other
  });
  sent.on('error', () => (isConnected ? answer.destroy() : passOn(asked, answer, others)));
  answer.once('close', () => sent.destroy());
}
