/**
 * Answers that are kept as the bytes that go out. They are written past the framework, with all their headers in the one
 * list that Node takes as it is: for so little work the framework's own way of answering would be most of the cost.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export type ReadyBytes = {
  readonly bytes: Buffer;
  /** Its own, with a strong `etag`; those that every answer carries come to them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, of the whole answer and of a 304; worked out when it is first sent. */
  lists?: { whole: string[]; unchanged: string[] };
};

/** Sends the bytes, or 304 to a client that has them. Nothing that was set on the reply goes along. */
export function sendReady(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  ready: ReadyBytes,
  status = 200,
): FastifyReply {
  reply.hijack();
  writeReady(headers, reply.raw, ready, reply.server.safeHeaders, status);
  return reply;
}

/** The same without the framework. @param safeHeaders those that every answer carries */
export function writeReady(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  ready: ReadyBytes,
  safeHeaders: Record<string, string>,
  status: number,
): void {
  const { whole, unchanged } = (ready.lists ??= listsOf(ready, safeHeaders));
  if (status === 200 && isSame(headers['if-none-match'], ready.headers['etag']))
    response.writeHead(304, unchanged).end();
  else response.writeHead(status, whole).end(ready.bytes); // Node leaves the body out of an answer to HEAD
}

function listsOf({ bytes, headers }: ReadyBytes, safeHeaders: Record<string, string>) {
  const unchanged = Object.entries({ ...safeHeaders, ...headers }).flat();
  return { unchanged, whole: [...unchanged, 'content-length', String(bytes.length)] };
}

/** `If-None-Match` is one tag, a list of them or `*`; a proxy may have marked a tag as weak on its way. */
function isSame(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
