/**
 * A program started by npm ends with it (src/tools/endWithParent.mjs); starters.nightly.test.ts starts whole shops, in every
 * way.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProcessesOn } from '../../chaos/processes';

test('the program of `npm start` ends when npm is killed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-starters-'));
  const said = path.join(folder, 'said');
  const program = [
    `import { writeFileSync } from 'node:fs';`,
    `import { endWithStarters } from ${JSON.stringify(path.resolve('src/tools/endWithParent.mjs'))};`,
    `endWithStarters();`,
    `writeFileSync(${JSON.stringify(said)}, 'started');`,
    `setInterval(() => undefined, 1000);`,
  ];
  await writeFile(path.join(folder, 'started.mjs'), program.join('\n'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node started.mjs' } }));
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, HERE: folder },
  });
  onTestFinished(async () => {
    for (const pid of findProcessesOn(folder)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  await expect.poll(() => readFile(said, 'utf8').catch(() => '')).toBe('started');
  npm.kill('SIGKILL');
  await expect.poll(() => findProcessesOn(folder)).toEqual([]);
});
