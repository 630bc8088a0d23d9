import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';

const folder = '.cache/test-log';
const lines = 300; // more than one batch

beforeAll(async () => {
  const options = { ssr: 'src/server/process/log.ts', outDir: folder, copyPublicDir: false };
  await build({ configFile: false, logLevel: 'silent', build: options });
});

test.each([
  ['throws', `throw new Error('a mistake');`],
  ['ends itself', 'process.exit(1);'],
])('the last lines are in the log when the process %s', async (_, end) => {
  const program = [
    `import { openLog } from ${JSON.stringify(path.resolve(folder, 'log.js'))};`,
    `const log = openLog('info');`,
    `setTimeout(() => {`,
    `  for (let line = 1; line <= ${lines}; line++) log.info({ line }, 'a line of the log');`,
    `  ${end}`,
    `}, 20);`,
  ];
  const child = spawn('node', ['--input-type=module', '-e', program.join('\n')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await once(child, 'close');
  const numbers = said
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { line: number }).line);
  expect(numbers).toEqual(Array.from({ length: lines }, (_line, place) => place + 1));
});
