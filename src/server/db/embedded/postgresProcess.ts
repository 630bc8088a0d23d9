/** Runs the embedded PostgreSQL server: where it listens, how it starts, and how it stops together with the shop. */
import { StartError } from '../../core/startError';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readPassword } from './postgresCluster';
import { FolderInUse } from './postgresLock';
import { isWindows, type Binaries } from './postgresPrograms';
import { canEnter, startedIn, type DatabaseUser } from './postgresUser';

export type PostgresProcess = { ended: Promise<void>; stop(): Promise<void> };
export type Place = {
  connection: { host: string; port: number; password?: string };
  locks: string[];
  /** @param begun called once it starts @returns when connections are accepted @throws FolderInUse */
  launch(settings: Record<string, string>, begun: () => void): Promise<PostgresProcess>;
};

const inUse = /already exists|still in use/;
// 107 bytes on Linux, 103 on macOS
const longestSocketPath = 103;

export function preparePlace(folder: string, binaries: Binaries, user: DatabaseUser): Promise<Place> {
  return isWindows ? onLoopback(folder, binaries) : onSocket(folder, binaries, user);
}

async function onSocket(folder: string, { postgres }: Binaries, user: DatabaseUser): Promise<Place> {
  const port = 5432; // only part of the socket's name
  const host = socketFolder(folder, user);
  return {
    connection: { host, port },
    locks: [path.join(folder, 'postmaster.pid'), path.join(host, `.s.PGSQL.${port}.lock`)],
    async launch(settings, begun) {
      await requirePrivateFolder(host, user);
      const all = { ...settings, listen_addresses: '', unix_socket_directories: host, port: String(port) };
      const at = user.isLent ? startedIn : folder;
      const server = await launchWatched(folder, [postgres, '-D', at, ...options(all)], user, begun);
      return { ...server, stop: () => server.stop().then(() => removeIfEmpty(host)) };
    },
  };
}

/** A separate short folder, because socket paths are limited. Access to this folder is access to the database. */
function socketFolder(folder: string, user: DatabaseUser): string {
  const name = createHash('sha256')
    .update(`${path.resolve(folder)} ${user.uid}`)
    .digest('hex')
    .slice(0, 12);
  const fits = (parent: string) =>
    Buffer.byteLength(`${parent}/shop-${name}/.s.PGSQL.5432`) <= longestSocketPath &&
    (!user.isLent || canEnter(user, parent));
  return path.join([tmpdir(), '/tmp'].find(fits) ?? '/tmp', `shop-${name}`);
}

/** The shop owns the folder even if root runs the database as another user, whose other processes may not enter it. */
async function requirePrivateFolder(folder: string, { isLent, gid }: DatabaseUser): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid } = await fs.lstat(folder);
  if (uid !== process.getuid?.())
    throw new StartError(`${folder} belongs to another user. Remove it, or set a different TMPDIR`);
  if (isLent) await fs.chown(folder, uid, gid);
  await fs.chmod(folder, isLent ? 0o770 : 0o700);
}

async function removeIfEmpty(folder: string): Promise<void> {
  await fs.rmdir(folder).catch(() => undefined);
}

/**
 * The subshell waits for the end of its input, which means the end of our process even after kill -9. It then sends
 * PostgreSQL, which replaced the shell's process by exec, the signal for a fast shutdown.
 * The lock on descriptor 9 is released with the last process of the database. Unlike postmaster.pid, it is also visible
 * from another container that shares the folder.
 */
const untilShopEnds = `
  exec 3<&0
  if command -v flock >/dev/null; then exec 9>>"$1"; flock -n 9 || { echo 'still in use' >&2; exit 1; }; fi
  shift
  (exec 9>&-; read -r _ <&3; kill -INT $$) &
  exec "$@" 3<&- </dev/null`;

async function launchWatched(
  folder: string,
  server: string[],
  user: DatabaseUser,
  begun: () => void,
): Promise<PostgresProcess> {
  const [command = '', ...args] = [...user.command, 'sh', '-c', untilShopEnds, 'sh', 'shop.lock', ...server];
  // detached: otherwise Ctrl-C in the terminal would stop the database before the shop has finished its requests
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
  });
  child.stdin.on('error', () => undefined); // it is only closed, and may be closed already
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      buryGroup(child.pid);
      resolve();
    });
  });
  begun();
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(startFailure(said)));
  });
  return {
    ended,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Kills the waiting subshell together with the server; otherwise it could later signal an unrelated process. */
function buryGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // the group is already empty
  }
}

/** Windows has no private sockets, so the server uses a loopback port and a password stored in the folder. */
async function onLoopback(folder: string, { pg_ctl: control }: Binaries): Promise<Place> {
  const host = '127.0.0.1';
  const port = await findFreePort(host);
  return {
    connection: { host, port, password: await readPassword(folder) },
    locks: [path.join(folder, 'postmaster.pid')],
    launch: (settings, begun) =>
      launchControlled(
        folder,
        control,
        { ...settings, listen_addresses: host, port: String(port), unix_socket_directories: '' },
        begun,
      ),
  };
}

/** pg_ctl drops administrator rights, with which PostgreSQL refuses to run, and exits while the server keeps running. */
async function launchControlled(
  folder: string,
  control: string,
  settings: Record<string, string>,
  begun: () => void,
): Promise<PostgresProcess> {
  const log = path.join(folder, 'shop.log');
  await fs.rm(log, { force: true });
  const args = ['start', '-w', '-D', folder, '-l', log, '-o', options(settings).join(' ')];
  // detached: a separate console, which Ctrl-C in ours does not reach
  const starter = spawn(control, args, { detached: true, stdio: 'ignore', windowsHide: true });
  begun();
  const code = await new Promise((resolve, reject) => starter.once('exit', resolve).once('error', reject));
  if (code !== 0) throw startFailure(await fs.readFile(log, 'utf8').catch(() => `pg_ctl exited with ${String(code)}`));
  const pid = Number.parseInt(await fs.readFile(path.join(folder, 'postmaster.pid'), 'utf8'), 10);

  const watcher = spawn(process.execPath, ['-e', stopAtEndOfInput, control, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  watcher.stdin.on('error', () => undefined);
  const ended = (async () => {
    while (isAlive(pid)) await pause(250);
    watcher.kill('SIGKILL');
  })();
  return {
    ended,
    async stop() {
      watcher.stdin.end();
      await ended;
    },
  };
}

const stopAtEndOfInput = `
  const { spawnSync } = require('node:child_process');
  const [, control, folder] = process.argv;
  const stop = () => spawnSync(control, ['stop', '-m', 'fast', '-D', folder], { windowsHide: true });
  process.stdin.resume().once('close', stop).on('error', () => undefined);`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const options = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

function startFailure(said: string): Error {
  if (inUse.test(said)) return new FolderInUse(said);
  const why = /(?:FATAL|PANIC): {2}(.*)/.exec(said)?.[1] ?? said.trim();
  return new StartError(`PostgreSQL did not start: ${why}`);
}
