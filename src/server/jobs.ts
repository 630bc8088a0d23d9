/** What runs by itself: graphile-worker keeps the jobs in the database and shares them among the shop's processes. */
import { lt } from 'drizzle-orm';
import { Logger as WorkerLogger, run, runMigrations, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock';
import { attempts, idempotencyKeys, sessionFamilies } from './db/schema';
import type { Db } from './db/transact';
import type { Payments } from './payments/provider';
import { sweepPayments } from './payments/sweeper';

export type JobParts = { db: Db; clock: Clock; payments: Payments; logger: Logger };

const dayMs = 86_400_000;
const keptKeysDays = 35; // an idempotency key is kept for 30 days at least
const keptSessionsDays = 60;

const crontab = `
* * * * * sweepPayments ?jobKey=sweepPayments&jobKeyMode=preserve_run_at
17 3 * * * forgetOldRows ?jobKey=forgetOldRows
`;

/** Every job by its name. Tests call them; the process runs them by the crontab above. */
export const jobsOf = (parts: JobParts) => ({
  sweepPayments: async () => void (await sweepPayments(parts, parts.logger)),
  forgetOldRows: () => forgetOldRows(parts.db, parts.clock.now()),
});

/** Starts the worker; the payments are swept at once. @param pool one that can hold a session (LISTEN) */
export async function startJobs(pool: pg.Pool, parts: JobParts): Promise<{ stop: () => Promise<void> }> {
  const logger = new WorkerLogger(() => (level, message) => {
    if (['error', 'warning'].includes(level)) parts.logger.warn({ worker: message }, 'jobs');
  });
  await runMigrations({ pgPool: pool, logger });
  const taskList: TaskList = { ...jobsOf(parts) };
  const runner = await run({ pgPool: pool, taskList, crontab, concurrency: 2, noHandleSignals: true, logger });
  await runner.addJob('sweepPayments', {}, { jobKey: 'sweepPayments', maxAttempts: 1 });
  return { stop: () => runner.stop() };
}

async function forgetOldRows(db: Db, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, ago(keptKeysDays)));
  await db.delete(attempts).where(lt(attempts.windowEndsAt, now));
  await db.delete(sessionFamilies).where(lt(sessionFamilies.refreshedAt, ago(keptSessionsDays)));
}
