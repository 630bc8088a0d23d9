/**
 * Sends public cached responses before the framework sees the request. Routing, request and reply objects, hooks and query
 * checks cost twice as much as the response itself, and a cached response needs none of them. Only the simplest requests
 * take this path: a GET of the exact URL that was cached, with no cookie, token or body. All others take the normal path
 * and get the same response.
 * Rule: docs/rules/wire.md, Caching
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { encodingFor } from '../core/encodings';
import { namesTwoHosts } from '../core/headers';
import type { CachedResponse } from './cachedResponse';
import { writeEncoded } from './cachedResponse';

type Find = () => CachedResponse | undefined;
type Known = { find: Find; route: string; operation: string };

declare module 'fastify' {
  interface FastifyInstance {
    /** Registers the cache lookup for this exact URL, which must always mean the same response. */
    noteCached: (request: FastifyRequest, find: Find) => void;
    /** The request listener for every HTTP server of the shop. */
    answerRequest: RequestListener;
  }
}

type Parts = {
  logger: FastifyBaseLogger;
  /** The function that closeOrderly returns. */
  begin: (response: ServerResponse) => boolean;
  observe: ((operation: string, status: number, ms: number) => void) | undefined;
};

const maxKnown = 2_000;
const longest = 200;

/** Makes the server try the cache first, then the framework. */
export function answerCachedFirst(app: FastifyInstance, { logger, begin, observe }: Parts): void {
  const known = new LRUCache<string, Known>({ max: maxKnown });
  app.decorate('noteCached', ({ url, method, routeOptions }: FastifyRequest, find: Find) => {
    if (method !== 'GET' || url.length > longest || known.has(url)) return;
    const route = routeOptions.url ?? 'unknown';
    known.set(url, { find, route, operation: routeOptions.config.operationId ?? route });
  });
  const send = createSender(app, known, { logger, begin, observe });
  const [usual] = app.server.listeners('request') as RequestListener[];
  if (!usual) throw new Error("the server isn't serving requests yet");
  const listener: RequestListener = (request, response) => {
    if (!send(request, response)) usual(request, response);
  };
  app.server.removeListener('request', usual);
  app.server.on('request', listener);
  app.decorate('answerRequest', listener);
}

/** @returns a function that sends the cached response, if there is one, and returns whether it did */
function createSender(app: FastifyInstance, known: LRUCache<string, Known>, { logger, begin, observe }: Parts) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { headers, method, url = '', rawHeaders } = request;
    if (method !== 'GET' || !isPlain(headers) || namesTwoHosts(rawHeaders)) return false;
    const found = known.get(url);
    const page = found?.find();
    const ready = page?.inEncoding(encodingFor(headers['accept-encoding']));
    if (!found || !page || !ready || !('bytes' in ready) || !begin(response)) return false;
    const began = performance.now();
    response.once('close', () => {
      const ms = performance.now() - began;
      const { statusCode: status } = response;
      logger.info({ reqId: randomUUID(), method, route: found.route, status, ms: Math.round(ms * 10) / 10 });
      observe?.(found.operation, status, ms);
    });
    writeEncoded(headers, response, ready, app.safeHeaders, page.status);
    return true;
  };
}

const isPlain = (headers: IncomingMessage['headers']): boolean =>
  headers.cookie === undefined &&
  headers.authorization === undefined &&
  headers['content-type'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined;
