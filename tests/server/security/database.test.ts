import path from 'node:path';
import { Client, type Pool, type ClientConfig } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { takeLesserRole } from '../../../src/server/db/lesserRole';
import { migrateDatabase, openPool, prepareJobs } from '../../../src/server/db/open';
import { connect } from '../../../src/server/db/transact';
import { startJobs } from '../../../src/server/jobs';
import { onServer, withDatabase } from '../../support/globalSetup';
import { openShop, type TestShop } from '../../support/shop';

/** ASVS 13.2.2: what the shop's own connections may do in the database. */
let shop: TestShop;
let pool: Pool;
let database: string;
const { config } = inject('database');

beforeAll(async () => {
  shop = await openShop();
  expect(await takeLesserRole(shop.direct)).toBe(true);
  pool = openPool(shop.direct);
  database = String((await pool.query<{ name: string }>('select current_database() as name')).rows[0]?.name);
});
afterAll(async () => {
  await pool.end();
  await shop.close();
  for (const login of logins()) {
    await onServer(config, `drop database if exists ${login} with (force)`);
    for (const role of [`${login}_app`, login]) await onServer(config, `drop role if exists ${role}`);
  }
  await onServer(config, `drop role if exists ${database}_app`);
});

/** One that may not make roles, one that may, and one that was given the role by somebody who may. */
const logins = () => ['plain', 'maker', 'given'].map((each) => `${database}_${each}`);

const codeOf = (statement: string, on: Pick<Pool, 'query'> = pool) =>
  on.query(statement).then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );

test('a connection of the shop has a role of its own that is no login', async () => {
  const { rows } = await pool.query(
    'select current_user as name, rolsuper, rolcanlogin, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user',
  );
  expect(rows).toEqual([
    {
      name: `${database}_app`,
      rolsuper: false,
      rolcanlogin: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
    },
  ]);
});

test.each([
  ['makes a role', 'create role intruder superuser'],
  ['makes a database', 'create database intruder'],
  ['reads a file', `select pg_read_file('/etc/passwd')`],
  ['copies from a file', `copy categories from '/etc/passwd'`],
  ['copies into a file', `copy users to '/tmp/users.csv'`],
  ['runs a program', `copy users to program 'cat'`],
  ['reads the list of passwords', 'select * from pg_authid'],
  ['changes a setting of the server', `alter system set log_statement = 'all'`],
  ['drops the schema', 'drop schema public cascade'],
  ['drops a table', 'drop table users cascade'],
  ['empties a table', 'truncate users cascade'],
  ['makes a table', 'create table intruder ()'],
  ['changes a table', 'alter table users drop column role'],
  ['switches a guard off', 'alter table audit_log disable trigger all'],
  ['replaces a guard', `create or replace function keep_an_owner() returns trigger language plpgsql as 'begin end'`],
  ['rewrites the audit log', `update audit_log set action = ''`],
  ['thins the audit log out', 'delete from audit_log'],
  ['reads the list of migrations', 'select * from drizzle.__drizzle_migrations'],
])('none of them %s', async (_, statement) => {
  expect(await codeOf(statement)).toBe('42501');
});

test('with these rights the jobs are taken and done', async () => {
  const logger = pino({ level: 'silent' });
  const { clock, payments, mail, pictureStore } = shop;
  const parts = { db: connect(pool), clock, payments, mail, pictureStore, logger };
  const jobs = await startJobs(pool, parts);
  await pool.query(`select graphile_worker.add_job('forgetOldRows')`);
  const left = async () =>
    (await pool.query<{ left: number }>('select count(*)::int as left from graphile_worker.jobs')).rows[0]?.left;
  await expect.poll(left).toBe(0);
  await jobs.stop();
});

test('the next start changes the schema as the owner, and new tables can be used', async () => {
  await migrateDatabase(shop.direct, path.resolve('src/server/db/migrations'));
  await prepareJobs(shop.direct);
  await shop.pool.query('create table made_later (note text)');
  expect(await codeOf('select * from made_later')).toBe('42501');
  expect(await Promise.all([1, 2].map(() => takeLesserRole(shop.direct)))).toEqual([true, true]);
  expect(await codeOf(`insert into made_later values ('here')`)).toBeUndefined();
});

test('who keeps the database, for a backup or a look, asks for the rights of the login', async () => {
  const client = new Client({ ...shop.direct, options: '-c role=none' });
  await client.connect();
  expect((await client.query('select current_user = session_user as own')).rows).toEqual([{ own: true }]);
  expect(await codeOf('select * from drizzle.__drizzle_migrations', client)).toBeUndefined();
  await client.end();
});

test('the login of DATABASE_URL makes the role if it may, uses one that it was given, and else keeps its rights', async () => {
  for (const login of logins()) {
    const rights = login.endsWith('maker') ? 'createrole' : '';
    const isLess = !login.endsWith('plain');
    await onServer(config, `create role ${login} login password 'x' ${rights}`);
    await onServer(config, `create database ${login} owner ${login}`);
    if (login.endsWith('given')) {
      await onServer(config, `create role ${login}_app`);
      await onServer(config, `grant ${login}_app to ${login}`);
    }
    const direct = asLogin(withDatabase(config, login), login);
    await migrateDatabase(direct, path.resolve('src/server/db/migrations'));
    await prepareJobs(direct);
    expect(await takeLesserRole(direct)).toBe(isLess);
    const client = new Client(direct);
    await client.connect();
    expect(await codeOf('select from users', client)).toBeUndefined();
    expect(await codeOf('create table intruder ()', client)).toBe(isLess ? '42501' : undefined);
    await client.end();
  }
});

function asLogin({ connectionString, ...rest }: ClientConfig, login: string): ClientConfig {
  if (!connectionString) return { ...rest, user: login, password: 'x' };
  const url = new URL(connectionString);
  [url.username, url.password] = [login, 'x'];
  return { connectionString: url.href };
}
