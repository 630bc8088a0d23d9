/**
 * `npm test`: everything that must hold before a change is done, in order, from a fresh clone. The last line is
 * `N passed, N failed`; a check that fails without a test of its own counts as one failure.
 *
 *   node src/tools/test.mjs               everything
 *   node src/tools/test.mjs cart          only the tests (not in a browser) whose file name holds a word
 *   node src/tools/test.mjs --api-only    only the API's tests, for a round on another database (TEST_DATABASE_URL)
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { requireBrowser } from './browser.mjs';
import { build, install, runNode, step } from './steps.mjs';

const reports = { vitest: '.cache/vitest.json', browser: '.cache/playwright.json' };
const words = process.argv.slice(2).flatMap((word) => (word === '--api-only' ? ['tests/server/'] : [word]));
const counts = { passed: 0, failed: 0, skipped: 0 };

await mkdir('.cache', { recursive: true });
if (await check('packages', install)) await (words.length ? runTests(words) : runEverything());
console.log(counts.skipped ? `\n${counts.skipped} skipped` : '');
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed ? 1 : 0;

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
    console.error(`FAILED: ${name}`);
    counts.failed++;
    return false;
  }
}

function runTests(words) {
  const report = [`--outputFile.json=${reports.vitest}`, '--reporter=default', '--reporter=json'];
  return runCounted('tests', reports.vitest, countVitest, () =>
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
  await runCounted('browser tests', reports.browser, countPlaywright, () =>
    runNode(['node_modules/playwright/cli.js', ...args], env),
  );
}

/** The program's own counts are added; a failure that they do not show, or no test at all, is one failure more. */
async function runCounted(name, report, count, work) {
  await rm(report, { force: true });
  const failure = await step(name, work).then(
    () => undefined,
    (error) => error,
  );
  const found = count(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')));
  if (failure) console.error(`\n${failure.message}\n`);
  if (!found.passed && !found.failed) console.error(`FAILED: ${name}: none was run`);
  if (!found.failed && (failure || !found.passed)) found.failed = 1;
  for (const key of Object.keys(counts)) counts[key] += found[key];
}

function countVitest({ numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, testResults = [] }) {
  // a file that could not be loaded has no tests to fail
  const broken = testResults.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.length);
  return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests };
}

function countPlaywright({ stats: { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = {} }) {
  return { passed: expected + flaky, failed: unexpected, skipped };
}
