/** Background jobs: graphile-worker stores them in the database and distributes them among the shop's processes. */
import { sql } from 'drizzle-orm';
import { Logger as WorkerLogger, run, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { writeResetLink, type ResetJob } from '../auth/passwordReset';
import { writeTakeoverLink, type TakeoverJob } from '../auth/links/takeoverLinks';
import { watchBackups } from '../backup/alarms';
import { runBackups, type BackupParts } from '../backup/job';
import { rankBestsellers } from '../catalog/bestsellers';
import { pairProducts } from '../catalog/pairs';
import type { Clock } from '../core/clock';
import type { Db } from '../db/core/transact';
import { runImports } from '../imports/job';
import { writeDailyMails } from '../staffMails/dailyMails';
import { deleteOldRows } from './retention';
import { superviseRunner } from './runnerSupervisor';
import { sendMail, sweepMails, type MailParts } from '../mail/send';
import { checkPaymentKey } from '../payments/keyCheck';
import { fetchEvents } from '../payments/missedEvents';
import type { Payments } from '../payments/provider';
import { sweepPayments } from '../payments/sweeper';
import { watchWebhook } from '../payments/webhookWatch';
import type { PictureStore } from '../pictures/files';
import { makePictures, sweepPictures } from '../pictures/job';
import type { Web } from '../pictures/photoDownload';
import { createPhotoFetcher } from '../pictures/photoFetchJob';
import { keepDailyMoney } from '../reports/dailyMoney';
import { readShopSettings } from '../settings/service';

export type JobParts = {
  db: Db;
  clock: Clock;
  payments: Payments;
  mail: MailParts;
  pictureStore: PictureStore;
  logger: Logger;
  backups: BackupParts['backups'];
  /** Another one than the public web, for tests. */
  web?: Web | undefined;
};

const crontab = `
* * * * * sweepPayments ?jobKey=sweepPayments&jobKeyMode=preserve_run_at
* * * * * sweepMails ?jobKey=sweepMails
* * * * * makePictures ?jobKey=makePictures
* * * * * runImports ?jobKey=runImports&max=1
* * * * * fetchPhotos ?jobKey=fetchPhotos
* * * * * writeDailyMails ?jobKey=writeDailyMails
* * * * * runBackups ?jobKey=runBackups&max=1
* * * * * keepDailyMoney ?jobKey=keepDailyMoney
*/10 * * * * watchBackups ?jobKey=watchBackups
* * * * * freeResetLinks ?jobKey=freeResetLinks
23 * * * * sweepPictures ?jobKey=sweepPictures
11 * * * * watchWebhook ?jobKey=watchWebhook
17 3 * * * deleteOldRows ?fill=1d&jobKey=deleteOldRows
37 3 * * * rankBestsellers ?fill=1d&jobKey=rankBestsellers
47 3 * * * pairProducts ?fill=1d&jobKey=pairProducts
`;

/** Every job by its name. Tests call them directly; the process runs them by the crontab above. */
export const jobsOf = (parts: JobParts) => ({
  sweepPayments: () => sweepPayments(parts, parts.logger),
  sendMail: (payload: unknown) => sendMail(parts.mail, (payload as { mailId: string }).mailId),
  sweepMails: () => sweepMails(parts.mail),
  writeDailyMails: () => writeDailyMails(parts),
  makePictures: () => makePictures(parts),
  fetchPhotos: createPhotoFetcher(parts),
  sweepPictures: () => sweepPictures(parts),
  runImports: () => runImports(parts),
  writeResetLink: (payload: unknown) => writeResetLink(parts.mail, payload as ResetJob, parts.clock.now()),
  writeTakeoverLink: (payload: unknown) => writeTakeoverLink(parts.mail, payload as TakeoverJob, parts.clock.now()),
  freeResetLinks: () => freeResetLinks(parts.db),
  fetchEvents: (payload: unknown) => fetchEvents(parts, new Date((payload as { since: string }).since), parts.logger),
  watchWebhook: async () => {
    await checkPaymentKey(parts, parts.logger);
    await watchWebhook(parts.db, parts.clock.now());
  },
  runBackups: () => runBackups(parts),
  watchBackups: () => watchBackups(parts.db, parts.clock.now()),
  keepDailyMoney: async () => keepDailyMoney(parts.db, (await readShopSettings(parts.db)).timeZone),
  deleteOldRows: () => deleteOldRows(parts.db, parts.clock.now()),
  rankBestsellers: () => rankBestsellers(parts.db, parts.clock.now()),
  pairProducts: () => pairProducts(parts.db, parts.clock.now()),
});

/** Several jobs may work through long queues at the same time; a place is left for the short ones. */
const concurrency = 4;

/** Starts the worker and sweeps the payments immediately. @param pool one that can hold a session (LISTEN) */
export async function startJobs(pool: pg.Pool, parts: JobParts): Promise<{ stop: () => Promise<void> }> {
  const logger = new WorkerLogger(() => (level, message) => {
    if (['error', 'warning'].includes(level)) parts.logger.warn({ worker: message }, 'jobs');
  });
  const taskList: TaskList = { ...jobsOf(parts) };
  const start = () => run({ pgPool: pool, taskList, crontab, concurrency, noHandleSignals: true, logger });
  const { first, stop } = await superviseRunner(start, parts.logger);
  await first.addJob('sweepPayments', {}, { jobKey: 'sweepPayments', maxAttempts: 1 });
  await first.addJob('keepDailyMoney', {}, { jobKey: 'keepDailyMoney', maxAttempts: 1 }); // all days, after an upgrade
  await first.addJob('runImports', {}, { jobKey: 'runImports', maxAttempts: 1 }); // continues after a crash
  return { stop };
}

/** Unlocks link jobs, which take milliseconds, after their process died: the queue itself would wait for hours. */
async function freeResetLinks(db: Db): Promise<void> {
  await db.execute(sql`select graphile_worker.force_unlock_workers(array(
    select locked_by from graphile_worker.jobs
    where task_identifier in ('writeResetLink', 'writeTakeoverLink') and locked_at < now() - interval '3 minutes'))`);
}
