/** The whole shop of one process, from configuration to listening, and closed in the reverse order. */
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { exampleContact } from '../../shared/settings';
import { buildApp } from './app';
import { ensureOwner } from '../auth/owner';
import { openSecrets } from '../auth/core/secrets';
import { openSessions } from '../auth/sessions/sessions';
import { stopEarlyStart, makeDataDir, ownFolder, type EarlyStart } from './earlyStart';
import { startClock } from '../core/clock';
import type { Config } from '../core/config';
import { openChangeBus } from '../db/core/changeBus';
import { migrateDatabase, openDatabase, openPool, prepareJobs } from '../db/open';
import { openReplica } from '../db/replica';
import { copySeedPictures, seedDemoCatalog } from '../db/seed/demoCatalog';
import { seedDemoCommerce } from '../db/seed/demoCommerce';
import { connect, transact } from '../db/core/transact';
import { startJobs } from '../jobs/jobs';
import { checkReadiness } from '../http/core/health';
import { withEmailTemplates } from './emailTemplates';
import { listen } from './listen';
import { openMailer } from '../mail/mailer';
import { findMailServer } from '../mail/mailServer';
import { checkServer } from '../mail/serverState';
import { describeFailure } from '../db/core/loggedErrors';
import { checkPaymentKey } from '../payments/keyCheck';
import { startPayments } from '../payments/start';
import type { PictureStore } from '../pictures/files';
import type { Web } from '../pictures/photoDownload';
import { checkPictureStore, openPictureStore } from '../pictures/store';
import { followBrand } from '../settings/brand';
import { readShopSettings } from '../settings/service';

export type Shop = {
  app: FastifyInstance;
  /** The first owner's password, if this start generated one. */
  newOwnerPassword: string | undefined;
  /** The sample contact data still shown to customers; undefined once all are changed. */
  exampleContact: string | undefined;
  close: () => Promise<void>;
};

/** What is already starting (earlyStart.ts), and another web than the public one, which only tests hand in. */
export type StartParts = EarlyStart & { web?: Web };

/** A job can be interrupted anywhere: the next process continues it. */
const jobsStopWithinMs = 1_000;

const within = (ms: number, work: Promise<unknown>) => Promise.race([work, pause(ms, undefined, { ref: false })]);

const secretWarning = "SESSION_SECRET is not set: only processes that share this DATA_DIR accept each other's logins";

type Closers = (() => unknown)[];

/**
 * Opens everything and listens.
 * @param root the project folder with migrations, seed and the built browser app
 * @param parts the shop stops what is already starting when it closes
 * @throws an error whose message is for the person who started the shop
 */
