/**
 * `npm run defects`: plants each defect of defects.mjs in a copy of the code, runs the tests that must catch it, and demands
 * that one of them fails. First the tests run on the code as it is, and must pass. `npm run defects -- logout lock` takes only
 * the defects whose sentence has one of the words, DEFECTS_AT_ONCE says how many at a time. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defects } from './defects.mjs';

const words = process.argv.slice(2);
const wanted = defects.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const copied = [
  'src',
  'sw',
  'tests',
  'openapi',
  'public',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
];
const linked = ['node_modules', 'dist'];
const atOnce = Number(process.env.DEFECTS_AT_ONCE ?? 2);

const home = await mkdtemp(path.join(tmpdir(), 'shop-defects-'));
let passed = 0;
let failed = 0;
try {
  const copies = await Promise.all(
    Array.from({ length: atOnce }, (_, place) => copyCode(path.join(home, String(place)))),
  );
  const files = [...new Set(wanted.flatMap(({ caughtBy }) => caughtBy))];
  const sound = await runTests(copies[0], files);
  report(
    sound.failures.length === 0 && sound.passed > 0,
    'without a defect every test passes',
    sound.failures.join('\n          ') || `${sound.passed} tests`,
  );
  const left = [...wanted];
  await Promise.all(
    copies.map(async (copy) => {
      for (let defect = left.shift(); defect; defect = left.shift()) await plant(copy, defect);
    }),
  );
} finally {
  await rm(home, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

async function copyCode(folder) {
  for (const name of copied) await cp(name, path.join(folder, name), { recursive: true });
  for (const name of linked) await symlink(path.resolve(name), path.join(folder, name));
  return folder;
}

async function plant(copy, { name, file, find, put, caughtBy }) {
  const place = path.join(copy, file);
  const code = await readFile(place, 'utf8').catch(() => '');
  const found = code.split(find).length - 1;
  if (found !== 1) return report(false, name, `cannot be planted: its place stands ${found} times in ${file}`);
  await writeFile(
    place,
    code.replace(find, () => put),
  );
  const { failures, passed: sound } = await runTests(copy, caughtBy, ['--bail=1']);
  await writeFile(place, code);
  if (failures.length > 0) return report(true, name, failures[0]);
  return report(false, name, sound > 0 ? `not caught by ${caughtBy.join(', ')}` : 'no test ran');
}

function report(isGood, name, why) {
  if (isGood) passed += 1;
  else failed += 1;
  console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name}\n          ${why}`);
}

/** @returns how many tests passed, and the names of those that failed; a file that does not even load catches nothing */
async function runTests(folder, files, more = []) {
  const output = path.join(folder, 'report.json');
  await rm(output, { force: true });
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    `--outputFile=${output}`,
    ...more,
    ...files,
  ];
  await new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_ENV: 'test' } }).on(
      'exit',
      resolve,
    );
  });
  const { testResults = [], numPassedTests = 0 } = JSON.parse(await readFile(output, 'utf8').catch(() => '{}'));
  const failures = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${why.split('\n')[0]}`);
  return { passed: numPassedTests, failures };
}
