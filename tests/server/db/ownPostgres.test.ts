/** Each shop here is a process of its own, because most of this is about what outlives a process. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OwnPostgres } from '../../../src/server/db/ownPostgres';

type Said = { connection?: OwnPostgres['connection']; refused?: string; reported?: string };
type Shop = { process: ChildProcess; connection: OwnPostgres['connection']; reported: string[] };

const isRoot = process.getuid?.() === 0;
const running = new Set<ChildProcess>();
let home: string;
let folder: string;
let program: string;

beforeAll(async () => {
  home = await fs.mkdtemp(path.join(tmpdir(), 'own-postgres-'));
  folder = path.join(home, 'data/postgres');
  // below the project, where the built file finds its packages
  const outDir = path.resolve('.cache/tests', path.basename(home));
  const ssr = path.resolve('src/server/db/ownPostgres.ts');
  await build({ configFile: false, logLevel: 'error', build: { ssr, outDir, target: 'node20', copyPublicDir: false } });
  program = path.join(outDir, 'shop.js');
  await fs.writeFile(
    program,
    `import { startOwnPostgres } from './ownPostgres.js';
    process.on('SIGINT', () => {}).once('disconnect', () => process.exit());
    try {
      const { connection, stop } = await startOwnPostgres(process.argv[2], (reported) => process.send({ reported }));
      process.once('message', () => stop().then(() => process.disconnect()));
      process.send({ connection });
    } catch (error) {
      process.send({ refused: error.message }, () => process.exit(1));
    }`,
  );
});

afterEach(async () => {
  for (const shop of running) await end(shop, 'SIGKILL');
});

afterAll(async () => {
  for (const each of [home, path.dirname(program)]) await fs.rm(each, { recursive: true, force: true });
});

test('what was written is there after the shop was stopped and started', async () => {
  const first = await start(folder);
  await write(first, 'create table notes (words text)', `insert into notes values ('Black pepper')`);
  await stop(first);
  const second = await start(folder);
  expect(await read(second, 'select words from notes')).toEqual([{ words: 'Black pepper' }]);
});

test('the database opens no network port', async () => {
  const shop = await start(folder);
  const { lines } = await lockOf(folder);
  expect(lines.slice(3, 6)).toEqual(['5432', shop.connection.host, '']); // port, socket's folder, addresses
});

test('the database forces every commit to the disk', async () => {
  const shop = await start(folder);
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])
    expect(await read(shop, `show ${setting}`)).toEqual([{ [setting]: 'on' }]);
});

test('a second shop on the same folder is refused in one sentence, and the first is unharmed', async () => {
  const first = await start(folder);
  const refused = [startRefused(folder), startRefused(folder, { TMPDIR: path.dirname(program) })];
  expect(new Set(await Promise.all(refused))).toEqual(new Set([`Another shop is using ${folder}`]));
  expect(await read(first, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(first.reported).toEqual([]);
});

test('kill -9 of the shop leaves no database process behind and the next start finds every acknowledged write', async () => {
  const shop = await start(folder);
  await write(shop, 'create table sales (id int primary key)');
  const acknowledged: number[] = [];
  const buyers = [0, 1, 2, 3].map((buyer) => sellUntilCut(shop, buyer, acknowledged));
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
  const { pid } = await lockOf(folder);
  await end(shop.process, 'SIGKILL');
  await Promise.all(buyers);

  const next = await start(folder);
  expect(isRunning(pid)).toBe(false);
  const kept = new Set((await read(next, 'select id from sales')).map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
});

test('after kill -9 of the shop and its database together the next start is fine', async () => {
  const shop = await start(folder);
  const { pid } = await lockOf(folder);
  shop.process.kill('SIGSTOP'); // or it would start the database again in between
  process.kill(pid, 'SIGKILL');
  await end(shop.process, 'SIGKILL');
  expect(await read(await start(folder), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a killed database comes back by itself', async () => {
  const shop = await start(folder);
  const { pid } = await lockOf(folder);
  process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await lockOf(folder)).pid).not.toBe(pid);
  await expect.poll(() => read(shop, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }]);
  expect(shop.reported).toEqual(['The database ended and is started again']);
});

test("a lock naming a stranger's process does not stop the start", async () => {
  const shop = await start(folder);
  const { lines } = await lockOf(folder);
  await stop(shop);
  const lock = [process.pid, ...lines.slice(1)].join('\n');
  await fs.writeFile(path.join(folder, 'postmaster.pid'), lock);
  await fs.mkdir(shop.connection.host, { recursive: true });
  await fs.writeFile(path.join(shop.connection.host, '.s.PGSQL.5432.lock'), lock);
  await start(folder);
});

test('Ctrl-C in the terminal leaves the database to the shop', async () => {
  const shop = await start(folder);
  const { pid } = await lockOf(folder);
  process.kill(-Number(shop.process.pid), 'SIGINT');
  expect(groupOf(pid)).not.toBe(shop.process.pid); // so no signal of the terminal reaches it
  expect(await read(shop, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(shop.reported).toEqual([]);
});

/** Linux says it in a file, where programs that would are often missing. */
function groupOf(pid: number): number {
  const stat = `/proc/${pid}/stat`;
  if (existsSync(stat)) return Number(readFileSync(stat, 'utf8').split(') ')[1]?.split(' ')[2]);
  return Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }));
}