export async function startShop(
  config: Config,
  root: string,
  logger: Logger,
  { web, ...earlyStart }: StartParts = {},
): Promise<Shop> {
  const closers: Closers = [() => stopEarlyStart(earlyStart)];
  const close = async () => {
    for (const step of closers.splice(0).toReversed()) await step();
  };
  try {
    const pictureStore = await openPictures(config, logger);
    const data = await openData(config, root, { ...earlyStart, logger, closers });
    const { db, bus, clock } = data;
    const newOwnerPassword = await ensureOwner(db, config, clock.now());
    const example = exampleContact(await readShopSettings(db));
    if (config.demoCatalog) await addDemoCatalog(data, root, config);
    if (config.demoCommerce) await transact(db, (tx) => seedDemoCommerce(tx, { now: clock.now() }));
    const secrets = await openKeys(config, data, logger);
    const sessions = openSessions({ db, bus, clock, secrets });
    const { payments, listens, showShop, stop } = await startPayments(config, clock.now);
    closers.push(stop);
    await followBrand({ db, bus, pictureStore }, ({ settings: { shopName }, logo }) => showShop({ shopName, logo }));
    const { smtpUrl, mailFrom: from, publicUrl } = config;
    const findSaved = () => findMailServer(db, secrets.mailKeys);
    const mailer = openMailer({ smtpUrl, from, folder: path.join(config.dataDir, 'mails'), findSaved });
    const mail = withEmailTemplates({ db, clock, publicUrl, secrets, mailer, pictureStore });
    const metrics = await serveMetrics(config, data, closers);

    const webFolder = path.join(root, 'dist/web');
    const app = await buildApp({
      config,
      db,
      replica: data.replica,
      bus,
      clock,
      sessions,
      secrets,
      payments,
      mail,
      pictureStore,
      logger,
      metrics,
      webFolder: existsSync(webFolder) ? webFolder : undefined,
    });
    const jobsPool = openPool({ ...data.direct, max: 4 });
    closers.push(() => within(jobsStopWithinMs, jobsPool.end()));
    const jobs = await startJobs(jobsPool, {
      db,
      clock,
      payments,
      mail,
      pictureStore,
      logger,
      web,
      backups: { direct: data.owner, dataDir: config.dataDir },
    });
    closers.push(() => within(jobsStopWithinMs, jobs.stop()));
    closers.push(await listen(app, config)); // started last and stopped first: no requests while the shop shuts down
    listens();
    void checkPaymentKey({ db, clock, payments }, logger).catch((error: unknown) => {
      logger.warn(
        { failure: describeFailure(error) },
        'the payment key was not checked: the next check is within an hour',
      );
    });
    void checkServer(mail, clock.now()).catch((error: unknown) => {
      logger.warn(
        { failure: describeFailure(error) },
        'the mail server was not checked: the next email shows its state',
      );
    });
    return { app, newOwnerPassword, exampleContact: example, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPictures(config: Config, logger: Logger): Promise<PictureStore> {
  await makeDataDir(config);
  const pictureStore = await openPictureStore(config);
  const unreachableReason = await checkPictureStore(pictureStore);
  if (unreachableReason !== undefined)
    logger.warn({ reason: unreachableReason }, "S3_URL: can't reach the pictures yet");
  return pictureStore;
}

type Data = Awaited<ReturnType<typeof openData>>;

type DataOptions = EarlyStart & { logger: Logger; closers: Closers };

/** The migrated database, its replica, its clock, and the bus that publishes its changes. */
async function openData(config: Config, root: string, { embeddedPostgres, logger, closers }: DataOptions) {
  const database = await openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    appUrl: config.databaseAppUrl,
    secret: config.sessionSecret,
    folder: ownFolder(config),
    own: embeddedPostgres,
    report: (sentence) => logger.error(sentence),
  });
  closers.push(database.close);
  await migrateDatabase(database.owner, path.join(root, 'src/server/db/migrations'));
  await prepareJobs(database.owner);
  const { pool, direct, ofReplica, warning, keepsStatements } = await database.enter();
  if (warning) logger.warn(warning);
  const clock = await startClock(pool);
  closers.push(async () => clock.stop());
  const { databaseReplicaUrl, databaseDirectUrl } = config;
  const replica =
    databaseReplicaUrl && openReplica(ofReplica(databaseReplicaUrl), databaseDirectUrl ? 'not named' : 'named');
  if (replica) {
    closers.push(replica.close);
    const trouble = await replica.findTrouble();
    if (trouble) logger.warn(trouble);
  }
  const bus = await openChangeBus(direct);
  closers.push(bus.close);
  return {
    pool,
    direct,
    owner: database.owner,
    db: connect(pool, { tell: bus.tell, keepsStatements }),
    bus,
    clock,
    replica: replica ? replica.replica : undefined,
  };
}

async function openKeys(config: Config, { db }: Data, logger: Logger) {
  if (config.databaseUrl !== undefined && config.sessionSecret === undefined) logger.warn(secretWarning);
  return openSecrets({ db, config });
}

async function addDemoCatalog(
  { db, clock }: Data,
  root: string,
  { dataDir, demoSizes }: Pick<Config, 'dataDir' | 'demoSizes'>,
): Promise<void> {
  await copySeedPictures(path.join(root, 'src/server/db/seed/pictures'), path.join(dataDir, 'pictures'));
  await transact(db, (tx) => seedDemoCatalog(tx, { now: clock.now(), withSizes: demoSizes }));
}

/** On its own port, if configured. */
async function serveMetrics({ metricsPort }: Config, { pool, db, bus, clock }: Data, closers: Closers) {
  if (metricsPort === undefined) return undefined;
  const [{ openMetrics }, { openPrivatePort }] = await Promise.all([
    import('../metrics/metrics'),
    import('../metrics/metricsPort'),
  ]);
  const metrics = openMetrics({ pool, db, clock });
  const readiness = () => checkReadiness({ db, bus });
  closers.push(await openPrivatePort({ port: metricsPort, metrics, readiness }));
  return metrics;
}
