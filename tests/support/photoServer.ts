/** A server on this machine that stands for another shop's photos on the web: https://photos.example. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Web } from '../../src/server/pictures/photoDownload';

/** A certificate for photos.example and its subdomains, with its key: public, and of no use elsewhere. */
const pem = readFileSync('tests/data/photos.example.pem', 'utf8');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
export type PhotoServer = Awaited<ReturnType<typeof startPhotoServer>>;

/** Takes the addresses of this machine for public ones. */
export const localWeb: Web = {
  resolve: async () => ['127.0.0.1'],
  isAllowed: (address) => address.startsWith('127.'),
  ca: pem,
  overallMs: 5_000,
  idleMs: 2_000,
  pauseMs: 0,
};

export async function startPhotoServer() {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const addresses: string[] = [];
  const server = createServer({ cert: pem, key: pem }, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    addresses.push(request.socket.localAddress ?? '');
    const answer = answers.get(path);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const at = (path: string, host = 'photos.example') => `https://${host}:${port}${path}`;
  const serve = (path: string, answer: Answer): string => {
    answers.set(path, answer);
    return at(path);
  };
  return {
    port,
    web: localWeb,
    at,
    /** The paths of all requests, in order. */
    asked,
    /** At which address of this machine each request arrived. */
    addresses,
    serve,
    photo: (path: string, file: Buffer) => serve(path, (_, response) => response.end(file)),
    status: (path: string, status: number, headers: Record<string, string> = {}) =>
      serve(path, (_, response) => response.writeHead(status, headers).end()),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
