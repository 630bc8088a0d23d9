/** The schema and its migrations. Rule: docs/rules/running.md, Database */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { Client, type ClientConfig } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrateDatabase } from '../../../src/server/db/open';
import journal from '../../../src/server/db/migrations/meta/_journal.json' with { type: 'json' };
import * as schema from '../../../src/server/db/schema/tables';
import { onServer, withDatabase } from '../../support/globalSetup';

const migrations = 'src/server/db/migrations';
const server = inject('database').config;
const made: string[] = [];
let home: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'shop-migrations-'));
});
afterAll(async () => {
  for (const name of made) await onServer(server, `drop database if exists ${name} with (force)`);
  await rm(home, { recursive: true, force: true });
});

test('an empty database gets every table and column that the shop uses, and no other', async () => {
  const database = await makeDatabase();
  await migrateDatabase(database, migrations);
  const client = await open(database);
  const { rows } = await client.query<{ column: string }>(
    `select relname || '.' || attname || ': ' || format_type(atttypid, null) || case when attnotnull then ' not null' else '' end
       as column
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  );
  await client.end();
  const columns = rows.map(({ column }) => column);
  expect(columns.toSorted()).toEqual(columnsOfSchema().toSorted());
});

test('the tables and the migrations match: npm run migration has nothing to write', async () => {
  const folder = path.join(home, 'agree');
  await cp(migrations, folder, { recursive: true });
  const { scripts } = (await import('../../../package.json')).default;
  const [, ...options] = scripts.migration.replace(migrations, path.relative('.', folder)).split(' ');
  const { stdout } = await promisify(execFile)('node_modules/.bin/drizzle-kit', options);
  expect(stdout).toContain('No schema changes');
  expect(await readdir(folder)).toEqual(await readdir(migrations));
});

test('a migration that waits for a table in use lets others pass, and finishes when the table is free', async () => {
  const database = await makeDatabase();
  await migrateDatabase(database, migrations);
  const holder = await open(database);
  await holder.query('begin');
  await holder.query('select from products');
  let isDone = false;
  const migrating = migrateDatabase(database, await withOneMore('alter table products add column maker text')).then(
    () => (isDone = true),
  );
  const other = await open(database);
  await expect.poll(() => other.query(waiting).then(({ rowCount }) => rowCount)).toBe(1);
  await other.query('select name from products'); // queues behind the migration, which yields
  expect(isDone).toBe(false);
  await holder.query('commit');
  await migrating;
  expect((await other.query('select maker from products')).rows).toEqual([]);
  await holder.end();
  await other.end();
});

test('products from before readable addresses get one from their name, unlike any other', async () => {
  const database = await makeDatabase();
  await migrateDatabase(database, await before('0007_product_slugs'));
  const client = await open(database);
  await client.query(`insert into categories (id, name, description, created_at)
    values (gen_random_uuid(), 'hot', 'Hot', now())`);
  const long = 'x'.repeat(90);
  for (const name of ['Crème’s & Herbs', 'Deleted', 'Deleted', '!!!', long, long])
    await client.query(
      `insert into products (id, category_id, name, description, price_cents, availability, quantity, created_at)
       select gen_random_uuid(), id, $1, 'x', 100, true, 1, clock_timestamp() from categories`,
      [name],
    );
  await client.query(`update products set archived_at = now()
    where id = (select id from products where name = 'Deleted' order by created_at limit 1)`);
  const { rows: cursors } = await client.query<{ position: string }>('select position from catalog_cursor');
  await migrateDatabase(database, await withOneMore('alter table products add column maker text'));
  const { rows } = await client.query<{ slug: string; change_cursor: string; version: number }>(
    `select products.slug, change_cursor, version from products
     join product_slugs on product_slugs.slug = products.slug and product_id = id order by products.created_at`,
  );
  await client.end();
  const [herbs, deleted, listed, none, first, second] = rows.map(({ slug }) => slug);
  expect([herbs, listed, none, first]).toEqual(['cremes-and-herbs', 'deleted', 'product', 'x'.repeat(72)]);
  expect(deleted).toMatch(/^deleted-[0-9a-f]{8}$/);
  expect(second).toMatch(/^x{71}-[0-9a-f]{8}$/);
  const start = Number(cursors[0]?.position);
  expect(rows.map(({ change_cursor: at }) => Number(at) - start)).toEqual([1, 2, 3, 4, 5, 6]); // devices hear of them
});

test('the cards of older products are written after the migration, while orders and searches go on', async () => {
  const database = await makeDatabase();
  await migrateDatabase(database, await before('0013_product_cards'));
  const client = await open(database);
  await client.query(`insert into categories (id, name, description, created_at)
    select gen_random_uuid(), name, '', now() from unnest('{hot,mild}'::text[]) as name`);
  await client.query(`insert into products (id, category_id, name, slug, description, price_cents, availability, quantity,
      size_group, created_at, archived_at)
    select gen_random_uuid(), categories.id, 'Spice ' || n, 'spice-' || n, '', 100 + n % 7, n % 5 > 0, n % 4 * 100,
      case when n % 3 > 0 then md5((n / 6)::text)::uuid end, now(), case when n % 10 = 0 then now() end
    from generate_series(1, 1200) as n join categories on (n % 2 = 0) = (name = 'hot')`);
  await client.query('begin');
  await client.query('select from catalog_cursor for update'); // a change of the catalog by the previous version
  let isDone = false;
  const migrating = migrateDatabase(database, migrations).then(() => (isDone = true));
  const shopper = await open(database);
  await shopper.query(`set statement_timeout = '4s'`);
  const hasTable = () => shopper.query(`select to_regclass('product_cards') is not null as there`);
  await expect.poll(async () => (await hasTable()).rows, { timeout: 20_000 }).toEqual([{ there: true }]);
  await shopper.query('update products set quantity = quantity + 1 where quantity > 0');
  expect((await shopper.query('select from product_search limit 1')).rowCount).toBe(1);
  expect(isDone).toBe(false);
  await client.query('commit');
  await migrating;
  const differing = await shopper.query(`
    with wanted as (select * from cards_of_products(array(select id from products))),
      counted as (select list::text, count(*) from wanted group by list),
      kept as (select part, sum(rows) from kept_counts where list = 'cards' group by part)
    select 'missing' from (select * from wanted except select * from product_cards) as missing
    union all select 'left' from (select * from product_cards except select * from wanted) as superfluous
    union all select 'count' from (select * from counted except select * from kept) as miscounted`);
  expect(differing.rows).toEqual([]);
  expect((await shopper.query('select from product_cards')).rowCount).toBeGreaterThan(700);
  expect((await shopper.query('select from cards_to_fill')).rowCount).toBe(0);
  await client.end();
  await shopper.end();
});

const waiting = `select from pg_locks where not granted and relation = 'products'::regclass`;

async function makeDatabase(): Promise<ClientConfig> {
  const name = `shop_migrations_${randomUUID().replaceAll('-', '')}`;
  made.push(name);
  await onServer(server, `create database ${name}`);
  return withDatabase(server, name);
}

const columnsOfSchema = () =>
  Object.values(schema)
    .filter((each) => is(each, PgTable))
    .flatMap((each) => {
      const { name: table, columns, primaryKeys } = getTableConfig(each);
      const keys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
      return columns.map((column) => {
        const isNotNull = column.notNull || keys.includes(column.name);
        return `${table}.${column.name}: ${column.getSQLType()}${isNotNull ? ' not null' : ''}`;
      });
    });

/** @returns the shop's migrations without this one and those after it */
const before = (tag: string): Promise<string> => {
  const end = journal.entries.findIndex((entry) => entry.tag === tag);
  return copyWith('before', journal.entries.slice(0, end));
};

async function copyWith(name: string, entries: object[]): Promise<string> {
  const folder = path.join(home, name);
  await mkdir(path.join(folder, 'meta'), { recursive: true });
  await cp(migrations, folder, { recursive: true });
  await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return folder;
}

/** @returns the shop's migrations and an extra one after them */
async function withOneMore(statement: string): Promise<string> {
  const last = journal.entries.at(-1);
  const entry = { ...last, idx: journal.entries.length, when: (last?.when ?? 0) + 1, tag: 'one_more' };
  const folder = await copyWith('one-more', [...journal.entries, entry]);
  await writeFile(path.join(folder, 'one_more.sql'), statement);
  return folder;
}

async function open(config: ClientConfig): Promise<Client> {
  const client = new Client(config);
  await client.connect();
  return client;
}
