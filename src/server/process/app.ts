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
import { alarmRoutes } from '../alarms/routes';
import { auditRoutes } from '../audit/routes';
import { authRoutes } from '../auth/routes';
import type { Secrets } from '../auth/core/secrets';
import type { Sessions } from '../auth/sessions/sessions';
import { backupRoutes } from '../backup/routes';
import { cartRoutes } from '../cart/routes';
import { findAliased } from '../catalog/aliases';
import { findFeed } from '../catalog/feed';
import { cacheFilterValues, namesUnknownValues, type FilterValues } from '../catalog/filterValues';
import { catalogRoutes } from '../catalog/routes';
import type { Clock } from '../core/clock';
import type { Config } from '../core/config';
import type { ChangeBus } from '../db/core/changeBus';
import type { Replica } from '../db/replica';
import { dashboardRoutes } from '../dashboard/routes';
import { discountRoutes } from '../discounts/routes';
import type { Db } from '../db/core/transact';
import { deliveryRoutes } from '../delivery/routes';
import { authPageForms } from '../auth/pageForms';
import { contactPageForm, contactRoutes } from '../contact/routes';
import { goLiveRoutes } from '../goLive/routes';
import { healthRoutes } from '../health/routes';
import { holdRoutes } from '../holds/routes';
import { batchRoutes } from '../http/contract/batch';
import { largestLimit } from '../http/contract/bodyLimits';
import { createRateLimits, type RateLimits } from '../http/limits/rateLimits';
import { closeOrderly } from '../http/core/gracefulShutdown';
import { compressAnswers } from '../http/core/compression';
import { createClientErrorHandler } from '../http/core/malformedRequests';
import { bindContract, type ContractApi } from '../http/contract/contract';
import { serveHealth } from '../http/core/health';
import { refuseTwoHosts, safeHeaders, sendSafeHeaders } from '../http/core/headers';
import { acceptJson } from '../http/contract/json';
import { answerCachedFirst } from '../http/cache/cachedFirst';
import { openLive, type Live } from '../http/live/live';
import { maxFileBytes } from '../http/contract/multipart';
import { endStalledReaders } from '../http/limits/stalledReaders';
import { servePages, readableAddress } from '../http/pages/pages';
import { answerWithProblems, sendFrameworkError } from '../http/core/problems';
import { delayErrors } from '../http/limits/tarpit';
import { importRoutes } from '../imports/routes';
import { listRoutes } from '../lists/routes';
import { mailRoutes } from '../mail/routes';
import type { MailParts } from '../mail/send';
import { checkEveryMs } from './listen';
import type { Metrics } from '../metrics/metrics';
import { orderRoutes } from '../orders/routes';
import { pageRoutes } from '../pages/routes';
import type { Payments } from '../payments/provider';
import { paymentRoutes } from '../payments/routes';
import { paymentsOfAccounts, paymentsOfOrders } from '../payments/sessions';
import type { PictureStore } from '../pictures/files';
import { serveAvatars } from '../pictures/avatars';
import { serveRemotePictures } from '../pictures/remotePictures';
import { pictureRoutes } from '../pictures/routes';
import { acceptPicture } from '../pictures/uploads';
import { reportRoutes } from '../reports/routes';
import { emailSettingsRoutes } from '../settings/emailRoutes';
import { settingsRoutes } from '../settings/routes';
import { brandFiles, serveBrandFiles } from '../settings/brandFiles';
import { createSettingsCache, type SettingsCache } from '../settings/service';
import { staffMailRoutes } from '../staffMails/routes';
import { stockRoutes } from '../stock/routes';
import { taxRoutes } from '../tax/routes';
import { userRoutes } from '../users/routes';

export type Parts = {
  config: Pick<Config, 'publicUrl' | 'dataDir' | 'trustProxy' | 'serviceWorker'>;
  db: Db;
  replica?: Replica | undefined;
  bus: ChangeBus;
  clock: Clock;
  sessions: Sessions;
  secrets: Secrets;
  payments: Payments;
  mail: MailParts;
  pictureStore: PictureStore;
  logger: FastifyBaseLogger;
  metrics?: Metrics | undefined;
  /** The built browser app, with the page renderer beside it; without it only the API is served. */
  webFolder: string | undefined;
};

const kilobyte = 1024;

