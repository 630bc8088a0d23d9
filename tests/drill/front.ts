/**
 * One port for several processes, as a reverse proxy before the shop is: each request goes to the next of them, and to
 * another one when nobody listens there. What was under way in a process that dies is cut, and never sent again.
 */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export async function openFront(ports: readonly number[]) {
  const places = ports.map((port) => ({ host: '127.0.0.1', port, agent: new Agent({ keepAlive: true }) }));
  let turn = 0;
  const server = createServer((asked, answer) => {
    const first = turn++;
    const inTurn = places.map((_, each) => places[(first + each) % places.length] ?? {});
    passOn(asked, answer, inTurn);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      for (const { agent } of places) agent.destroy();
      await once(server, 'close');
    },
  };
}

type Place = { host?: string; port?: number; agent?: Agent };

function passOn(asked: IncomingMessage, answer: ServerResponse, [place, ...others]: Place[]): void {
  if (!place || answer.destroyed) return void answer.destroy(); // as it is where nobody listens
  const { method = 'GET', url: path = '/', headers } = asked;
  const sent = request({ ...place, method, path, headers });
  let isConnected = false;
  const hand = () => {
    isConnected = true; // and nothing of it was sent before
    asked.pipe(sent);
  };
  sent.once('socket', (socket) => (socket.connecting ? socket.once('connect', hand) : hand()));
  sent.once('response', (response) => {
    const { connection: _, 'keep-alive': _for, ...headers } = response.headers; // these two are about one way's own end
    answer.writeHead(response.statusCode ?? 500, headers);
    pipeline(response, answer, () => undefined); // cut here, it is cut there
  });
  sent.on('error', () => (isConnected ? answer.destroy() : passOn(asked, answer, others)));
  answer.once('close', () => sent.destroy());
}
