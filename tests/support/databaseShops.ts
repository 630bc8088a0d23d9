/** Runs a shop as a separate process with only the embedded database it brings along. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { build } from 'vite';
import { expect } from 'vitest';
import type { EmbeddedPostgres } from '../../src/server/db/embedded/embeddedPostgres';

type Said = { connection?: EmbeddedPostgres['connection']; refused?: string; reported?: string };
export type DatabaseShop = { process: ChildProcess; connection: EmbeddedPostgres['connection']; reported: string[] };
export type LaunchOptions = {
  env?: NodeJS.ProcessEnv;
  /** An ordinary user to run as; may read the project wherever root has put it. */
  uid?: number;
  /** Replaces the build from this file. */
  program?: string;
};

const source = `import { startEmbeddedPostgres } from './embeddedPostgres.js';
process.on('SIGINT', () => {}).once('disconnect', () => process.exit());
try {
  const { connection, stop } = await startEmbeddedPostgres(process.argv[2], (reported) => process.send({ reported }));
  process.once('message', () => stop().then(() => process.disconnect()));
  process.send({ connection });
} catch (error) {
  process.send({ refused: error.message }, () => process.exit(1));
}`;

export type DatabaseShops = Awaited<ReturnType<typeof openDatabaseShops>>;

export async function openDatabaseShops() {
  const home = await fs.mkdtemp(path.join(tmpdir(), 'own-postgres-'));
  // below the project, so that the built file finds its packages
  const outDir = path.resolve('.cache/tests', path.basename(home));
  const ssr = path.resolve('src/server/db/embedded/embeddedPostgres.ts');
  await build({ configFile: false, logLevel: 'error', build: { ssr, outDir, target: 'node20', copyPublicDir: false } });
  const built = path.join(outDir, 'shop.js');
  await fs.writeFile(built, source);
  const running = new Set<ChildProcess>();
  const sockets = new Set<string>(); // leftovers of a killed shop

  function launch(at: string, { env, uid, program = built }: LaunchOptions = {}) {
    const reach = ['--clear-groups', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
    const as = uid
      ? { execPath: 'setpriv', execArgv: [`--reuid=${uid}`, `--regid=${uid}`, ...reach, '--', process.execPath] }
      : { execArgv: [] };
    const child = fork(program, [at], { ...as, detached: true, env: { ...process.env, TMPDIR: home, ...env } });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const shop: DatabaseShop = { process: child, connection: nowhere, reported: [] };
    const first = new Promise<Said>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the shop ended with ${code}`)));
      child.on('message', ({ reported, ...said }: Said) => {
        if (reported) return shop.reported.push(reported);
        if (said.connection) {
          shop.connection = said.connection;
          sockets.add(said.connection.host);
        }
        return resolve(said);
      });
    });
    return { shop, first };
  }

  return {
    /** Holds the folders of the databases. */
    home,
    /** The folder of the built program. */
    outDir,
    launch,
    async start(at: string, options?: LaunchOptions): Promise<DatabaseShop> {
      const { shop, first } = launch(at, options);
      const { refused } = await first;
      if (refused) throw new Error(refused);
      return shop;
    },
    /** @returns the error sentence */
    startRefused: async (at: string, options?: LaunchOptions) => (await launch(at, options).first).refused,
    async killAll(): Promise<void> {
      for (const child of running) await end(child, 'SIGKILL');
    },
    async remove(): Promise<void> {
      for (const each of [home, outDir, ...sockets]) await fs.rm(each, { recursive: true, force: true });
    },
  };
}

const nowhere = { host: '', port: 0, user: '', database: '' };

export async function stop(shop: DatabaseShop): Promise<void> {
  const exited = once(shop.process, 'exit');
  shop.process.send('stop');
  expect(await exited).toEqual([0, null]);
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

export async function read(shop: DatabaseShop, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client(shop.connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

export async function write(shop: DatabaseShop, ...statements: string[]): Promise<void> {
  for (const statement of statements) await read(shop, statement);
}

/** What the database writes about itself in its lock file. */
export async function lockOf(at: string): Promise<{ pid: number; lines: string[] }> {
  const lines = (await fs.readFile(path.join(at, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), lines };
}
