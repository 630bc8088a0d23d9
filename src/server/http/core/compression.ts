/**
 * Compresses uncached JSON responses, quickly and off the main thread.
 *
 * Encryption does not hide the length of a response, and compression shortens repeated text. Someone who can repeatedly
 * place their own text beside a secret could guess the secret character by character (BREACH). So responses of the auth
 * endpoints (tokens, second factor keys, recovery codes) are never compressed, nor is any response to a request from
 * another site's page. Rule: docs/rules/wire.md, Compression
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callbackify } from 'node:util';
import { compressQuickly, minCompressedBytes, quickEncodingFor } from './encodings';

const compress = callbackify(compressQuickly);

export function compressAnswers(scope: FastifyInstance): void {
  const withSecrets = `${scope.prefix}/auth/`;

  scope.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || !isLong(payload) || !isJson(reply)) return done();
    if (request.routeOptions.url?.startsWith(withSecrets) || isOfOtherSite(request)) return done();
    reply.header('vary', 'accept-encoding');
    const encoding = quickEncodingFor(request.headers['accept-encoding']);
    if (!encoding) return done();
    compress(Buffer.from(payload), encoding, (error, compressed) => {
      if (error) return done(error);
      reply.header('content-encoding', encoding);
      done(null, compressed);
    });
  });
}

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const isLong = (payload: string) =>
  payload.length * 3 > minCompressedBytes &&
  (payload.length > minCompressedBytes || Buffer.byteLength(payload) > minCompressedBytes);

const isJson = (reply: FastifyReply) =>
  /^application\/(?:[\w.-]+\+)?json\b/.test(String(reply.getHeader('content-type')));

const isOfOtherSite = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';
