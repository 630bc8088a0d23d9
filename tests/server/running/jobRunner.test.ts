/** The job runner keeps running: src/server/jobs/runnerSupervisor.ts; jobRunner.nightly.test.ts takes its connections away. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openPool } from '../../../src/server/db/open';
import { attempts } from '../../../src/server/db/schema/tables';
import { startJobs } from '../../../src/server/jobs/jobs';
import { openOwnShop } from '../../support/shop';

test('a shop that was off last night deletes old rows when it is on again', async () => {
  const shop = await openOwnShop();
  const jobsPool = openPool({ ...shop.direct, max: 4 });
  const long = shop.clock.now().getTime() - 3 * 86_400_000;
  await shop.db.insert(attempts).values({ key: 'old', count: 1, windowEndsAt: new Date(long) });
  await shop.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('deleteOldRows', $1, $1) on conflict (identifier) do update set last_execution = $1`,
    [new Date(long)],
  );
  const jobs = await startJobs(jobsPool, { ...shop, logger: pino({ level: 'silent' }) });
  await expect.poll(() => shop.db.$count(attempts)).toBe(0);
  await jobs.stop();
  await jobsPool.end();
  await shop.close();
});
