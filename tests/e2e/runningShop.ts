/**
 * The built shop as a process of its own, which can be killed and comes back.
 *
 * Its data folder is a copy of one that was prepared once for the run: a folder after a first start, where the database, the
 * catalog and its pictures are already there. A copy starts with half the work.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../support/freePort';

export interface RunningShop {
  url: string;
  /** the folder of the mails that it sent */
  mails: string;
  /** As a power cut does it: nothing is finished. */
  kill: () => Promise<void>;
  /**
   * At the same address and on the same data. A shop that runs with these settings goes on.
   * @param from the folder of another build than the tested one
   */
  start: (env?: Record<string, string>, from?: string) => Promise<void>;
  /** For good. Its data are gone. */
  stop: () => Promise<void>;
}

/** The one account that a new shop has. */
export const ownerAccount = { email: 'owner@example.com', password: 'pepper and salt of the owner' };

/** Not started yet. */
export async function createShop(): Promise<RunningShop> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-e2e-'));
  const dataDir = path.join(home, 'data');
  await copyPrepared(dataDir);
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  let server: ChildProcess | undefined;
  let running = '';
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    running = '';
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  return {
    url: `http://localhost:${port}`,
    mails: path.join(dataDir, 'mails'),
    kill: () => end('SIGKILL'),
    async start(env = {}, from = '.') {
      const wanted = JSON.stringify([env, from]);
      if (wanted === running) return;
      await end('SIGKILL');
      server = spawnShop({ PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: dataDir, ...env }, from);
      await saysOpen(server);
      running = wanted;
    },
    async stop() {
      await end('SIGTERM');
      await endDatabase(dataDir);
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** The built shop with the one account, and nothing of what the developer's own shop has in the environment. */
export const spawnShop = (env: Record<string, string>, from = '.') =>
  spawn(process.execPath, [path.resolve(from, 'dist/server/main.js')], {
    env: {
      ...ofTheMachine(process.env),
      OWNER_EMAIL: ownerAccount.email,
      OWNER_PASSWORD: ownerAccount.password,
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** The database outlives a server that was killed; the next start would have taken it over. */
async function endDatabase(dataDir: string): Promise<void> {
  const lock = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (pid > 0) process.kill(pid, 'SIGQUIT');
}

const prepared = 'PREPARED_SHOP';

/** Playwright calls it before the workers begin. @returns what it calls after them */
export default async function prepareShop(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'shop-prepared-'));
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const server = spawnShop({ PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: dataDir });
  await saysOpen(server);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  process.env[prepared] = dataDir;
  return () => rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
}

/** Without a prepared folder the shop makes its own. */
async function copyPrepared(target: string): Promise<void> {
  const source = process.env[prepared];
  if (!source) return;
  if (process.platform === 'win32') await cp(source, target, { recursive: true });
  else await promisify(execFile)('cp', ['-a', source, target]); // with the owners: the database runs as another user
}

/** The shop under test is configured here, whatever the developer's own shop has in the environment. */
export const ofTheMachine = ({ PATH, HOME, TMPDIR, TEMP, SystemRoot, LANG }: NodeJS.ProcessEnv) => ({
  PATH,
  HOME,
  TMPDIR,
  TEMP,
  SystemRoot,
  LANG,
});

export function saysOpen(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('The shop is open')) resolve();
    });
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    child.once('exit', (code) => reject(new Error(`the shop ended with ${code}: ${said}`)));
  });
}
