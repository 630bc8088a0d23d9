/**
 * The built shop as a separate process, which can be killed and restarted. Its data folder is a copy of one prepared
 * once per run, taken after a first start: database, catalog and pictures already exist. A copy starts with half the
 * work.
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
  /** Like a power cut: nothing is finished. */
  kill: () => Promise<void>;
  /**
   * At the same URL and on the same data. Does nothing if a shop with these settings is running.
   * @param from the folder of another build than the tested one
   */
  start: (env?: Record<string, string>, from?: string) => Promise<void>;
  /** For good. Its data is deleted. */
  stop: () => Promise<void>;
}

/** The one account of a new shop. */
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

/** The built shop with the one account, and nothing from the environment of the developer's own shop. */
export const spawnShop = (env: Record<string, string>, from = '.') =>
  spawn(process.execPath, [path.resolve(from, 'dist/server/main.js')], {
    env: {
      ...ofTheMachine(process.env),
      OWNER_EMAIL: ownerAccount.email,
      OWNER_PASSWORD: ownerAccount.password,
      NODE_ENV: 'production',
      DEMO_SIZES: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** The database outlives a killed server; the next start would have taken it over. */
async function endDatabase(dataDir: string): Promise<void> {
  const lock = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (pid > 0) process.kill(pid, 'SIGQUIT');
}

const prepared = 'PREPARED_SHOP';

/** Called by Playwright before the workers begin. @returns the teardown */
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

/** Without a prepared folder the shop creates its own. */
async function copyPrepared(target: string): Promise<void> {
  const source = process.env[prepared];
  if (!source) return;
  if (process.platform === 'win32') await cp(source, target, { recursive: true });
  else await promisify(execFile)('cp', ['-a', source, target]); // with the file owners: the database runs as another user
}

/** Configures the shop under test here, whatever the environment of the developer's own shop. */
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
      if (said.includes('Your shop is running')) resolve();
    });
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    child.once('exit', (code) => reject(new Error(`the shop ended with ${code}: ${said}`)));
  });
}
