/** `npm start` and its parents, with real processes: npm, shells and timeout (src/tools/endWithParent.mjs). */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findOwnDatabase, findProcessesOn, isReady } from '../../chaos/processes';
import { builtApp } from '../../support/builtApp';
import { findFreePort } from '../../support/freePort';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'shop-starters-'));
});
afterEach(() => {
  for (const pid of findProcessesOn(home)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it ended with one of the others
    }
  }
});
afterAll(() => rm(home, { recursive: true, force: true }));

type Place = { cwd?: string; input?: 'ignore' | 'pipe' };

/** Like a terminal's job: it leads its own process group. */
function startJob([program = '', ...args]: readonly string[], env: Record<string, string>, place: Place = {}) {
  const { cwd = '.', input = 'ignore' } = place;
  const job = spawn(program, args, {
    cwd,
    detached: true,
    stdio: [input, 'ignore', 'ignore'],
    env: { ...process.env, ...env },
  });
  return { pid: job.pid ?? Number.NaN };
}

describe('a shop started by npm ends in order, and leaves folder and ports to the next one,', () => {
  let env: Record<string, string>;
  let url: string;
  beforeAll(async () => {
    await builtApp();
    const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
    url = `http://127.0.0.1:${port}`;
    env = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}`, DATA_DIR: path.join(home, 'data'), DATABASE_URL: '' };
  });

  const start = ['npm', 'start'] as const;
  test.each<[string, readonly string[], NodeJS.Signals, to?: 'all']>([
    ['npm is told to end', start, 'SIGTERM'],
    ['npm is killed', start, 'SIGKILL'],
    ['the time of `timeout` is over', ['timeout', '600', ...start], 'SIGTERM'],
    ['the shell that npm runs in is told to end', ['sh', '-c', 'npm start'], 'SIGTERM'],
    ['somebody presses Ctrl-C', start, 'SIGINT', 'all'],
    ['the terminal is closed', start, 'SIGHUP', 'all'],
  ])('when %s', async (_, command, signal, to) => {
    const job = startJob(command, env);
    await expect.poll(() => isReady(url), { timeout: 120_000 }).toBe(true);
    const { socketFolder = '' } = findOwnDatabase(env['DATA_DIR'] ?? '') ?? {};
    expect(existsSync(socketFolder)).toBe(true);
    process.kill(to === 'all' ? -job.pid : job.pid, signal);
    await expect.poll(() => findProcessesOn(home)).toEqual([]);
    expect(await isReady(url)).toBe(false);
    expect(existsSync(socketFolder)).toBe(false); // only a shop that has stopped its database removes it
  });
});

describe('a started program', () => {
  /**
   * Outside the shop's project: `npm start` runs a program that prints which processes it ends with, and then waits.
   */
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(home, 'project-'));
    const module = JSON.stringify(path.resolve('src/tools/endWithParent.mjs'));
    const program = [
      `import { writeFileSync } from 'node:fs';`,
      `import { endWithStarters, findStarters } from ${module};`,
      `endWithStarters();`,
      `writeFileSync(${JSON.stringify(path.join(folder, 'said'))}, findStarters().map(({ name }) => name).join(' ') + '.');`,
      `setInterval(() => undefined, 1000);`,
    ];
    await writeFile(path.join(folder, 'started.mjs'), program.join('\n'));
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node started.mjs' } }));
    await writeFile(path.join(folder, 'inFront.sh'), 'npm start\necho\n');
    await writeFile(path.join(folder, 'behind.sh'), 'npm start &\nwait\n');
  });
  afterEach(() => rm(path.join(folder, 'said'), { force: true }));
  const said = () => readFile(path.join(folder, 'said'), 'utf8').catch(() => '');

  async function startersOf(command: readonly string[], input: 'ignore' | 'pipe' = 'ignore') {
    const job = startJob(command, { HERE: folder }, { cwd: folder, input });
    await expect.poll(said).toMatch(/[.]$/); // the whole of it
    return { job, names: (await said()).slice(0, -1) };
  }

  const npm = 'sh npm';
  test.each([
    [npm, 'npm', ['npm', 'start']],
    [`${npm} sh`, 'a shell that waits for npm', ['sh', '-c', 'true && npm start 2>&1; true']],
    [`${npm} sh sh`, 'a shell within a shell', ['sh', '-c', 'sh -c "npm start; true"; true']],
    [`${npm} timeout`, 'timeout', ['timeout', '600', 'npm', 'start']],
    [npm, 'a program that may leave it behind', ['node', '-e', `child_process.spawn('npm', ['start'])`]],
    [npm, 'a shell that goes on meanwhile', ['sh', '-c', 'npm start & wait']],
    [npm, 'a shell that makes it a job of its own', ['bash', '-c', 'set -m; npm start; true']],
    [npm, 'a shell that gives it a session of its own', ['sh', '-c', 'setsid --wait npm start; true']],
    ['', 'a shell that goes on meanwhile, without npm', ['sh', '-c', 'node started.mjs & wait']],
  ])('ends with "%s" when it is started by %s', async (names, _, command) => {
    expect((await startersOf(command)).names).toBe(names);
  });

  test.each([
    [`${npm} sh`, 'in front', 'inFront.sh'],
    [npm, 'in the background', 'behind.sh'],
  ])('ends with "%s" when a script runs it %s', async (names, _, script) => {
    expect((await startersOf(['sh', script], 'pipe')).names).toBe(names);
  });

  test('ends when its parent is gone before the shop runs', async () => {
    const { job } = await startersOf(['npm', 'start']);
    process.kill(job.pid, 'SIGKILL');
    await expect.poll(() => findProcessesOn(home)).toEqual([]);
  });
});
