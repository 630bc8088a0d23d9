/** The job runner keeps running: src/server/jobs/runnerSupervisor.ts. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FairPool } from '../../../src/server/db/core/fairPool';
import { openPool } from '../../../src/server/db/open';
import { startJobs } from '../../../src/server/jobs/jobs';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let jobsPool: FairPool;
/** Whether the runner is refused a connection now. */
let refuses: () => boolean;
let isListening: boolean;
const said: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });

beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => {
  [refuses, isListening] = [() => false, false];
  said.length = 0;
  jobsPool = openPool({ ...shop.direct, max: 4 });
  const connect = jobsPool.connect.bind(jobsPool) as () => Promise<never>;
  Object.assign(jobsPool, {
    connect(...done: []) {
      isListening ||= done.length > 0; // called back means it listens
      if (done.length === 0 && refuses()) throw new Error('timeout exceeded when trying to connect');
      return connect(...done);
    },
  });
});
afterAll(() => shop.close());

const start = () => startJobs(jobsPool, { ...shop, logger });
const isDone = async () => {
  const { rows } = await shop.pool.query(`select 1 from graphile_worker.jobs where task_identifier = 'deleteOldRows'`);
  return rows.length === 0;
};
const giveJob = () => shop.pool.query(`select graphile_worker.add_job('deleteOldRows')`);

test('a runner that got no connection for its first query continues once it gets one', async () => {
  let left = 1;
  refuses = () => isListening && (left -= 1) >= 0;
  const jobs = await start();
  await giveJob();
  await expect.poll(isDone).toBe(true);
  expect(said.join('')).toContain('timeout exceeded when trying to connect');
  await jobs.stop();
  await jobsPool.end();
});

/** A runner ends when notified that its tables are too new for it; repeated, since it may not listen yet. */
async function endRunner() {
  const { exitCode } = process;
  const tell = `select pg_notify('worker:migrate', '{"breaking":true,"migrationNumber":99}')`;
  await expect.poll(() => shop.pool.query(tell).then(() => said.join(''))).toContain('ended by itself');
  process.exitCode = exitCode;
}

test('a runner that ended by itself is replaced as soon as the database is reachable', async () => {
  const jobs = await start();
  refuses = () => true;
  await endRunner();
  await expect.poll(() => said.filter((line) => line.includes("couldn't start")).length).toBeGreaterThan(1);
  refuses = () => false;
  await giveJob();
  await expect.poll(isDone).toBe(true);
  await jobs.stop();
  await jobsPool.end();
});

test('no runner is started after the shop ends', async () => {
  const jobs = await start();
  refuses = () => true;
  await endRunner();
  await expect.poll(() => said.join('')).toContain("couldn't start");
  await jobs.stop();
  await jobsPool.end();
});
