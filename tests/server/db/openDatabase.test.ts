import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Pool, type ClientConfig } from 'pg';
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

let home: string;
let database: OpenDatabase;
let entered: Entered;
/** Another database on the same server, for migrations of the tests. */
let trial: ClientConfig;

beforeAll(async () => {
  home = await fs.mkdtemp(path.join(tmpdir(), 'open-database-'));
  database = await openDatabase({ folder: path.join(home, 'postgres') });
  await migrateDatabase(database.owner, path.resolve('src/server/db/migrations'));
  await prepareJobs(database.owner);
  entered = await database.enter();
  trial = { ...database.owner, database: 'trial' };
  await ask(database.owner, 'create database trial');
});

afterAll(async () => {
  await database?.close();
  await fs.rm(home, { recursive: true, force: true });
});

test('without a URL the shop has an embedded database, called shop', async () => {
  expect(database.ownDatabase).toBe(true);
  const { rows } = await entered.pool.query(
    `select current_database() as name, current_setting('statement_timeout') as "limit", lower('É') as letter`,
  );
  expect(rows).toEqual([{ name: 'shop', limit: '4s', letter: 'é' }]);
});

test('an ended idle connection is replaced without an error', async () => {
  const { rows } = await entered.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const other = new Pool(database.owner);
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await other.end();
  await expect.poll(() => entered.pool.totalCount).toBe(0);
  expect((await entered.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('several processes that start at the same time migrate the database once', async () => {
  const folder = await writeMigrations({
    1: 'create table spices (name text)',
    2: `insert into spices values ('Cumin')`,
  });
  await Promise.all([1, 2, 3].map(() => migrateDatabase(trial, folder)));
  expect(await ask(trial, 'select name from spices')).toEqual([{ name: 'Cumin' }]);
});

test('a failed migration leaves nothing behind', async () => {
  const folder = await writeMigrations({ 1: '', 2: '', 3: 'create table half (id int); select 1 / 0' });
  await expect(migrateDatabase(trial, folder)).rejects.toThrow();
  expect(await ask(trial, `select to_regclass('half') as half`)).toEqual([{ half: null }]);
});

test('a database of a newer shop is rejected in one sentence', async () => {
  const folder = await writeMigrations({ 1: 'create table spices (name text)' });
  await expect(migrateDatabase(trial, folder)).rejects.toThrow(
    'The database was created by a newer or unreleased version of the shop. Start that version, or restore a backup',
  );
});

test('a database given by URL is opened with the same limits', async () => {
  const byUrl = await openDatabase({ ...urls(), folder: path.join(home, 'unused') });
  const { pool } = await byUrl.enter();
  const { rows } = await pool.query(`select current_setting('statement_timeout') as "limit", current_user as login`);
  await byUrl.close();
  expect(rows).toEqual([{ limit: '4s', login: 'shop_app' }]);
  expect(byUrl.ownDatabase).toBe(false);
  expect(await fs.readdir(home)).not.toContain('unused');
});

test('a read-only database, such as a replica mistaken for the primary, counts as unreachable', async () => {
  const pool = openPool(database.owner);
  const writing = pool.query('begin read only; create table spices_of_nobody (id int); commit');
  expect(isDatabaseOutOfReach(await writing.catch((error: unknown) => error))).toBe(true);
  await pool.end();
});

test.each(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])(
  '%s counts as an unreachable database only when a connection reports it',
  async (code) => {
    const ofMailOrFile = Object.assign(new Error(`connect ${code}`), { code });
    expect(isDatabaseOutOfReach(ofMailOrFile)).toBe(false);
    const pool = openPool({ host: '127.0.0.1', port: 1 });
    const asked = await pool.query('select 1').catch((error: unknown) => error);
    expect(isDatabaseOutOfReach(new Error('a query failed', { cause: asked }))).toBe(true);
    await pool.end();
  },
);

test('an unreachable database is reported with the variable that names it', async () => {
  const url = 'postgres://shop@127.0.0.1:1/shop';
  const opening = openDatabase({ url, folder: home });
  await expect(opening).rejects.toThrow(/^DATABASE_URL: can't reach the database \(.*ECONNREFUSED.*\)$/);
  const direct = openDatabase({ url, directUrl: url, folder: home });
  await expect(direct).rejects.toThrow(/^DATABASE_DIRECT_URL: /);
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

async function ask(config: ClientConfig, query: string): Promise<object[]> {
  const client = new Client(config);
  await client.connect();
  try {
    return (await client.query<object>(query)).rows;
  } finally {
    await client.end();
  }
}

/** @param statements by migration time, as drizzle-kit writes them */
async function writeMigrations(statements: Record<number, string>): Promise<string> {
  const folder = await fs.mkdtemp(path.join(home, 'migrations-'));
  await fs.mkdir(path.join(folder, 'meta'));
  const entries = Object.keys(statements).map((when, idx) => ({
    idx,
    when: Number(when),
    tag: when,
    breakpoints: true,
  }));
  await fs.writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
  for (const [tag, sql] of Object.entries(statements)) await fs.writeFile(path.join(folder, `${tag}.sql`), sql);
  return folder;
}
