/**
 * JSON answers that are made for one call are compressed on their way out, quickly and outside the thread that answers.
 *
 * An encrypted answer shows how long it is, and compressed it is shorter where it repeats itself: who can have a text of
 * theirs put beside a secret, again and again, could guess that secret sign by sign (BREACH). So what the calls of
 * signing in answer (tokens, keys of a second factor, recovery codes) is never compressed, nor anything that another
 * site's page asked for in a user's name. Rule: docs/rules/wire.md, Compression
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callbackify } from 'node:util';
import { compressQuickly, leastBytes, quickEncodingFor } from './encodings';

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

/** A sign takes three bytes at most. */
const isLong = (payload: string) =>
  payload.length * 3 > leastBytes && (payload.length > leastBytes || Buffer.byteLength(payload) > leastBytes);

const isJson = (reply: FastifyReply) =>
  /^application\/(?:[\w.-]+\+)?json\b/.test(String(reply.getHeader('content-type')));

const isOfOtherSite = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';