/** The shop's server, not yet listening: plugins in order, then the features. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, db, bus } = parts;
  const headers = safeHeaders(config.publicUrl.protocol === 'https:');
  const app = createServer(parts, headers);
  endStalledReaders(app.server);
  sendSafeHeaders(app, headers);
  refuseTwoHosts(app);
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    parts.metrics?.observe(request, reply);
    done();
  });
  answerWithProblems(app);
  const build = await readBuild(parts.webFolder);
  const live = openLive({ db, bus, build, findPosition: async () => (await findFeed(db)).position });
  app.addHook('preClose', live.close); // first, since a stream never ends by itself
  const begin = closeOrderly(app);
  answerCachedFirst(app, { logger: parts.logger, begin, observe: parts.metrics?.observeCached });
  delayErrors(app);
  serveHealth(app, parts);
  const rateLimits = createRateLimits();
  const filterValues = cacheFilterValues(bus, db);
  const settings = createSettingsCache(db, bus);
  await app.register((scope) => serveApi(scope, { ...parts, filterValues, settings }, live, rateLimits), {
    prefix: '/api',
  });
  serveAvatars(app, parts.pictureStore);
  if (parts.pictureStore.isRemote) serveRemotePictures(app, parts.pictureStore);
  if (parts.webFolder !== undefined) await serveBrandFiles(app, { ...parts, webFolder: parts.webFolder, settings });
  await servePages(app, {
    ...parts,
    brandFiles,
    rateLimits,
    asksForUnknown: async (filter) => namesUnknownValues(await filterValues.get(), filter),
    findMoved: (path) => findAliased(db, path),
    pageForms: [contactPageForm(parts), ...authPageForms],
  });
  return app;
}

const createServer = ({ config, logger }: Parts, headers: Record<string, string>): FastifyInstance =>
  fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }), // one line per request, by logRequest
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: largestLimit, // each API operation has its own
    requestTimeout: 13_000, // with the interval below, a slow sender is closed within 15 s
    connectionTimeout: 30_000,
    keepAliveTimeout: 10_900, // 10 s are announced; the margin avoids closing a connection that is just being reused
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true, // runs after closeOrderly
    return503OnClosing: false, // closeOrderly answers 503 as a problem
    frameworkErrors: (error, request, reply) => {
      const readable = readableAddress(request, error);
      if (readable) void reply.headers(headers).redirect(readable, 302);
      else void sendFrameworkError(request, reply.headers(headers), error);
      logRequest(request, reply);
    },
    clientErrorHandler: createClientErrorHandler(headers),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    http: { headersTimeout: 10_000, connectionsCheckingInterval: checkEveryMs, maxHeaderSize: 16 * kilobyte },
  });

const formLimits = {
  fileSize: maxFileBytes,
  files: 1,
  fields: 40,
  fieldNameSize: 60,
  fieldSize: 20 * kilobyte,
  parts: 41,
};

type ApiParts = Parts & { filterValues: FilterValues; settings: SettingsCache };

async function serveApi(scope: FastifyInstance, parts: ApiParts, live: Live, rateLimits: RateLimits): Promise<void> {
  const { config, db, clock, sessions, secrets } = parts;
  acceptJson(scope);
  await scope.register(cookies); // pages use none
  await scope.register(multipart, { limits: formLimits });
  const admission = { authenticate: sessions.authenticate, publicOrigin: config.publicUrl.origin };
  const api = bindContract(scope, { db, clock, admission, requestKey: secrets.requestKey, rateLimits });
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (typeof payload === 'string') rateLimits.note(request, payload.length);
    done();
  });
  compressAnswers(scope);
  serveFeatures(api, parts);
  batchRoutes(scope, api);
  api.serve('streamEvents', async ({ request, reply, session }) => live.open(request, reply, session));
  api.complete();
}

/** Each feature gets the parts it declares, including those of other features. */
function serveFeatures(api: ContractApi, parts: ApiParts): void {
  const { pictureStore } = parts;
  authRoutes(api, { ...parts, payments: paymentsOfAccounts(parts) });
  userRoutes(api, parts);
  staffMailRoutes(api);
  catalogRoutes(api, { ...parts, acceptPicture: (tx, upload) => acceptPicture(tx, pictureStore, upload) });
  pictureRoutes(api, parts);
  importRoutes(api);
  stockRoutes(api);
  cartRoutes(api);
  listRoutes(api);
  orderRoutes(api, { ...parts, payments: paymentsOfOrders(parts) });
  paymentRoutes(api, parts);
  holdRoutes(api, parts);
  mailRoutes(api, parts);
  alarmRoutes(api);
  contactRoutes(api, parts);
  auditRoutes(api, parts);
  dashboardRoutes(api, parts);
  goLiveRoutes(api, parts);
  healthRoutes(api, parts);
  reportRoutes(api, parts);
  discountRoutes(api, parts);
  settingsRoutes(api, parts);
  pageRoutes(api, parts);
  emailSettingsRoutes(api, parts);
  deliveryRoutes(api, parts);
  taxRoutes(api, parts);
  backupRoutes(api, parts);
}

/** The build of the browser app: the hash of its index page, which names every file by its content. */
async function readBuild(webFolder: string | undefined): Promise<string> {
  if (webFolder === undefined) return 'none';
  const page = await readFile(path.join(webFolder, 'index.html'));
  return createHash('sha256').update(page).digest('hex').slice(0, 16);
}

/** One JSON line per request: the route's pattern, never the URL, so that no token or address is logged. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(request.session && { actor: request.session.userId }),
  });
}
