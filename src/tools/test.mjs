/**
 * `npm test`: everything that must hold before a change is done, in order, from a fresh clone. The last line is
 * `N passed, N failed`, after the names of all that failed and why; a check that fails without a test of its own counts as one.
 *
 *   node src/tools/test.mjs               everything once
 *   node src/tools/test.mjs --long        `npm run test:long`: the long forms (tests/support/nightly.ts) of what has one
 *   node src/tools/test.mjs cart          only the tests (not in a browser) whose file name holds a word
 *   node src/tools/test.mjs --api-only    only the API's tests, for a round on another database (TEST_DATABASE_URL)
 *   node src/tools/test.mjs --long-next   everything but what the long round, which comes next, does in its long form
 */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { requireBrowser, requireEngines, requireWindowless } from './browser.mjs';
import { alone, longForms, ownDatabase } from './rounds.mjs';
import { build, install, runNode, sideBySide, step } from './steps.mjs';

const reports = { vitest: '.cache/vitest.json', browser: '.cache/playwright.json', walk: '.cache/walk.json' };
const isLong = process.argv.includes('--long');
const isLongNext = process.argv.includes('--long-next');
const asked = process.argv.slice(2).filter((word) => word !== '--long' && word !== '--long-next');
const isApiOnly = asked.includes('--api-only');
const words = asked.flatMap((word) => (word === '--api-only' ? ['tests/server/'] : [word]));
const left = [...(isApiOnly ? ownDatabase : []), ...(isLongNext ? longForms : [])];
const counts = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

await mkdir('.cache', { recursive: true });
const inMemory = await makeMemoryFolder();
if (inMemory) process.env.TMPDIR = inMemory;
if (isLong) Object.assign(process.env, { TEST_LONG: '1', OUTBOX_RUNS: process.env.OUTBOX_RUNS ?? '1000' });
if (await check('packages', install)) await (words.length ? runTests(words) : isLong ? runLong() : runEverything());
if (inMemory) await rm(inMemory, { recursive: true, force: true });
for (const { name, why = [] } of failures) {
  console.log(`FAILED: ${name}`);
  for (const line of why) console.log(`WHY: ${line}`);
}
console.log(counts.skipped ? `\n${counts.skipped} skipped` : '');
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed ? 1 : 0;

/**
 * A folder for everything that the tests write: in memory (/dev/shm) when there is enough room, since a disk is slower.
 * @returns a new folder that the database's own user may enter too, or undefined
 */
async function makeMemoryFolder() {
  const { bavail = 0, bsize = 0 } = await statfs('/dev/shm').catch(() => ({}));
  if (Math.min(bavail * bsize, freemem()) < 6 * 2 ** 30) return undefined;
  const folder = await mkdtemp('/dev/shm/shop-tests-');
  await chmod(folder, 0o711);
  return folder;
}

async function runEverything() {
  // each program on one core, so that both cores of a small machine have work
  const lint = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--threads=1'];
  const types = ['node_modules/typescript-7/bin/tsc', '-b', '--checkers', '1'];
  const format = ['node_modules/oxfmt/bin/oxfmt', '--check', '--threads=1'];
  const contract = ['src/tools/contract.mjs', '--check'];
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
  const rooms = [cruiser, '--config', '.dependency-cruiser.mjs', 'src', 'sw'];
  const [isBuilt] = await sideBySide(
    () => check('build', build),
    () => inTurn(['contract', contract], ['rooms', rooms], ['types', types]),
    () => inTurn(['format', format], ['lint', lint]),
  );
  await runTests([], 'tests', [...left, ...alone]);
  if (!isLongNext) await runTests(alone, 'tests alone');
  if (isBuilt) await runBrowserTests();
}

async function runLong() {
  const isBuilt = await check('build', build);
  await runTests(longForms.filter((each) => !alone.includes(each)));
  await runTests(alone, 'tests alone');
  if (isBuilt) await runBrowserTests();
}

async function inTurn(...programs) {
  for (const [name, args] of programs) await check(name, () => step(name, () => runNode(args)));
}

/** @returns whether `work` succeeded; a failure is printed and counted */
async function check(name, work) {
  try {
    await work();
    return true;
  } catch (error) {
    console.error(`\n${error.message}\n`);
    failures.push({ name });
    counts.failed++;
    return false;
  }
}

