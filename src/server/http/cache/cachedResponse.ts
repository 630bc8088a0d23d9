/** A page, or an answer of the catalog, as the bytes that go out: compressed once. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { compressOnce, encodingFor, leastBytes, type Encoding } from '../core/encodings';
import { sendReady, type ReadyBytes } from './encodedResponse';

export type Page = { status: number; body: string; headers: Record<string, string> };

export type SealedPage = {
  readonly status: number;
  /**
   * The bytes as they are, or compressed: when they are asked for in that encoding for the first time, so that an answer
   * which nobody wants compressed, or only in one way, costs no more than that.
   */
  readonly inEncoding: (encoding: Encoding | undefined) => ReadyBytes | Promise<ReadyBytes>;
  /** Of all that may be kept, at most. */
  readonly totalBytes: number;
};

/** @returns the page with a strong ETag of its own for each encoding; what is too short to be compressed has one for all */
export function seal({ status, body, headers }: Page): SealedPage {
  const plain = Buffer.from(body);
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(plain).digest('base64url').slice(0, 27);
  const version = (bytes: Buffer, encoding?: Encoding): ReadyBytes => ({
    bytes,
    headers: {
      ...headers,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: encoding ? `"${hash}-${encoding}"` : `"${hash}"`,
      ...(encoding && { 'content-encoding': encoding }),
    },
  });
  const asItIs = version(plain);
  const isShort = plain.length <= leastBytes;
  const made: Partial<Record<Encoding, ReadyBytes | Promise<ReadyBytes>>> = {};
  const inEncoding = (encoding: Encoding | undefined) => {
    if (isShort || !encoding) return asItIs;
    return (made[encoding] ??= compress(encoding));
  };
  const compress = async (encoding: Encoding) => {
    try {
      return (made[encoding] = version(await compressOnce(plain, encoding), encoding));
    } catch (error) {
      delete made[encoding]; // the next who asks tries anew
      throw error;
    }
  };
  return { status, inEncoding, totalBytes: plain.length * (isShort ? 1 : 3) };
}

/** Sends the page in the encoding that the client takes, or 304 to one that has it. */
export function sendSealed(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, inEncoding }: SealedPage,
): FastifyReply | Promise<FastifyReply> {
  const ready = inEncoding(encodingFor(request.headers['accept-encoding']));
  if ('bytes' in ready) return sendReady(request, reply, ready, status);
  return ready.then((bytes) => sendReady(request, reply, bytes, status));
}
