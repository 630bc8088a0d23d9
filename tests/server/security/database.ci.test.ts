import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  migrateDatabase,
  openDatabase,
  openPool,
  prepareJobs,
  type Entered,
  type OpenDatabase,
} from '../../../src/server/db/open';
import { connect } from '../../../src/server/db/core/transact';
import { startJobs } from '../../../src/server/jobs/jobs';
import { onServer, urlOf, withDatabase } from '../../support/globalSetup';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type TestShop } from '../../support/shop';

/** ASVS 13.2.2: what the shop's own connections may do in the database. */
const { config } = inject('database');
const owner = `owner_${randomUUID().slice(0, 8)}`;

/** In each kind of database, as a start of the shop leaves it. */
const kinds = {
  'the shop’s own database': async (home: string) => openDatabase({ folder: path.join(home, 'postgres') }),
  'a database of an owner who may make roles': async (home: string) => {
    await onServer(config, `create role ${owner} login createrole password 'its own'`);
    await onServer(config, `create database ${owner} owner ${owner}`);
    const url = new URL(urlOf(withDatabase(config, owner)));
    [url.username, url.password] = [owner, 'its own'];
    return openDatabase({ url: url.href, folder: path.join(home, 'none') });
  },
};

/** Starting an embedded database takes seconds. */
const tried = (Object.keys(kinds) as (keyof typeof kinds)[]).slice(isNightly ? 0 : 1);

describe.each(tried)('in %s', (kind) => {
  let home: string;
  let shop: TestShop;
  let database: OpenDatabase;
  let entered: Entered;
  let pool: Pool;
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'database-rights-'));
    shop = await openOwnShop();
    database = await kinds[kind](home);
    await migrateDatabase(database.owner, path.resolve('src/server/db/migrations'));
    await prepareJobs(database.owner);
    entered = await database.enter();
    ({ pool } = entered);
  });
  afterAll(async () => {
    await database.close();
    await shop.close();
    await rm(home, { recursive: true, force: true });
    await onServer(config, `drop database if exists ${owner} with (force)`);
    for (const role of [`${owner}_app`, owner]) await onServer(config, `drop role if exists ${role}`);
  });

  const codeOf = (statement: string, on: Pick<Pool, 'query'> = pool) =>
    on.query(statement).then(
      () => undefined,
      ({ code }: { code: string }) => code,
    );

  test('the shop connects as its own login, which has and gets no other role', async () => {
    expect(entered.warning).toBeUndefined();
    for (const each of [pool, openPool(entered.direct)]) {
      const { rows } = await each.query(
        `select session_user = current_user as own, current_user = current_database() || '_app' as named, rolsuper,
                rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
                (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships
         from pg_roles where rolname = current_user`,
      );
      const rights = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false };
      expect(rows).toEqual([{ own: true, named: true, memberships: 0, rolreplication: false, ...rights }]);
      if (each !== pool) await each.end();
    }
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
  ])('no connection %s', async (_, statement) => {
    expect(await codeOf(statement)).toBe('42501');
  });

  const taken = `select query_to_xml('select rolname from pg_authid', true, true, '')`;
  const inQuery = (query: string) => `query_to_xml('${query.replaceAll("'", "''")}', true, true, '')`;
  test.each([
    ['in a statement of its own', [`select set_config('role', 'none', false)`, taken]],
    ['inside of a query', [`select ${inQuery(`select set_config('role', 'none', false)`)}, (${taken})`, taken]],
    ['for a transaction', ['begin', `select set_config('role', 'none', true)`, taken]],
    ['by a command', ['set role none', taken]],
    ['by starting over', ['reset session authorization', 'reset all', 'discard all', taken]],
  ])('no rights can be taken back %s', async (_, statements) => {
    const alone = openPool({ ...entered.direct, max: 1 });
    for (const statement of statements.slice(0, -1)) await codeOf(statement, alone);
    expect(await codeOf(statements.at(-1) ?? '', alone)).toMatch(/^(42501|25P02)$/);
    await codeOf('rollback', alone);
    expect((await alone.query('select current_user = session_user as own')).rows).toEqual([{ own: true }]);
    expect(await codeOf(taken, alone)).toBe('42501');
    await alone.end();
  });

  test('no other role can be taken', async () => {
    const isThere = async (name: string) =>
      (await pool.query('select 1 from pg_roles where rolname = $1', [name])).rows.length > 0;
    const { rows } = await pool.query<{ name: string }>('select rolname as name from pg_roles');
    for (const { name } of rows.filter((each) => !each.name.endsWith('_app')))
      for (const how of ['role', 'session_authorization'])
        expect([await codeOf(`select set_config('${how}', '${name}', false)`), name]).toEqual(
          (await isThere(name)) ? ['42501', name] : expect.anything(), // parallel tests create and drop roles
        );
  });

  test('with these rights the jobs are taken and done', async () => {
    const logger = pino({ level: 'silent' });
    const { mail } = shop;
    const db = connect(pool);
    const jobsPool = openPool(entered.direct);
    const jobs = await startJobs(jobsPool, { ...shop, db, mail: { ...mail, db }, logger });
    await pool.query(`select graphile_worker.add_job('deleteOldRows')`);
    const left = async () =>
      (await pool.query<{ left: number }>('select count(*)::int as left from graphile_worker.jobs')).rows[0]?.left;
    await expect.poll(left).toBe(0);
    await jobs.stop();
    await jobsPool.end();
  });

  test('the next start changes the schema as the owner, and new tables can be used', async () => {
    await migrateDatabase(database.owner, path.resolve('src/server/db/migrations'));
    await prepareJobs(database.owner);
    const asOwner = openPool(database.owner);
    await asOwner.query('create table made_later (note text)');
    await asOwner.end();
    expect(await codeOf('select * from made_later')).toBe('42501');
    await Promise.all([1, 2].map(() => database.enter()));
    expect(await codeOf(`insert into made_later values ('here')`)).toBeUndefined();
  });
});
