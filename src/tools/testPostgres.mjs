/**
 * `npm run test:postgres`: runs the API tests whose SQL could behave differently on another PostgreSQL. Uses the oldest one
 * from version 15 on that this machine has, over TCP like DATABASE_URL. Its data is in a temporary folder.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { install, run } from './steps.mjs';
import { check, endWithCounts, inMemory, runVitest } from './testRun.mjs';

/** The features that query the database; tests that start their own database are not run twice. */
const features = ['audit', 'cart', 'catalog', 'contact', 'dashboard', 'delivery', 'discounts', 'holds', 'lists'];
const moreFeatures = ['mail', 'orders', 'payments', 'reports', 'settings', 'stock', 'tax', 'users'];
const words = [...features, ...moreFeatures].map((feature) => `tests/server/${feature}/`);

await inMemory(async () => {
  if (!(await check('install', install))) return;
  await check('PostgreSQL', async () => {
    const { version, folder } = await findPrograms();
    const server = await start(folder);
    try {
      const env = { TEST_DATABASE_URL: server.url };
      await runVitest(`API on PostgreSQL ${version}`, [...words, 'sharedBooks'], { env });
    } finally {
      await server.stop();
    }
  });
});
endWithCounts();

/** @throws Error in one sentence when none is available */
async function findPrograms() {
  const found = listPrograms();
  if (found.length === 0 && process.getuid?.() === 0) await installPackages('postgresql');
  const [oldest] = found.length > 0 ? found : listPrograms();
  if (!oldest) throw new Error('These tests need PostgreSQL 15 or later: install its server');
  return oldest;
}

function listPrograms() {
  const debians = '/usr/lib/postgresql';
  const folders = [
    ...(existsSync(debians) ? readdirSync(debians).map((version) => join(debians, version, 'bin')) : []),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders
    .filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
    .map((folder) => ({ folder, version: versionOf(join(folder, 'postgres')) }))
    .filter(({ version }) => version >= 15)
    .toSorted((one, other) => one.version - other.version);
}

function versionOf(program) {
  return Number(/\d+/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0]);
}

/** Runs as another user if this one is root, which PostgreSQL rejects. */
async function start(programs) {
  const folder = await mkdtemp('/tmp/shop-postgres-');
  const data = join(folder, 'data');
  const port = await findFreePort();
  const password = randomBytes(24).toString('hex');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  const owner = process.getuid?.() === 0 ? await requireUser() : undefined;
  if (owner) for (const each of [folder, passwordFile]) await chown(each, owner.uid, owner.gid);
  await chmod(folder, 0o700);
  const as = { cwd: '/', ...owner };
  const cluster = ['-D', data, '--username=shop', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(programs, 'initdb'), [...cluster, '--auth=scram-sha-256', `--pwfile=${passwordFile}`], {}, as);
  // its data is discarded: no need to wait for the disk
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off`;
  const log = join(folder, 'log');
  await run(join(programs, 'pg_ctl'), ['start', '-w', '-s', '-D', data, '-l', log, '-o', settings], {}, as).catch(
    async (error) => {
      throw new Error(`${error.message}\n${await readFile(log, 'utf8').catch(() => '')}`);
    },
  );
  return {
    url: `postgres://shop:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      await run(join(programs, 'pg_ctl'), ['stop', '-s', '-m', 'immediate', '-D', data], {}, as);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns Debian's user for it, or one that owns nothing */
async function requireUser() {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found) throw new Error("PostgreSQL can't run as root, and there is no user that it could run as");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
