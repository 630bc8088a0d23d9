/** The whole shop of one process, from configuration to listening, and back down again in the opposite order. */
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildApp } from './app';
import { ensureOwner } from './auth/owner';
import { readSecrets } from './auth/secrets';
import { openSessions } from './auth/sessions';
import { startClock } from './clock';
import { ConfigError, type Config } from './config';
import { openNotices } from './db/notices';
import { takeLesserRole } from './db/lesserRole';
import { migrateDatabase, openDatabase, openPool } from './db/open';
import { openReplica } from './db/replica';
import { copySeedPictures, seedDemoCatalog } from './db/seed/demoCatalog';
import { connect, transact } from './db/transact';
import { prepareJobs, startJobs } from './jobs';
import { checkReadiness } from './http/health';
import { listen } from './listen';
import { openMailer } from './mail/mailer';
import { openMetrics } from './metrics/metrics';
import { openPrivatePort } from './metrics/privatePort';
import { startPayments } from './payments/start';
import { checkPictureStore, openPictureStore } from './pictures/store';

export type Shop = {
  app: FastifyInstance;
  /** The first owner's password, when this start made one up. */
  newOwnerPassword: string | undefined;
  close: () => Promise<void>;
};

/** A job can be cut off anywhere: the next process takes it up. */
const jobsEndWithinMs = 1_000;

const within = (ms: number, work: Promise<unknown>) => Promise.race([work, pause(ms, undefined, { ref: false })]);

const keepsRights =
  'DATABASE_URL: its login may not make roles, so the shop keeps all rights of that login; see docs/security.md';

/** What the database tells all processes of the shop. */
export const channels = ['catalog', 'low_stock', 'session_ended', 'live', 'settings'] as const;

/**
 * Opens everything and listens.
 * @param root the project's folder: migrations, seed and the built browser app lie in it
 * @throws a sentence for the person who started it
 */
export async function startShop(config: Config, root: string, logger: Logger): Promise<Shop> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closers.splice(0).toReversed()) await step();
  };
  try {
    await makeDataDir(config.dataDir);
    const pictureStore = await openPictureStore(config);
    const whyAway = await checkPictureStore(pictureStore);
    if (whyAway !== undefined) logger.warn({ reason: whyAway }, 'S3_URL: the pictures cannot be reached yet');
    const database = await openDatabase({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      folder: path.join(config.dataDir, 'postgres'),
      report: (sentence) => logger.error(sentence),
    });
    closers.push(database.close);
    await migrateDatabase(database.direct, path.join(root, 'src/server/db/migrations'));
    await prepareJobs(database.direct);
    if (!(await takeLesserRole(database.direct))) logger.warn(keepsRights);
    const db = connect(database.pool);
    const clock = await startClock(database.pool);
    closers.push(async () => clock.stop());
    const replica = config.databaseReplicaUrl
      ? openReplica(config.databaseReplicaUrl, config.databaseDirectUrl ? 'not named' : 'named')
      : undefined;
    if (replica) {
      closers.push(replica.close);
      const trouble = await replica.findTrouble();
      if (trouble) logger.warn(trouble);
    }
    const notices = await openNotices(database.direct, channels);
    closers.push(notices.close);

    const newOwnerPassword = await ensureOwner(db, config, clock.now());
    if (config.demoCatalog) {
      await copySeedPictures(path.join(root, 'src/server/db/seed/pictures'), path.join(config.dataDir, 'pictures'));
      await transact(db, (tx) => seedDemoCatalog(tx, { now: clock.now() }));
    }
    const secrets = await readSecrets(db, config);
    const sessions = await openSessions({ db, notices, clock, secrets });
    const { payments, listens, stop } = await startPayments(config, clock.now);
    closers.push(stop);

    const mailer = openMailer({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      folder: path.join(config.dataDir, 'mails'),
    });
    const mail = { db, clock, publicUrl: config.publicUrl, secrets, mailer };

    const { metricsPort } = config;
    const metrics = metricsPort === undefined ? undefined : openMetrics({ pool: database.pool, db, clock });
    if (metrics && metricsPort !== undefined) {
      const readiness = () => checkReadiness({ db, notices });
      closers.push(await openPrivatePort({ port: metricsPort, metrics, readiness }));
    }

    const webFolder = path.join(root, 'dist/web');
    const app = await buildApp({
      config,
      pool: database.pool,
      db,
      replica: replica?.replica,
      notices,
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
    const jobsPool = openPool({ ...database.direct, max: 4 });
    closers.push(() => within(jobsEndWithinMs, jobsPool.end()));
    const jobs = await startJobs(jobsPool, { db, clock, payments, mail, pictureStore, logger });
    closers.push(() => within(jobsEndWithinMs, jobs.stop()));
    closers.push(await listen(app, config)); // last to start, so first to stop: nobody is let in to a shop that ends
    listens();
    return { app, newOwnerPassword, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeDataDir(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch(({ message }: Error) => {
    throw new ConfigError(`DATA_DIR cannot be used (${message})`);
  });
}