function runTests(words, name = 'tests', without = left) {
  const report = [`--outputFile.json=${reports.vitest}`, '--reporter=default', '--reporter=json'];
  return runCounted(name, reports.vitest, readVitest, () =>
    runNode(['node_modules/vitest/vitest.mjs', 'run', ...report, ...words], {
      NODE_ENV: 'test',
      TEST_WITHOUT: without.join(),
    }),
  );
}

async function runBrowserTests() {
  let browser;
  const hasBrowser = await check('browser', async () => {
    browser = await requireWindowless();
  });
  if (!hasBrowser) return;
  const only = isLongNext ? ['offline', 'desktop', 'phone'].map((project) => `--project=${project}`) : [];
  const env = { SHOP_BROWSER: browser };
  await runPlaywright('browser tests', 'tests/e2e/playwright.config.ts', reports.browser, env, only);
  if (!isLongNext) await runWalk();
}

/**
 * The walk through the shop in every engine, each as people have it; in the short form only what one engine had never been
 * able to do.
 */
async function runWalk() {
  let env;
  const hasEngines = await check('engines', async () => {
    env = await requireEngines('firefox', ...(isLong ? ['webkit'] : []));
    if (isLong) env.SHOP_BROWSER = await requireBrowser();
  });
  if (!hasEngines) return;
  const only = isLong ? [] : ['--project=firefox', 'tests/engines/offline.spec.ts', '--grep=opens cold'];
  await runPlaywright('walk', 'tests/engines/playwright.config.ts', reports.walk, env, only);
}

function runPlaywright(name, config, report, env, only = []) {
  const args = ['test', '--config', config, '--reporter=list,json', ...only];
  return runCounted(name, report, readPlaywright, () =>
    runNode(['node_modules/playwright/cli.js', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
  );
}

/** Adds a program's own counts; a failure that they do not show, or no test at all, counts as one more failure. */
async function runCounted(name, report, read, work) {
  await rm(report, { force: true });
  const failure = await step(name, work).then(
    () => undefined,
    (error) => error,
  );
  const found = read(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')));
  if (failure) console.error(`\n${failure.message}\n`);
  if (!found.passed && !found.failures.length) found.failures.push({ name: `${name}: none was run` });
  else if (failure && !found.failures.length) found.failures.push({ name });
  failures.push(...found.failures);
  counts.passed += found.passed;
  counts.failed += found.failures.length;
  counts.skipped += found.skipped;
}

function readVitest({ numPassedTests = 0, numPendingTests = 0, testResults = [] }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('.', name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // a file that could not be loaded, or whose beforeAll failed, has no failed tests
    if (status === 'failed' && !failed.length) return [{ name: file, why: firstLines(message) }];
    return failed.map((test) => ({ name: `${file} ${test.fullName}`, why: firstLines(test.failureMessages?.[0]) }));
  });
  return { passed: numPassedTests, failures, skipped: numPendingTests };
}

function readPlaywright({ stats: { expected = 0, flaky = 0, skipped = 0 } = {}, suites = [] }) {
  const failed = (suite) => [
    ...(suite.specs ?? []).flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map((test) => ({ name: `${file} ${title} (${test.projectName})`, why: whyInBrowser(test.results.at(-1)) })),
    ),
    ...(suite.suites ?? []).flatMap(failed),
  ];
  return { passed: expected + flaky, failures: suites.flatMap(failed), skipped };
}

/** The failure itself, and what had the focus then, as the snapshot of the page says. */
function whyInBrowser({ error, attachments = [] } = {}) {
  const snapshot = attachments.find(({ name }) => name === 'error-context')?.path;
  const page = snapshot && existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : '';
  const focused = page.split('\n').filter((line) => line.includes('[active]'));
  return [...firstLines(error?.message), ...firstLines(focused.map((line) => `focused: ${line.trim()}`).join('\n'))];
}

/** @returns the first lines of a failure's message, without colours, for whoever sees only the end of the output */
function firstLines(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !/^ *at .*(?:node_modules|<anonymous>)/.test(line))
    .slice(0, 12)
    .map((line) => line.slice(0, 300));
}
