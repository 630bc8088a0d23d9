import cookies from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from 'pg';
import { alarmRoutes } from './alarms/routes';
import { auditRoutes } from './audit/routes';
import { authRoutes } from './auth/routes';
import type { Secrets } from './auth/secrets';
import type { Sessions } from './auth/sessions';
import { sessionEndedChannel } from './auth/endedSessions';
import { cartRoutes } from './cart/routes';
import { onCatalogChange } from './catalog/changes';
import { findPosition } from './catalog/feed';
import { catalogRoutes } from './catalog/routes';
import type { Clock } from './clock';
import type { Config } from './config';
import type { Notices } from './db/notices';
import type { Replica } from './db/replica';
import { dashboardRoutes } from './dashboard/routes';
import type { Db } from './db/transact';
import { contactPageForm } from './contact/pageForm';
import { contactRoutes } from './contact/routes';
import { closeOrderly } from './http/closing';
import { createClientErrorHandler } from './http/clientErrors';
import { bindContract } from './http/contract';
import { serveHealth } from './http/health';
import { refuseTwoHosts, safeHeaders, sendSafeHeaders } from './http/headers';
import { acceptJson } from './http/json';
import { openLive } from './http/live';
import { maxFileBytes } from './http/multipart';
import { endStalledReaders } from './http/stalledReaders';
import { shedOverload } from './http/overload';
import { servePages } from './http/pages';
import { answerWithProblems, sendFrameworkError } from './http/problems';
import { mailRoutes } from './mail/routes';
import type { MailParts } from './mail/send';
import { checkEveryMs } from './listen';
import type { Metrics } from './metrics/metrics';
import { orderRoutes } from './orders/routes';
import type { Payments } from './payments/provider';
import { paymentRoutes } from './payments/routes';
import type { PictureStore } from './pictures/files';
import { serveRemotePictures } from './pictures/remotePictures';
import { pictureRoutes } from './pictures/routes';
import { settingsRoutes } from './settings/routes';
import { keepSettings, onSettingsChange } from './settings/service';
import { stockRoutes } from './stock/routes';
import { userRoutes } from './users/routes';

export type Parts = {
  config: Pick<Config, 'publicUrl' | 'dataDir' | 'trustProxy' | 'serviceWorker'>;
  pool: Pool;
  /** Over `pool`. */
  db: Db;
  replica?: Replica | undefined;
  notices: Notices;
  clock: Clock;
  sessions: Sessions;
  secrets: Secrets;
  payments: Payments;
  mail: MailParts;
  pictureStore: PictureStore;
  logger: FastifyBaseLogger;
  metrics?: Metrics | undefined;
  /** Where the built browser app lies, with what draws its pages beside it; without it only the API is served. */
  webFolder: string | undefined;
};

const kilobyte = 1024;
const maxBodyBytes = 1024 * kilobyte;

/** The shop's server, not yet listening: plugins in order, then the features. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, db, notices, clock, sessions, logger } = parts;
  const headers = safeHeaders(config.publicUrl.protocol === 'https:');
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }), // one line per request, by logRequest
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: maxBodyBytes,
    requestTimeout: 13_000, // with the interval below: who sends slowly is gone within 15 s
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
    http: { headersTimeout: 10_000, connectionsCheckingInterval: checkEveryMs, maxHeaderSize: 16 * kilobyte },
  });
  endStalledReaders(app.server);
  sendSafeHeaders(app, headers);
  refuseTwoHosts(app);
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    parts.metrics?.observe(request, reply);
    done();
  });
  answerWithProblems(app);
  const live = openLive({
    db,
    notices,
    build: await readBuild(parts.webFolder),
    findPosition: () => findPosition(db),
    onSessionEnded: (heard) => notices.on(sessionEndedChannel, heard),
  });
  app.addHook('preClose', live.close); // before anything else is waited for: a stream has no end of its own
  closeOrderly(app);
  serveHealth(app, parts);
  await app.register(
    async (scope) => {
      shedOverload(scope, parts.pool, parts.replica?.pool);
      acceptJson(scope);
      await scope.register(cookies); // pages have none
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
        requestKey: parts.secrets.requestKey,
      });
      scope.addHook('onSend', (_request, reply, _payload, done) => {
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
        done();
      });
      authRoutes(api, parts);
      const features = { ...parts, settings: keepSettings(db, notices) };
      userRoutes(api, parts);
      catalogRoutes(api, features);
      pictureRoutes(api, parts);
      stockRoutes(api);
      cartRoutes(api);
      orderRoutes(api, features);
      paymentRoutes(api, parts);
      mailRoutes(api, parts);
      alarmRoutes(api);
      contactRoutes(api);
      auditRoutes(api, features);
      dashboardRoutes(api, features);
      settingsRoutes(api, features);
      api.serve('streamEvents', async ({ request, reply, session }) => live.open(request, reply, session));
      api.complete();
    },
    { prefix: '/api' },
  );
  if (parts.pictureStore.isRemote) serveRemotePictures(app, parts.pictureStore);
  await servePages(app, {
    ...parts,
    onCatalogChange,
    onSettingsChange: (heard) => onSettingsChange(notices, heard),
    pageForms: [contactPageForm(parts)],
  });
  return app;
}

/** Names the build of the browser app: the page names every file of it by its content. */
async function readBuild(webFolder: string | undefined): Promise<string> {
  if (webFolder === undefined) return 'none';
  const page = await readFile(path.join(webFolder, 'index.html'));
  return createHash('sha256').update(page).digest('hex').slice(0, 16);
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
