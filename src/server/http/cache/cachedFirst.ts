/**
 * A kept answer that everybody may have is sent before the framework looks at the request: of what that would do (a route,
 * a request and a reply of its own, hooks, checks of the query) such an answer needs nothing, and it cost twice as much as
 * the answer. Only the plainest request is taken here: a GET in the very spelling for which the answer was kept before,
 * of nobody (no cookie, no token), without a body. All others go their usual way, with the same answer.
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
    /** Remembers how the answer to this very URL is found, if it is kept. Whatever a URL says, it says it always. */
    noteCached: (request: FastifyRequest, find: Find) => void;
    /** Answers a request of any server that is the shop's. */
    answerRequest: RequestListener;
  }
}

type Parts = {
  logger: FastifyBaseLogger;
  /** As closeOrderly gives it. */
  begin: (response: ServerResponse) => boolean;
  observe: ((operation: string, status: number, ms: number) => void) | undefined;
};

const maxKnown = 2_000;
const longest = 200;

/** From now on the server answers with what is kept, else as the framework does. */
export function answerCachedFirst(app: FastifyInstance, { logger, begin, observe }: Parts): void {
  const known = new LRUCache<string, Known>({ max: maxKnown });
  app.decorate('noteCached', ({ url, method, routeOptions }: FastifyRequest, find: Find) => {
    if (method !== 'GET' || url.length > longest || known.has(url)) return;
    const route = routeOptions.url ?? 'unknown';
    known.set(url, { find, route, operation: routeOptions.config.operationId ?? route });
  });
  const send = createSender(app, known, { logger, begin, observe });
  const [usual] = app.server.listeners('request') as RequestListener[];
  if (!usual) throw new Error('the server answers nothing yet');
  const listener: RequestListener = (request, response) => {
    if (!send(request, response)) usual(request, response);
  };
  app.server.removeListener('request', usual);
  app.server.on('request', listener);
  app.decorate('answerRequest', listener);
}

/** @returns sends what is kept, and whether it did */
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
