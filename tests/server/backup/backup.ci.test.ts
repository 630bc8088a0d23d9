import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool, type ClientConfig } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, afterEach, expect, inject, test } from 'vitest';
import { restoreBackup } from '../../../src/server/backup/restoreBackup';
import { takeBackup } from '../../../src/server/backup/takeBackup';
import type { Manifest } from '../../../src/server/backup/manifest';
import { findFeed } from '../../../src/server/catalog/feed';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../../src/server/db/embedded/embeddedPostgres';
import { connect } from '../../../src/server/db/core/transact';
import { jobsOf } from '../../../src/server/jobs/jobs';
import { openFolderStore } from '../../../src/server/pictures/folderStore';
import { findBreaches } from '../../support/books';
import { buy, checkBooks, ledger, openOrder } from '../../support/buying';
import { onServer, withDatabase } from '../../support/globalSetup';
import { isNightly } from '../../support/nightly';
import { fileForm, jpeg } from '../../support/pictures';
import { openOwnShop, type TestShop } from '../../support/shop';

/** One shop that sells, and one backup taken meanwhile. */
const migrations = 'src/server/db/migrations';
const empty = `shop_test_empty_${randomUUID().replaceAll('-', '')}`;
let shop: TestShop;
let home: string;
let folder: string;
let taken: Manifest;
let ordersBefore: string[];
let avatar: string;

beforeAll(async () => {
  shop = await openOwnShop();
  home = await mkdtemp(path.join(tmpdir(), 'shop-backup-'));
  folder = path.join(home, 'backup');
  await mkdir(path.join(shop.dataDir, 'pictures'));
  await writeFile(path.join(shop.dataDir, 'pictures/pepper-320.avif'), randomUUID());
  const ana = await shop.signIn();
  const sent = { as: ana, path: { userId: ana.userId }, ...fileForm(await jpeg()) };
  avatar = (await shop.call('setOwnPicture', sent)).data.user.imageUrl ?? '';
  const held = await openOrder(shop, {}, 2); // paid after the backup
  ordersBefore = [held.orderId, ...(await sell(2))];
  await shop.jobs.runBackups(); // writes the schedule
  await shop.pool.query(
    `insert into backups (id, state, cause, started_at, place, name)
     values (gen_random_uuid(), 'good', 'nightly', now(), gen_random_uuid(), '2026-01-01T08-00-00')`,
  );
  const backup = { isTaken: false };
  const selling = Promise.all(
    [1, 2].map(async () => {
      do await sell(1);
      while (!backup.isTaken);
    }),
  );
  taken = await takeBackup({ direct: shop.direct, dataDir: shop.dataDir, pictureStore: shop.pictureStore, folder });
  backup.isTaken = true;
  await selling;
  await buy(shop, held);
  await sell(1);
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => onServer(inject('database').config, `create database ${empty}`));
afterEach(() => onServer(inject('database').config, `drop database if exists ${empty} with (force)`));

/** Orders, each paid immediately. */
async function sell(orders: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < orders; index++) {
    const order = await openOrder(shop, { quantity: 9 }, 3);
    await buy(shop, order);
    made.push(order.orderId);
  }
  return made;
}

const elsewhere = () => withDatabase(inject('database').config, empty);
type Restored = { folder?: string; dataDir?: string; direct?: ClientConfig | undefined; migrations?: string };
function restore({ dataDir = path.join(home, 'elsewhere'), ...options }: Restored = {}) {
  const pictureStore = openFolderStore(dataDir);
  return restoreBackup({ folder, dataDir, pictureStore, direct: elsewhere(), migrations, ...options });
}

async function withOwnDatabase<Result>(dataDir: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const { connection, stop } = await startEmbeddedPostgres(path.join(dataDir, 'postgres'));
  const pool = new Pool(connection);
  // a connection may learn of the database's end before it has ended itself
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined); // an idle connection reports the same error again
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await stop();
  }
}

const guards = `
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as guard from pg_constraint
  where connamespace = 'public'::regnamespace and contype <> 'n' -- which PostgreSQL 18 alone has there
  union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace
  union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
  order by 1`;

