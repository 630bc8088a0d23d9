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
import { migrateDatabase, openDatabase, openPool } from './db/open';
import { copySeedPictures, seedDemoCatalog } from './db/seed/demoCatalog';
import { connect, transact } from './db/transact';
import { startJobs } from './jobs';
import { listen } from './listen';
import { startPayments } from './payments/start';

export type Shop = {
  app: FastifyInstance;
  /** The first owner's password, when this start made one up. */
  newOwnerPassword: string | undefined;
  close: () => Promise<void>;
};

/** A job can be cut off anywhere: the next process takes it up. */
const jobsEndWithinMs = 1_000;

const within = (ms: number, work: Promise<unknown>) => Promise.race([work, pause(ms, undefined, { ref: false })]);

/** What the database tells all processes of the shop. */
export const channels = ['catalog', 'low_stock', 'session_ended'] as const;

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
    const database = await openDatabase({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      folder: path.join(config.dataDir, 'postgres'),
      report: (sentence) => logger.error(sentence),
    });
    closers.push(database.close);
    await migrateDatabase(database.direct, path.join(root, 'src/server/db/migrations'));
    const db = connect(database.pool);
    const clock = await startClock(database.pool);
    closers.push(async () => clock.stop());
    const notices = await openNotices(database.direct, channels);
    closers.push(notices.close);

    const newOwnerPassword = await ensureOwner(db, config, clock.now());
    if (config.demoCatalog) {
      await copySeedPictures(path.join(root, 'src/server/db/seed/pictures'), path.join(config.dataDir, 'pictures'));
      await transact(db, (tx) => seedDemoCatalog(tx, { now: clock.now() }));
    }
    const secrets = await readSecrets(db, config);
    const sessions = await openSessions({ db, notices, clock, secrets });
    const { payments, stop } = await startPayments(config);
    closers.push(stop);

    const webFolder = path.join(root, 'dist/web');
    const app = await buildApp({
      config,
      db,
      notices,
      clock,
      sessions,
      payments,
      logger,
      webFolder: existsSync(webFolder) ? webFolder : undefined,
    });
    const jobsPool = openPool({ ...database.direct, max: 4 });
    closers.push(() => within(jobsEndWithinMs, jobsPool.end()));
    const jobs = await startJobs(jobsPool, { db, clock, payments, logger });
    closers.push(() => within(jobsEndWithinMs, jobs.stop()));
    closers.push(await listen(app, config)); // last to start, so first to stop: nobody is let in to a shop that ends
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
