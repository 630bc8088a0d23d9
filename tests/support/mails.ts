/** Mails in tests, sent by the real jobs. */
import { desc, eq } from 'drizzle-orm';
import { Logger, runOnce } from 'graphile-worker';
import { mails } from '../../src/server/db/schema/tables';
import type { TestShop } from './shop';

const quiet = new Logger(() => () => undefined);

/** Runs every due job, as the shop's own worker would. */
export const runDueJobs = (shop: TestShop) => runOnce({ pgPool: shop.jobsPool, taskList: shop.jobs, logger: quiet });

/** The mails about an order, newest first. */
export const mailsOf = (shop: TestShop, orderId: string) =>
  shop.db.select().from(mails).where(eq(mails.orderId, orderId)).orderBy(desc(mails.createdAt));

/** Makes the mails' jobs due, as if the pause before the next attempt were over. */
export const skipPauses = (shop: TestShop) =>
  shop.pool.query(`update graphile_worker._private_jobs set run_at = now() where key like 'mail:%'`);