test('a private folder with a very long name is fine', async () => {
  const root = path.join(home, 'r'.repeat(120));
  await fs.mkdir(root, { mode: 0o700 });
  await start(path.join(root, 'postgres'));
});

test.runIf(isRoot)('an ordinary user may run the shop, and root after them on the same folder', async () => {
  const ordinary = 1000;
  const theirs = path.join(home, 'theirs');
  await fs.mkdir(theirs, { mode: 0o700 });
  await fs.chown(theirs, ordinary, ordinary);
  await stop(await start(path.join(theirs, 'postgres'), {}, ordinary));
  await start(path.join(theirs, 'postgres'));
  expect((await fs.stat(path.join(theirs, 'postgres'))).uid).toBe(ordinary);
});

test('of two shops that start on a new folder at once one runs and one is refused', async () => {
  const fresh = path.join(home, 'twice');
  const said = await Promise.all([launch(fresh), launch(fresh)].map(({ first }) => first));
  expect(said.map(({ refused }) => refused).filter(Boolean)).toEqual([`Another shop is using ${fresh}`]);
  expect((await fs.readdir(home)).filter((name) => name.startsWith('twice'))).toEqual(['twice']);
});

test('a folder of another major version is refused with a sentence that says how to move', async () => {
  const old = path.join(home, 'old');
  await fs.mkdir(old);
  await fs.writeFile(path.join(old, 'PG_VERSION'), '15\n');
  expect(await startRefused(old)).toMatch(/^.*old was made by PostgreSQL 15 and this shop brings .* pg_upgrade .*$/);
});

test('a folder with other files is left alone', async () => {
  const foreign = path.join(home, 'foreign');
  await fs.mkdir(foreign);
  await fs.writeFile(path.join(foreign, 'letter.txt'), 'Dear reader');
  expect(await startRefused(foreign)).toContain('holds files but no database');
  expect(await fs.readdir(foreign)).toEqual(['letter.txt']);
});

/** @param uid of an ordinary user to run as; it may read the project wherever root has put it */
function launch(at: string, env: NodeJS.ProcessEnv = {}, uid?: number): { shop: Shop; first: Promise<Said> } {
  const reach = ['--clear-groups', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const as = uid
    ? { execPath: 'setpriv', execArgv: [`--reuid=${uid}`, `--regid=${uid}`, ...reach, '--', process.execPath] }
    : { execArgv: [] };
  const child = fork(program, [at], { ...as, detached: true, env: { ...process.env, TMPDIR: home, ...env } });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const shop: Shop = { process: child, connection: { host: '', port: 0, user: '', database: '' }, reported: [] };
  const first = new Promise<Said>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the shop ended with ${code}`)));
    child.on('message', ({ reported, ...said }: Said) => {
      if (reported) return shop.reported.push(reported);
      if (said.connection) shop.connection = said.connection;
      return resolve(said);
    });
  });
  return { shop, first };
}

async function start(at: string, env?: NodeJS.ProcessEnv, uid?: number): Promise<Shop> {
  const { shop, first } = launch(at, env, uid);
  const { refused } = await first;
  if (refused) throw new Error(refused);
  return shop;
}

async function startRefused(at: string, env?: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await launch(at, env).first).refused;
}

async function stop(shop: Shop): Promise<void> {
  const exited = once(shop.process, 'exit');
  shop.process.send('stop');
  expect(await exited).toEqual([0, null]);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function read(shop: Shop, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client(shop.connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

async function write(shop: Shop, ...statements: string[]): Promise<void> {
  for (const statement of statements) await read(shop, statement);
}

async function sellUntilCut(shop: Shop, buyer: number, acknowledged: number[]): Promise<void> {
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
    // the cut
  }
}

async function lockOf(at: string): Promise<{ pid: number; lines: string[] }> {
  const lines = (await fs.readFile(path.join(at, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), lines };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // where nobody collects the dead, as in many containers, they stay listed
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}
