import cookies from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import { authRoutes } from './auth/routes';
import type { Sessions } from './auth/sessions';
import { cartRoutes } from './cart/routes';
import { onCatalogChange } from './catalog/changes';
import { catalogRoutes } from './catalog/routes';
import type { Clock } from './clock';
import type { Config } from './config';
import type { Notices } from './db/notices';
import type { Db } from './db/transact';
import { closeOrderly } from './http/closing';
import { createClientErrorHandler } from './http/clientErrors';
import { bindContract } from './http/contract';
import { safeHeaders, sendSafeHeaders } from './http/headers';
import { acceptJson } from './http/json';
import { notBuiltYet } from './http/notBuilt';
import { servePages } from './http/pages';
import { answerWithProblems, sendFrameworkError } from './http/problems';
import { orderRoutes } from './orders/routes';
import type { Payments } from './payments/provider';
import { paymentRoutes } from './payments/routes';
import { userRoutes } from './users/routes';

export type Parts = {
  config: Pick<Config, 'publicUrl' | 'dataDir' | 'trustProxy'>;
  db: Db;
  notices: Notices;
  clock: Clock;
  sessions: Sessions;
  payments: Payments;
  logger: FastifyBaseLogger;
  /** Where the built browser app lies, with what draws its pages beside it; without it only the API is served. */
  webFolder: string | undefined;
};

const kilobyte = 1024;
const maxBodyBytes = 1024 * kilobyte;
const maxFileBytes = 10 * 1024 * kilobyte;

/** The shop's server, not yet listening: plugins in order, then the features. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, db, clock, sessions, logger } = parts;
  const headers = safeHeaders(config.publicUrl.protocol === 'https:');
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }), // one line per request, by logRequest
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: maxBodyBytes,
    requestTimeout: 15_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 10_000,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true, // after closeOrderly
    return503OnClosing: false, // it says so in the shop's own form
    frameworkErrors: (error, request, reply) => {
      void sendFrameworkError(request, reply.headers(headers), error);
      logRequest(request, reply);
    },
    clientErrorHandler: createClientErrorHandler(headers),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * kilobyte },
  });
  sendSafeHeaders(app, headers);
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
  answerWithProblems(app);
  closeOrderly(app);
  await app.register(cookies);
  serveHealth(app, parts);
  await app.register(
    async (scope) => {
      acceptJson(scope);
      await scope.register(multipart, {
        limits: {
          fileSize: maxFileBytes,
          files: 1,
          fields: 40,
          fieldNameSize: 60,
          fieldSize: 20 * kilobyte,
          parts: 41,
        },
      });
      const api = bindContract(scope, {
        db,
        clock,
        admission: { authenticate: sessions.authenticate, publicOrigin: config.publicUrl.origin },
      });
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store'); // a catalog answer says otherwise
      });
      authRoutes(api, parts);
      userRoutes(api);
      catalogRoutes(api, parts);
      cartRoutes(api);
      orderRoutes(api, parts);
      paymentRoutes(api, parts);
      api.complete(notBuiltYet);
    },
    { prefix: '/api' },
  );
  await servePages(app, { ...parts, onCatalogChange });
  return app;
}

/** One JSON line per request: the route's pattern, never the URL, so that no token or address gets into the log. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(request.session && { actor: request.session.userId }),
  });
}

/** /healthz: the process lives. /readyz: it can do its work, which needs the database. */
function serveHealth(app: FastifyInstance, { db, notices }: Parts): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady =
      notices.connected &&
      (await db.execute('select 1').then(
        () => true,
        () => false,
      ));
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'unavailable' });
  });
}
