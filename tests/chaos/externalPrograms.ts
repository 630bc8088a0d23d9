/**
 * The programs under a shop on several machines, from Debian's packages: PostgreSQL 15 and the proxies before it. Each
 * runs on this machine, in a folder and on ports of the chaos run's own, and ends with the chaos run. A program that is not
 * installed fails the chaos run with the name of its package.
 */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { end, type Child } from './processes';
import { findFreePort } from '../support/freePort';

export const programs = {
  postgres: ['/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
  initdb: ['/usr/lib/postgresql/15/bin/initdb', 'postgresql-15'],
  pgbouncer: ['/usr/sbin/pgbouncer', 'pgbouncer'],
  etcd: ['/usr/bin/etcd', 'etcd-server'],
  patroni: ['/usr/bin/patroni', 'patroni'],
  haproxy: ['/usr/sbin/haproxy', 'haproxy'],
} as const;
type Program = keyof typeof programs;

/** The shop's database login: no superuser, but it may create databases and roles, as docs/deploy asks for. */
export const login = 'shop';
const answersWithinMs = 60_000;

export type Ground = Awaited<ReturnType<typeof openGround>>;

/**
 * A folder that belongs to the account that the programs run as: PostgreSQL and PgBouncer refuse to run as root.
 * @throws Error that names every package that is missing
 */
export async function openGround(needed: readonly Program[]) {
  const missing = needed.filter((name) => !isThere(programs[name][0])).map((name) => programs[name][1]);
  if (missing.length > 0)
    throw new Error(`this chaos run needs what is not installed: apt-get install ${[...new Set(missing)].join(' ')}`);
  const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-engines-'));
  if (account) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o755);
  const running: Child[] = [];

  return {
    folder,
    async write(name: string, content: string): Promise<string> {
      const file = path.join(folder, name);
      await writeFile(file, content, { mode: 0o644 });
      return file;
    },
    /** Runs a program to its end. */
    run: (program: Program, args: string[]) =>
      promisify(execFile)(programs[program][0], args, { ...account, cwd: folder }),
    /** Starts a program, and resolves once it listens on `port`. */
    async start(program: Program, args: string[], port: number): Promise<Child> {
      const child = watch(
        spawn(programs[program][0], args, { ...account, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }),
      );
      running.push(child);
      for (const began = Date.now(); !(await listens(port)); await pause(50)) {
        if (!child.isRunning() || Date.now() - began > answersWithinMs)
          throw new Error(`${program} does not listen on ${port}: ${child.said()}`);
      }
      return child;
    },
    async close(): Promise<void> {
      for (const child of running.toReversed()) await end(child, 'SIGINT'); // to PostgreSQL: a fast shutdown
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

export type Server = { port: number; url: string };

/** A PostgreSQL 15 of its own, with the shop's login. */
export async function startPostgres(ground: Ground): Promise<Server> {
  const data = path.join(ground.folder, 'postgres');
  await ground.run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8']);
  const port = await findFreePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: ground.folder,
    max_connections: 100,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await ground.start('postgres', ['-D', data, ...options], port);
  await makeLogin(port);
  return { port, url: urlOf(port) };
}

export const urlOf = (port: number, database = 'postgres', user = login) =>
  `postgres://${user}@127.0.0.1:${port}/${database}`;

export async function makeLogin(port: number): Promise<void> {
  for (const began = Date.now(); ; await pause(100)) {
    const client = new Client(urlOf(port, 'postgres', 'postgres'));
    try {
      await client.connect();
      await client.query(`create role ${login} login createdb createrole`);
      return;
    } catch (error) {
      if (Date.now() - began > answersWithinMs) throw error; // PostgreSQL listens before it accepts connections
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

export type Bouncer = Server & { restart: () => Promise<void> };

/**
 * A PgBouncer in transaction mode before that PostgreSQL, as docs/deploy/scaling.md says. It looks logins up in the
 * database, and so lets in the one that the shop makes for itself.
 */
export async function startBouncer(ground: Ground, { port: behind }: Server): Promise<Bouncer> {
  const port = await findFreePort();
  const logins = await ground.write('logins.txt', `"${login}" ""\n`);
  const settings = await ground.write(
    'pgbouncer.ini',
    `[databases]
* = host=127.0.0.1 port=${behind} connect_query='set statement_timeout = 4000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${logins}
auth_user = ${login}
auth_query = select usename, '' from pg_user where usename = $1
stats_users = ${login}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 200
`,
  );
  let bouncer = await ground.start('pgbouncer', [settings], port);
  return {
    port,
    url: urlOf(port),
    async restart() {
      await end(bouncer, 'SIGKILL');
      bouncer = await ground.start('pgbouncer', [settings], port);
    },
  };
}

function watch(child: ReturnType<typeof spawn>): Child {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return { process: child, said: () => said, leaked: () => [], isRunning };
}

function isThere(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const ask = async (what: string) => Number((await promisify(execFile)('id', [what, name])).stdout);
  return { uid: await ask('-u'), gid: await ask('-g') };
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