if (isNightly)
  test('a backup taken while people buy, restored into an empty folder, is a whole shop of that moment', async () => {
    const dataDir = path.join(home, 'restored');
    await restore({ dataDir, direct: undefined });
    const made = await readdir(dataDir);
    expect(made).toEqual(expect.arrayContaining(['pictures', 'postgres']));
    expect(made).not.toContain('session.key');
    for (const file of ['pictures/pepper-320.avif', avatar])
      expect(await readFile(path.join(dataDir, file))).toEqual(await readFile(path.join(shop.dataDir, file)));
    await withOwnDatabase(dataDir, async (pool) => {
      expect(await findBreaches({ pool, ledger: undefined })).toEqual([]);
      const { rows } = await pool.query<{ id: string }>('select id from orders');
      expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ordersBefore));
      expect((await pool.query(guards)).rows).toEqual((await shop.pool.query(guards)).rows);

      // nobody is signed in: neither sessions from before the backup, nor tokens issued since
      const sessions = 'select count(*)::int as all, count(ended_at)::int as ended from session_families';
      const [restored] = (await pool.query<{ all: number; ended: number }>(sessions)).rows;
      expect(restored?.ended).toBe(restored?.all);
      expect((await shop.pool.query(sessions)).rows, 'they go on in the shop itself').toMatchObject([{ ended: 0 }]);

      // what the provider has sent the former shop since
      const db = connect(pool);
      const jobs = jobsOf({ ...shop, db, mail: { ...shop.mail, db }, logger: pino({ level: 'silent' }) });
      const { rows: left } = await pool.query<{ payload: unknown }>(
        `select payload from graphile_worker._private_jobs where key = 'fetchEvents'`,
      );
      await jobs.fetchEvents(left[0]?.payload);
      await jobs.sweepPayments();
      expect(await findBreaches({ pool, ledger: await ledger(shop) })).toEqual([]);
      const { rows: held } = await pool.query('select status from orders where id = $1', [ordersBefore[0]]);
      expect(held).toEqual([{ status: 'PAID' }]);

      // the restored shop can be backed up while its database runs
      const running = await findEmbeddedPostgres(path.join(dataDir, 'postgres'));
      const place = { direct: { ...running }, dataDir, pictureStore: openFolderStore(dataDir) };
      const again = await takeBackup({ ...place, folder: path.join(home, 'again') });
      expect(again.migrations).toEqual(taken.migrations);
      expect(again.files.map(({ file }) => file)).toContain('pictures/pepper-320.avif');
    });
    expect(await findEmbeddedPostgres(path.join(dataDir, 'postgres'))).toBeUndefined();
  });

test('a backup is restored into an empty database elsewhere, but not into one with a shop', async () => {
  const pool = new Pool(elsewhere());
  pool.on('error', () => undefined); // the database may end before its connections
  await restore();
  expect(await findBreaches({ pool, ledger: undefined })).toEqual([]);
  const { rows } = await pool.query<{ next: string }>(`select nextval('order_numbers') as next`);
  const { rows: last } = await shop.pool.query<{ last: string }>('select last_value as last from order_numbers');
  expect(Number(rows[0]?.next), 'no number that the shop has given out since').toBeGreaterThan(Number(last[0]?.last));
  const listed = await pool.query('select (select count(*)::int from backups) as backups, hour from backup_schedule');
  expect(listed.rows, 'the list is of another folder, the schedule stays').toEqual([{ backups: 0, hour: 3 }]);
  const there = await findFeed(connect(pool));
  expect(there.epoch, 'beyond what the shop has reached since').toBeGreaterThan((await findFeed(shop.db)).position);
  expect(there.position).toBeGreaterThanOrEqual(there.epoch);
  const { rows: cursors } = await pool.query<{ first: string }>('select min(change_cursor) as first from products');
  expect(Number(cursors[0]?.first)).toBeGreaterThanOrEqual(there.epoch);
  await pool.end();
  await expect(restore({ dataDir: path.join(home, 'third') })).rejects.toThrow(
    "DATABASE_URL: the database isn't empty. Restore into a new one",
  );
  await expect(restore()).rejects.toThrow(/elsewhere already holds a shop \(pictures\)\. Restore into an empty folder/);
});

test('a damaged backup is rejected, the part is named, and nothing is written', async () => {
  const orders = path.join(folder, 'database/orders.copy.gz');
  const whole = await readFile(orders);
  await appendFile(orders, 'x');
  await expect(restore({ dataDir: path.join(home, 'none') })).rejects.toThrow(
    /is damaged: database\/orders\.copy\.gz doesn't match its checksum/,
  );
  await rm(orders);
  await expect(restore({ dataDir: path.join(home, 'none') })).rejects.toThrow(/can't read .*orders\.copy\.gz/);
  await writeFile(orders, whole);
  const manifest = await readFile(path.join(folder, 'manifest.json'), 'utf8');
  await writeFile(path.join(folder, 'manifest.json'), manifest.replace('"format": 1', '"format": 2'));
  await expect(restore({ dataDir: path.join(home, 'none') })).rejects.toThrow(
    /manifest\.json doesn't match its checksum/,
  );
  await writeFile(path.join(folder, 'manifest.json'), manifest);
  expect(await readdir(home)).not.toContain('none');
  await expect(restore({ folder: home })).rejects.toThrow(/isn't a backup: manifest\.json is missing/);
});

test('an older shop does not restore the backup of a newer one', async () => {
  const older = path.join(home, 'older');
  await mkdir(path.join(older, 'meta'), { recursive: true });
  await writeFile(path.join(older, 'meta/_journal.json'), JSON.stringify({ entries: [] }));
  await expect(restore({ migrations: older, dataDir: path.join(home, 'none') })).rejects.toThrow(
    'The backup was made by a newer or unreleased version of the shop. Restore it with that version',
  );
});

test('a backup is only taken of a shop, and never overwrites another', async () => {
  const { dataDir, pictureStore, direct } = shop;
  const options = { dataDir, pictureStore, direct };
  await expect(takeBackup({ ...options, folder })).rejects.toThrow(`${folder} already exists`);
  await expect(takeBackup({ ...options, direct: elsewhere(), folder: path.join(home, 'nothing') })).rejects.toThrow(
    "The database doesn't have a shop yet",
  );
  expect((await readdir(home)).filter((name) => name.startsWith('nothing'))).toEqual([]);
});
