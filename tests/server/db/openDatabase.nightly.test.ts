import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDatabaseOutOfReach } from '../../../src/server/db/core/errors';
import {
  migrateDatabase,
  openDatabase,
  openPool,
  prepareJobs,
  type Entered,
  type OpenDatabase,
} from '../../../src/server/db/open';
import { connect, withLongTimeout } from '../../../src/server/db/core/transact';

let home: string;
let database: OpenDatabase;
let entered: Entered;

beforeAll(async () => {
  home = await fs.mkdtemp(path.join(tmpdir(), 'open-database-'));
  database = await openDatabase({ folder: path.join(home, 'postgres') });
  await migrateDatabase(database.owner, path.resolve('src/server/db/migrations'));
  await prepareJobs(database.owner);
  entered = await database.enter();
});

afterAll(async () => {
  await database?.close();
  await fs.rm(home, { recursive: true, force: true });
});

test('a database that hangs counts as unreachable within five seconds, and works again afterwards', async () => {
  const byUrl = await openDatabase({ ...urls(), folder: home });
  const pools = [entered.pool, (await byUrl.enter()).pool];
  for (const pool of pools) await pool.query('select 1');
  const tells = entered.pool.query<{ pid: number }>(`select pid from pg_stat_activity where datname = 'shop'`);
  const [postmaster] = (await fs.readFile(path.join(home, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  const processes = [Number(postmaster), ...(await tells).rows.map(({ pid }) => pid)];
  const began = Date.now();
  try {
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    // each pool has one connection, so the second query must open another, and no new ones are accepted
    const asked = pools.flatMap((pool) => [pool.query('select 1'), pool.query('select 1')]);
    const answers = await Promise.race([Promise.allSettled(asked), pause(20_000)]); // must be resumed whatever happens
    for (const answer of answers ?? [])
      expect(answer.status === 'rejected' && isDatabaseOutOfReach(answer.reason)).toBe(true);
    expect(Date.now() - began).toBeLessThan(10_000); // the shop waits less than five, a busy machine adds to it
    expect(pools.map(({ totalCount }) => totalCount)).toEqual([0, 0]);
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT');
  }
  for (const pool of pools) expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await byUrl.close();
});

test('queries with a long timeout may take their time, and only those', async () => {
  const pool = openPool({ ...database.owner, statement_timeout: 1000, socketTimeoutMs: 1500 });
  const db = connect(pool);
  const long = sql`select pg_sleep(2), current_setting('statement_timeout') as "limit"`;
  await expect(db.execute(long)).rejects.toThrow();
  expect((await withLongTimeout(db, (tx) => tx.execute(long))).rows).toMatchObject([{ limit: '30s' }]);
  await expect(db.transaction((tx) => tx.execute(long))).rejects.toThrow();
  await pool.end();
});

/** The same database, as DATABASE_URL and DATABASE_APP_URL name it. */
function urls() {
  const { host = '', port, user, password } = entered.direct;
  const place = `${encodeURIComponent(host)}:${port}/shop`;
  return {
    url: `postgres://${database.owner.user}@${place}`,
    appUrl: `postgres://${user}:${String(password)}@${place}`,
  };
}
