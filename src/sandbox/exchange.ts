import type { IncomingMessage, ServerResponse } from 'node:http';

/** A body is larger than its route accepts. */
export class BodyTooLarge extends Error {}

const safety = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const oneYearSeconds = 31_536_000;

/**
 * Sets the headers of every response.
 * @param publicUrl where browsers reach the provider; with https, they get a Strict-Transport-Security header
 */
export function setSafetyHeaders(response: ServerResponse, publicUrl: string): void {
  for (const [name, value] of Object.entries(safety)) response.setHeader(name, value);
  if (publicUrl.startsWith('https:'))
    response.setHeader('Strict-Transport-Security', `max-age=${oneYearSeconds}; includeSubDomains`);
}

/** @throws BodyTooLarge; the rest of the body is not read, and the connection closes after the response */
export async function readBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.setHeader('Connection', 'close');
      throw new BodyTooLarge('The body is too large.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
}

/** Aborts once the response was sent or the client closed the connection. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
