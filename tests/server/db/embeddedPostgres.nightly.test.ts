/** Each shop here is a separate process, because most of this is about what outlives a process. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  end,
  lockOf,
  openDatabaseShops,
  read,
  stop,
  write,
  type DatabaseShop,
  type DatabaseShops,
} from '../../support/databaseShops';

let shops: DatabaseShops;
let home: string;
let folder: string;
beforeAll(async () => {
  shops = await openDatabaseShops();
  ({ home } = shops);
  folder = path.join(home, 'data/postgres');
});
afterEach(() => shops.killAll());
afterAll(() => shops.remove());

test('written data survives a stop and start of the shop', async () => {
  const first = await shops.start(folder);
  await write(first, 'create table notes (words text)', `insert into notes values ('Black pepper')`);
  await stop(first);
  const second = await shops.start(folder);
  expect(await read(second, 'select words from notes')).toEqual([{ words: 'Black pepper' }]);
});

test('the database opens no network port', async () => {
  const shop = await shops.start(folder);
  const { lines } = await lockOf(folder);
  expect(lines.slice(3, 6)).toEqual(['5432', shop.connection.host, '']); // port, socket folder, addresses
});

test('the database syncs every commit to disk', async () => {
  const shop = await shops.start(folder);
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])
    expect(await read(shop, `show ${setting}`)).toEqual([{ [setting]: 'on' }]);
});

test('a second shop on the same folder is rejected in one sentence, and the first is unharmed', async () => {
  const first = await shops.start(folder);
  const refused = [shops.startRefused(folder), shops.startRefused(folder, { env: { TMPDIR: shops.outDir } })];
  expect(new Set(await Promise.all(refused))).toEqual(new Set([`Another shop is already using ${folder}`]));
  expect(await read(first, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(first.reported).toEqual([]);
});

test('kill -9 of the shop leaves no database process behind and the next start finds every acknowledged write', async () => {
  const shop = await shops.start(folder);
  await write(shop, 'create table sales (id int primary key)');
  const acknowledged: number[] = [];
  const buyers = [0, 1, 2, 3].map((buyer) => sellUntilCut(shop, buyer, acknowledged));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
  const { pid } = await lockOf(folder);
  await end(shop.process, 'SIGKILL');
  await Promise.all(buyers);

  const next = await shops.start(folder);
  expect(isRunning(pid)).toBe(false);
  const kept = new Set((await read(next, 'select id from sales')).map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

test('after kill -9 of the shop and its database together the next start is fine', async () => {
  const shop = await shops.start(folder);
  const { pid } = await lockOf(folder);
  shop.process.kill('SIGSTOP'); // otherwise it would restart the database in between
  process.kill(pid, 'SIGKILL');
  await end(shop.process, 'SIGKILL');
  expect(await read(await shops.start(folder), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a killed database restarts by itself', async () => {
  const shop = await shops.start(folder);
  const { pid } = await lockOf(folder);
  process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await lockOf(folder)).pid).not.toBe(pid);
  await expect.poll(() => read(shop, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }]);
  expect(shop.reported).toEqual(['The database stopped; restarting it']);
});

test("a lock naming a stranger's process does not stop the start", async () => {
  const shop = await shops.start(folder);
  const { lines } = await lockOf(folder);
  await stop(shop);
  const lock = [process.pid, ...lines.slice(1)].join('\n');
  await fs.writeFile(path.join(folder, 'postmaster.pid'), lock);
  await fs.mkdir(shop.connection.host, { recursive: true });
  await fs.writeFile(path.join(shop.connection.host, '.s.PGSQL.5432.lock'), lock);
  await shops.start(folder);
});

test('Ctrl-C in the terminal leaves the database to the shop', async () => {
  const shop = await shops.start(folder);
  const { pid } = await lockOf(folder);
  process.kill(-Number(shop.process.pid), 'SIGINT');
  expect(groupOf(pid)).not.toBe(shop.process.pid); // so that no terminal signal reaches it
  expect(await read(shop, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(shop.reported).toEqual([]);
});

/** Linux has it in a file; the usual tools are often missing. */
function groupOf(pid: number): number {
  const stat = `/proc/${pid}/stat`;
  if (existsSync(stat)) return Number(readFileSync(stat, 'utf8').split(') ')[1]?.split(' ')[2]);
  return Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }));
}

test('a private folder with a very long name is fine', async () => {
  const root = path.join(home, 'r'.repeat(120));
  await fs.mkdir(root, { mode: 0o700 });
  await shops.start(path.join(root, 'postgres'));
});

test('of two shops that start at the same time on a new folder one runs and one is rejected', async () => {
  const fresh = path.join(home, 'twice');
  const said = await Promise.all([shops.launch(fresh), shops.launch(fresh)].map(({ first }) => first));
  expect(said.map(({ refused }) => refused).filter(Boolean)).toEqual([`Another shop is already using ${fresh}`]);
  expect((await fs.readdir(home)).filter((name) => name.startsWith('twice'))).toEqual(['twice']);
});

test('a folder of another major version is rejected with a sentence on how to migrate', async () => {
  const old = path.join(home, 'old');
  await fs.mkdir(old);
  await fs.writeFile(path.join(old, 'PG_VERSION'), '15\n');
  expect(await shops.startRefused(old)).toMatch(
    /^.*old was made by PostgreSQL 15 and this shop brings .* pg_upgrade .*$/,
  );
});

test('a folder with other files is left alone', async () => {
  const foreign = path.join(home, 'foreign');
  await fs.mkdir(foreign);
  await fs.writeFile(path.join(foreign, 'letter.txt'), 'Dear reader');
  expect(await shops.startRefused(foreign)).toContain('has files but no database');
  expect(await fs.readdir(foreign)).toEqual(['letter.txt']);
});

async function sellUntilCut(shop: DatabaseShop, buyer: number, acknowledged: number[]): Promise<void> {
  const client = new Client(shop.connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let sale = 0; ; sale++) {
      const id = buyer * 1_000_000 + sale;
      await client.query('insert into sales values ($1)', [id]);
      acknowledged.push(id);
    }
  } catch {
    // the truncation
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // where nothing reaps dead processes, as in many containers, they stay listed
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}
