/**
 * Responses cached as the bytes that go out, compressed once. They are written past the framework, with all their headers
 * in the one list that Node takes: the framework's own way of answering would be most of the cost.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { compressOnce, encodingFor, minCompressedBytes, type Encoding } from '../core/encodings';

export type PlainResponse = { status: number; body: string; headers: Record<string, string> };

export type CachedResponse = {
  readonly status: number;
  /** The bytes in one encoding. They are compressed at the first request for that encoding. */
  readonly inEncoding: (encoding: Encoding | undefined) => EncodedResponse | Promise<EncodedResponse>;
  /** At most, in all encodings. */
  readonly totalBytes: number;
};

export type EncodedResponse = {
  readonly bytes: Buffer;
  /** Its own, with a strong `etag`, without those that every response carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, of the whole response and of a 304; built when it is first sent. */
  lists?: { whole: string[]; unchanged: string[] };
};

/** @returns the response with a strong ETag for each encoding; one too short to compress has a single ETag */
export function toCached({ status, body, headers }: PlainResponse): CachedResponse {
  const plain = Buffer.from(body);
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(plain).digest('base64url').slice(0, 27);
  const version = (bytes: Buffer, encoding?: Encoding): EncodedResponse => ({
    bytes,
    headers: {
      ...headers,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: encoding ? `"${hash}-${encoding}"` : `"${hash}"`,
      ...(encoding && { 'content-encoding': encoding }),
    },
  });
  const uncompressed = version(plain);
  const isShort = plain.length <= minCompressedBytes;
  const encoded: Partial<Record<Encoding, EncodedResponse | Promise<EncodedResponse>>> = {};
  const inEncoding = (encoding: Encoding | undefined) => {
    if (isShort || !encoding) return uncompressed;
    return (encoded[encoding] ??= compress(encoding));
  };
  const compress = async (encoding: Encoding) => {
    try {
      return (encoded[encoding] = version(await compressOnce(plain, encoding), encoding));
    } catch (error) {
      delete encoded[encoding]; // the next request tries again
      throw error;
    }
  };
  return { status, inEncoding, totalBytes: plain.length * (isShort ? 1 : 3) };
}

/** Sends the response in the encoding that the client accepts, or 304 to a client that has it. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, inEncoding }: CachedResponse,
): FastifyReply | Promise<FastifyReply> {
  const encoded = inEncoding(encodingFor(request.headers['accept-encoding']));
  if ('bytes' in encoded) return sendEncoded(request, reply, encoded, status);
  return encoded.then((ready) => sendEncoded(request, reply, ready, status));
}

/** Sends the bytes, or 304 to a client that has them. Headers that were set on the reply are not sent. */
export function sendEncoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  encoded: EncodedResponse,
  status = 200,
): FastifyReply {
  reply.hijack();
  writeEncoded(headers, reply.raw, encoded, reply.server.safeHeaders, status);
  return reply;
}

/** The same without the framework. @param safeHeaders those that every response carries */
export function writeEncoded(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  encoded: EncodedResponse,
  safeHeaders: Record<string, string>,
  status: number,
): void {
  const { whole, unchanged } = (encoded.lists ??= listsOf(encoded, safeHeaders));
  if (status === 200 && matches(headers['if-none-match'], encoded.headers['etag']))
    response.writeHead(304, unchanged).end();
  else response.writeHead(status, whole).end(encoded.bytes); // Node leaves the body out for HEAD
}

function listsOf({ bytes, headers }: EncodedResponse, safeHeaders: Record<string, string>) {
  const unchanged = Object.entries({ ...safeHeaders, ...headers }).flat();
  return { unchanged, whole: [...unchanged, 'content-length', String(bytes.length)] };
}

/** `If-None-Match` is one tag, a list of them or `*`; a proxy may have marked a tag as weak. */
function matches(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
