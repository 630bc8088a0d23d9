/** A proxy between a browser and the shop: sees every call on the wire, and decides whether it passes. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface WireCall {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Undefined where no response came through. */
  answer?: { status: number; body: string } | undefined;
}

/** `lose`: the shop handles it, but its response never arrives. A response returned here replaces the shop's. */
export type Passage = 'pass' | 'lose' | 'break' | { status: number; body: string };

export type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** @param shopUrl the shop's URL @param decide the fate of an API call; pages and files always pass */
export async function openGateway(shopUrl: () => string, decide: (call: WireCall) => Passage = () => 'pass') {
  const calls: WireCall[] = [];
  const gateway = { decide, calls, url: '', close: () => Promise.resolve() };
  const server = createServer((incoming, outgoing) => {
    const isCall = /^\/(?:api\/|healthz)/.test(incoming.url ?? '');
    const work = isCall ? handle(incoming, outgoing) : forward(incoming, outgoing);
    work.catch(() => outgoing.destroy());
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const body = await buffer(incoming);
    const call: WireCall = { method, path, headers, body: body.toString() };
    calls.push(call);
    const passage = gateway.decide(call);
    if (passage === 'break') return void outgoing.destroy();
    if (typeof passage === 'object') {
      call.answer = passage;
      const type = passage.status < 400 ? 'application/json' : 'application/problem+json';
      return void outgoing.writeHead(passage.status, { 'content-type': type }).end(passage.body);
    }
    const answer = await ask(incoming, body);
    if (/event-stream/.test(answer.headers['content-type'] ?? '')) return pipe(answer, outgoing);
    const content = await buffer(answer);
    call.answer = { status: answer.statusCode ?? 0, body: content.toString() };
    if (passage === 'lose') return void outgoing.destroy();
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    pipe(await ask(incoming, await buffer(incoming)), outgoing);
  }

  function ask({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const plain = { ...headers, 'accept-encoding': 'identity' };
      request(new URL(url ?? '/', shopUrl()), { method, headers: plain }, resolve)
        .on('error', reject)
        .end(body);
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  gateway.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return gateway;
}

function pipe(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
  outgoing.on('close', () => answer.destroy());
}
