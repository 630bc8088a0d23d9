/**
 * `npm run defects`: plants each defect of defects.mjs in a copy of the code, runs the tests that must catch it, and demands
 * that one of them fails. First the tests run on the code as it is, and must pass. `npm run defects -- logout lock` takes only
 * the defects whose sentence has one of the words, DEFECTS_AT_ONCE says how many at a time. The last line is `N passed, N failed`.
 * What only a walk of one engine can see (`walk`) is built, and walked (tests/engines).
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requireBrowser, requireEngines } from '../../src/tools/browser.mjs';
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
  const files = [...new Set(wanted.flatMap(({ caughtBy = [] }) => caughtBy))];
  if (files.length > 0) reportSound(await runTests(copies[0], files));
  const walks = new Map(wanted.flatMap(({ walk }) => (walk ? [[walk.join(), walk]] : [])));
  for (const walk of walks.values()) reportSound(await runWalk(copies[0], walk));
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

function reportSound({ failures, passed: sound }) {
  const why = failures.join('\n          ') || `${sound} tests`;
  report(failures.length === 0 && sound > 0, 'without a defect every test passes', why);
}

async function plant(copy, { name, file, find, put, caughtBy, walk }) {
  const place = path.join(copy, file);
  const code = await readFile(place, 'utf8').catch(() => '');
  const found = code.split(find).length - 1;
  if (found !== 1) return report(false, name, `cannot be planted: its place stands ${found} times in ${file}`);
  await writeFile(
    place,
    code.replace(find, () => put),
  );
  const { failures, passed: sound } = walk ? await runWalk(copy, walk) : await runTests(copy, caughtBy, ['--bail=1']);
  await writeFile(place, code);
  if (failures.length > 0) return report(true, name, failures[0]);
  return report(false, name, sound > 0 ? `not caught by ${(walk ?? caughtBy).join(', ')}` : 'no test ran');
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
  await run(folder, args, { NODE_ENV: 'test' });
  const { testResults = [], numPassedTests = 0 } = JSON.parse(await readFile(output, 'utf8').catch(() => '{}'));
  const failures = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${why.split('\n')[0]}`);
  return { passed: numPassedTests, failures };
}

/** Builds the copy and walks through it. @returns how many walks passed, and what failed */
async function runWalk(folder, [engine, title]) {
  const dist = path.join(folder, 'dist');
  const cache = path.join(folder, '.cache');
  const output = path.join(cache, 'walk.json');
  await rm(dist, { recursive: true, force: true }); // where the other tests have the one of the project
  await mkdir(cache, { recursive: true });
  await rm(output, { force: true });
  await run(folder, ['src/tools/build.mjs']);
  const browser = await requireBrowser();
  const engines = await requireEngines(...(engine === 'chromium' ? [] : [engine]));
  const config = ['--config', 'tests/engines/playwright.config.ts', `--project=${engine}`, '--reporter=json'];
  await run(folder, ['node_modules/playwright/cli.js', 'test', ...config, '--grep', title], {
    SHOP_BROWSER: browser,
    ...engines,
    PLAYWRIGHT_JSON_OUTPUT_FILE: output,
  });
  await rm(dist, { recursive: true, force: true });
  await symlink(path.resolve('dist'), dist);
  const { stats = {}, suites = [] } = JSON.parse(await readFile(output, 'utf8').catch(() => '{}'));
  const failures = suites
    .flatMap(({ specs }) => specs)
    .flatMap(({ title: walked, tests }) => tests.map(({ status, results }) => ({ walked, status, results })))
    .filter(({ status }) => status === 'unexpected')
    .map(({ walked, results }) => `${walked}: ${results[0]?.error?.message?.split('\n')[0] ?? ''}`);
  return { passed: stats.expected ?? 0, failures };
}

/** @returns when the program has ended, however it ended */
function run(cwd, args, env) {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } }).on('exit', resolve);
  });
}
