/**
 * Which login the shop works with after a start, what it finds from before, and what it does where it may not create
 * one.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ClientConfig } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  migrateDatabase,
  openDatabase,
  prepareJobs,
  type DatabasePlace,
  type Entered,
  type OpenDatabase,
} from '../../../src/server/db/open';
import { onServer, urlOf, withDatabase } from '../../support/globalSetup';

const migrations = path.resolve('src/server/db/migrations');
const { config } = inject('database');
let home: string;
const open: OpenDatabase[] = [];
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'second-login-'));
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** As each start of the shop does. */
async function start(place: Partial<DatabasePlace>): Promise<OpenDatabase & Entered> {
  const database = await openDatabase({ folder: path.join(home, 'postgres'), ...place });
  open.push(database);
  await migrateDatabase(database.owner, migrations);
  await prepareJobs(database.owner);
  return { ...database, ...(await database.enter()) };
}

async function ask<Row extends object>(on: ClientConfig, ...statements: string[]): Promise<Row[]> {
  const client = new Client(on);
  try {
    await client.connect();
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
const codeOf = (on: ClientConfig, ...statements: string[]) =>
  ask(on, ...statements).then(
    () => undefined,
    ({ code, message }: { code?: string; message: string }) => code ?? message,
  );
const who = async ({ pool }: Entered) =>
  (await pool.query<{ login: string; role: string }>('select session_user as login, current_user as role')).rows[0];

describe('in the shop’s own database', () => {
  const file = () => path.join(home, 'postgres.password');
  const rules = () => path.join(home, 'postgres/pg_hba.conf');
  const rulesOfInitdb = 'local all all trust\nhost all all 127.0.0.1/32 trust\nlocal replication all trust\n';

  test('it has a password in a file readable by the operator alone, and nobody logs in without it', async () => {
    const { direct, owner } = await start({});
    expect(direct).toMatchObject({ user: 'shop_app', password: await readFile(file(), 'utf8') });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await codeOf({ ...direct, password: undefined }, 'select 1')).toContain('password must be');
    expect(await codeOf({ ...direct, password: 'x' }, 'select 1')).toBe('28P01');
    expect(await codeOf({ ...direct, user: 'stranger' }, 'select 1')).toBe('28P01');
    // as after restoring a backup
    expect(await ask(owner, 'select session_user as login')).toEqual([{ login: 'shop' }]);
    const { rules: read } = (
      await ask<{ rules: string[] }>(
        owner,
        `select array_agg(type || ' ' || array_to_string(user_name, ',') || ' ' || auth_method) as rules from pg_hba_file_rules`,
      )
    )[0]!;
    expect(read).toEqual(['local shop trust', 'local all scram-sha-256']);
  });

  /** The leftovers of a start that was killed after each of its steps, or lost its file. */
  const noRole = ['drop owned by shop_app', 'drop role shop_app'];
  const left: [string, () => Promise<void>, string[]][] = [
    ['a start that wrote no rules', () => writeFile(rules(), rulesOfInitdb).then(() => rm(file())), noRole],
    ['a start that wrote the rules', () => rm(file()), noRole],
    ['a start that wrote half of the password', () => writeFile(file(), 'half'), noRole],
    ['a start that wrote the password', async () => undefined, noRole],
    ['a start whose file is gone', () => rm(file()), []],
    ['a start that gave no rights', async () => undefined, ['drop owned by shop_app']],
    ['an attacker who changed its password', async () => undefined, [`alter role shop_app password 'mine'`]],
  ];
  test.each(left)('it is there after %s', async (_, changeFiles, statements) => {
    const before = await start({});
    await ask(before.owner, ...statements);
    await open.pop()?.close();
    await changeFiles();
    const after = await start({});
    expect(await who(after)).toEqual({ login: 'shop_app', role: 'shop_app' });
    expect(await codeOf(after.direct, 'select from users', 'listen catalog')).toBeUndefined();
    expect(await codeOf(after.direct, 'set role shop')).toBe('42501');
    expect(await codeOf({ ...after.direct, password: undefined }, 'select 1')).toContain('password must be');
    expect(await ask(after.owner, 'select current_user as role')).toEqual([{ role: 'shop' }]);
  });
});

describe('in an external database', () => {
  const names: string[] = [];
  /** A new database, with an owner. @param rights such as createrole */
  async function found(rights = '', password = 'of the owner') {
    const name = `login_${randomUUID().slice(0, 8)}`;
    names.push(name);
    await onServer(config, `create role ${name} login password '${password}' ${rights}`);
    await onServer(config, `create database ${name} owner ${name}`);
    return { name, url: urlFor(name, name, password) };
  }
  function urlFor(database: string, user: string, password: string): string {
    const url = new URL(urlOf(withDatabase(config, database)));
    [url.username, url.password] = [user, password];
    return url.href;
  }
  afterAll(async () => {
    for (const name of names) {
      await onServer(config, `drop database if exists ${name} with (force)`);
      for (const role of [`${name}_web`, `${name}_app`, name]) await onServer(config, `drop role if exists ${role}`);
    }
  });

  test('its password is derived from the owner’s, and is stored nowhere', async () => {
    const { name, url } = await found('createrole');
    const first = await start({ url });
    expect(await who(first)).toEqual({ login: `${name}_app`, role: `${name}_app` });
    const password = new URL(String(first.direct.connectionString)).searchParams.get('password') ?? '';
    expect(password).toMatch(/^[\w-]{43}$/);
    const server = withDatabase(config, name);
    const [kept] = await ask<{ kept: string }>(
      server,
      `select rolpassword as kept from pg_authid where rolname = '${name}_app'`,
    );
    expect(kept?.kept).toMatch(/^SCRAM-SHA-256\$4096:/);
    expect(await ask(server, `select from pg_settings where setting like '%${password}%'`)).toEqual([]);
    // each process derives the same one
    const second = await start({ url });
    expect(second.direct).toEqual(first.direct);
    const [same] = await ask<{ kept: string }>(
      server,
      `select rolpassword as kept from pg_authid where rolname = '${name}_app'`,
    );
    expect(same).toEqual(kept);
  });

  test('follows a change of the owner’s password', async () => {
    const { name, url } = await found('createrole');
    const before = await start({ url });
    await onServer(config, `alter role ${name} password 'a new one'`);
    const after = await start({ url: urlFor(name, name, 'a new one') });
    expect(after.direct).not.toEqual(before.direct);
    expect(await who(after)).toMatchObject({ login: `${name}_app` });
    expect(await codeOf(before.direct, 'select 1')).toBe('28P01');
  });

  test('is used on a replica too, unless its URL names another', async () => {
    const { name, url } = await found('createrole');
    const { ofReplica, direct } = await start({ url });
    const ofOwner = Object.assign(new URL(url), { hostname: 'replica' }).href;
    const expected = Object.assign(new URL(String(direct.connectionString)), { hostname: 'replica' }).href;
    expect(ofReplica(ofOwner)).toBe(expected);
    const ofReader = `postgres://reader:x@replica/${name}`;
    expect(ofReplica(ofReader)).toBe(ofReader);
  });

  test('is created once by several processes that start at the same time on a new database', async () => {
    const { name, url } = await found('createrole');
    const all = await Promise.all([1, 2, 3].map(() => start({ url })));
    for (const each of all) expect(await who(each)).toEqual({ login: `${name}_app`, role: `${name}_app` });
  });

  test('an owner who may not create logins gets a warning that a query has all of their rights', async () => {
    const { name, url } = await found();
    const shop = await start({ url });
    expect(shop.warning).toMatch(
      /^DATABASE_URL: the shop has no second, limited login .*, so every query runs with its owner's rights: set DATABASE_APP_URL/,
    );
    expect(await who(shop)).toEqual({ login: name, role: name });
  });

  test('an owner who is a member of the app role works as that, with a warning that a query could undo it', async () => {
    const { name, url } = await found();
    await onServer(config, `create role ${name}_app`);
    await onServer(config, `grant ${name}_app to ${name}`);
    const shop = await start({ url });
    expect(shop.warning).toMatch(/^DATABASE_URL: .*, so a query could regain its owner's rights: set/);
    expect(await who(shop)).toEqual({ login: name, role: `${name}_app` });
    expect(await codeOf(shop.direct, 'create table intruder ()')).toBe('42501');
    expect(await codeOf(shop.direct, 'select from users')).toBeUndefined();
    await start({ url });
  });

  test('an owner whose name equals the login’s has none', async () => {
    const name = `login_${randomUUID().slice(0, 8)}`;
    names.push(name);
    await onServer(config, `create role ${name}_app login createrole password 'x'`);
    await onServer(config, `create database ${name} owner ${name}_app`);
    const shop = await start({ url: urlFor(name, `${name}_app`, 'x') });
    expect(shop.warning).toContain('every query runs with');
    expect(await codeOf(shop.direct, `update audit_log set action = ''`)).toBeUndefined();
  });

  test('a role to which an administrator gave more rights is not used', async () => {
    const { name, url } = await found('createrole');
    await onServer(config, `create role ${name}_app login password 'x'`);
    await onServer(config, `grant ${name} to ${name}_app`);
    expect((await start({ url })).warning).toMatch(/_app has, or can get, more rights .*, so every query runs with/);
  });

  describe('with DATABASE_APP_URL', () => {
    const appUrl = (name: string, password = 'of the web') => urlFor(name, `${name}_web`, password);

    test('an owner who may not create logins works with an existing one', async () => {
      const { name, url } = await found();
      await onServer(config, `create role ${name}_web login password 'of the web'`);
      const shop = await start({ url, appUrl: appUrl(name) });
      expect(shop.warning).toBeUndefined();
      expect(await who(shop)).toEqual({ login: `${name}_web`, role: `${name}_web` });
      expect(await codeOf(shop.direct, 'select from users', 'select from graphile_worker.jobs')).toBeUndefined();
      expect(await codeOf(shop.direct, 'create table intruder ()')).toBe('42501');
    });

    test('it is created by an owner who may, and shares the tables with one that was there before', async () => {
      const { name, url } = await found('createrole');
      await start({ url });
      const shop = await start({ url, appUrl: appUrl(name) });
      expect(await who(shop)).toMatchObject({ login: `${name}_web` });
      await shop.pool.query(`select graphile_worker.add_job('deleteOldRows')`);
      expect((await shop.pool.query('select from graphile_worker._private_jobs')).rowCount).toBe(1);
      expect(await who(await start({ url }))).toMatchObject({ login: `${name}_app` });
    });

    test.each([
      ['with a wrong password', 'createrole', `create role NAME_web login password 'another'`, /password/],
      ['that is not there', '', 'select 1', /permission denied/],
      [
        'that may become the owner',
        'createrole',
        `create role NAME_web login password 'of the web' in role NAME`,
        /more/,
      ],
    ])('one %s stops the start with a sentence, and stays unchanged', async (_, rights, statement, reason) => {
      const { name, url } = await found(rights);
      await onServer(config, statement.replaceAll('NAME', name));
      const starting = start({ url, appUrl: appUrl(name) });
      await expect(starting).rejects.toThrow(/^DATABASE_APP_URL: this login can't be used \(.*\)$/);
      await expect(starting).rejects.toThrow(reason);
    });
  });

  describe('with client authentication that an administrator configured', () => {
    let server: OpenDatabase;
    const urlOfKeeper = (password = '') =>
      `postgres://keeper${password}@${encodeURIComponent(String(server.owner.host))}:${server.owner.port}/kept`;
    beforeAll(async () => {
      server = await openDatabase({ folder: path.join(home, 'managed/postgres') });
      await ask(
        server.owner,
        `create role keeper login createrole createdb password 'x'`,
        'create database kept owner keeper',
      );
    });
    afterAll(() => server.close());

    async function letIn(...logins: string[]): Promise<void> {
      const rules = ['local all shop trust', ...logins.map((login) => `local all ${login}`)];
      await writeFile(path.join(home, 'managed/postgres/pg_hba.conf'), `${rules.join('\n')}\n`);
      await ask(server.owner, 'select pg_reload_conf()');
      const read = 'select from pg_hba_file_rules';
      await expect.poll(async () => (await ask(server.owner, read)).length).toBe(rules.length);
    }

    test('that rejects the login, the shop continues with the owner, and says so', async () => {
      await letIn('keeper scram-sha-256');
      const refused = await start({ url: urlOfKeeper(':x') });
      expect(refused.warning).toMatch(/^DATABASE_URL: .*\(no pg_hba.conf entry .*"kept_app".*\), so a query could/);
      expect(await who(refused)).toEqual({ login: 'keeper', role: 'kept_app' });
      expect(await codeOf(refused.direct, 'create table intruder ()')).toBe('42501');
      await letIn('keeper scram-sha-256', 'kept_app scram-sha-256');
      const taken = await start({ url: urlOfKeeper(':x') });
      expect(taken.warning).toBeUndefined();
      expect(await who(taken)).toEqual({ login: 'kept_app', role: 'kept_app' });
    });

    test('that gives the owner no password, it is derived from SESSION_SECRET', async () => {
      await letIn('keeper trust', 'all scram-sha-256');
      await ask(server.owner, 'alter role kept_app password null');
      expect((await start({ url: urlOfKeeper() })).warning).toContain('a query could regain');
      const secret = 'a secret of the processes of one shop';
      for (const _ of ['one', 'another']) {
        const shop = await start({ url: urlOfKeeper(), secret });
        expect(await who(shop)).toEqual({ login: 'kept_app', role: 'kept_app' });
      }
    });
  });
});
