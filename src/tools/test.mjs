/**
 * `npm test`: everything that must hold before a change is done, in order, from a fresh clone. The last line is
 * `N passed, N failed`, after the names of all that failed; a check that fails without a test of its own counts as one.
 *
 *   node src/tools/test.mjs               everything
 *   node src/tools/test.mjs cart          only the tests (not in a browser) whose file name holds a word
 *   node src/tools/test.mjs --api-only    only the API's tests, for a round on another database (TEST_DATABASE_URL)
 */
import { chmod, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { relative } from 'node:path';
import { requireBrowser } from './browser.mjs';
import { build, install, runNode, step } from './steps.mjs';

const reports = { vitest: '.cache/vitest.json', browser: '.cache/playwright.json' };
const words = process.argv.slice(2).flatMap((word) => (word === '--api-only' ? ['tests/server/'] : [word]));
const counts = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

await mkdir('.cache', { recursive: true });
const inMemory = await makeMemoryFolder();
if (inMemory) process.env.TMPDIR = inMemory;
if (await check('packages', install)) await (words.length ? runTests(words) : runEverything());
if (inMemory) await rm(inMemory, { recursive: true, force: true });
for (const failure of failures) console.log(`FAILED: ${failure}`);
console.log(counts.skipped ? `\n${counts.skipped} skipped` : '');
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed ? 1 : 0;

/**
 * What the tests write is thrown away: where the machine has a disk in memory with enough room, its databases, browsers
 * and shops live there, and nobody waits for a slow disk.
 * @returns a new folder, into which the database's own user may go too
 */
async function makeMemoryFolder() {
  const { bavail = 0, bsize = 0 } = await statfs('/dev/shm').catch(() => ({}));
  if (Math.min(bavail * bsize, freemem()) < 6 * 2 ** 30) return undefined;
  const folder = await mkdtemp('/dev/shm/shop-tests-');
  await chmod(folder, 0o711);
  return folder;
}

async function runEverything() {
  await check('contract', () => step('contract', () => runNode(['src/tools/contract.mjs', '--check'])));
  await check('types', () => step('types', () => runNode(['node_modules/typescript-7/bin/tsc', '-b'])));
  const lint = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'];
  await check('lint', () => step('lint', () => runNode(lint)));
  await check('format', () => step('format', () => runNode(['node_modules/oxfmt/bin/oxfmt', '--check'])));
  const isBuilt = await check('build', build);
  await runTests([]);
  if (isBuilt) await runBrowserTests();
}

/** @returns whether `work` succeeded; its failure is printed and counted */
async function check(name, work) {
  try {
    await work();
    return true;
  } catch (error) {
    console.error(`\n${error.message}\n`);
    failures.push(name);
    counts.failed++;
    return false;
  }
}

function runTests(words) {
  const report = [`--outputFile.json=${reports.vitest}`, '--reporter=default', '--reporter=json'];
  return runCounted('tests', reports.vitest, readVitest, () =>
    runNode(['node_modules/vitest/vitest.mjs', 'run', ...report, ...words], { NODE_ENV: 'test' }),
  );
}

async function runBrowserTests() {
  let browser;
  const hasBrowser = await check('browser', async () => {
    browser = await requireBrowser();
  });
  if (!hasBrowser) return;
  const args = ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter=list,json'];
  const env = { SHOP_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: reports.browser };
  await runCounted('browser tests', reports.browser, readPlaywright, () =>
    runNode(['node_modules/playwright/cli.js', ...args], env),
  );
}

/** The program's own counts are added; a failure that they do not show, or no test at all, is one failure more. */
async function runCounted(name, report, read, work) {
  await rm(report, { force: true });
  const failure = await step(name, work).then(
    () => undefined,
    (error) => error,
  );
  const found = read(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')));
  if (failure) console.error(`\n${failure.message}\n`);
  if (!found.passed && !found.failures.length) found.failures.push(`${name}: none was run`);
  else if (failure && !found.failures.length) found.failures.push(name);
  failures.push(...found.failures);
  counts.passed += found.passed;
  counts.failed += found.failures.length;
  counts.skipped += found.skipped;
}

function readVitest({ numPassedTests = 0, numPendingTests = 0, testResults = [] }) {
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative('.', name);
    // a file that could not be loaded has no tests to fail
    if (status === 'failed' && !assertionResults.length) return [file];
    return assertionResults.filter((test) => test.status === 'failed').map((test) => `${file} ${test.fullName}`);
  });
  return { passed: numPassedTests, failures, skipped: numPendingTests };
}

function readPlaywright({ stats: { expected = 0, flaky = 0, skipped = 0 } = {}, suites = [] }) {
  const failed = (suite) => [
    ...(suite.specs ?? []).flatMap(({ file, title, tests }) =>
      tests.filter(({ status }) => status === 'unexpected').map((test) => `${file} ${title} (${test.projectName})`),
    ),
    ...(suite.suites ?? []).flatMap(failed),
  ];
  return { passed: expected + flaky, failures: suites.flatMap(failed), skipped };
}
