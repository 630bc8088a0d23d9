/** Runs the test programs, and counts passes and failures across them. */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runLoud, runNode, step } from './steps.mjs';

const counts = { passed: 0, failed: 0 };
const failures = [];
/** Failed once in CI, and passed when they ran again by themselves. */
const byChance = [];
const mostByChance = 5;

/**
 * Runs `work` with TMPDIR in memory (/dev/shm) if there is space: a disk is slower. The folder is accessible to the user
 * that the database runs as.
 */
export async function inMemory(work) {
  const { bavail = 0, bsize = 0 } = await statfs('/dev/shm').catch(() => ({}));
  if (Math.min(bavail * bsize, freemem()) < 6 * 2 ** 30) return work();
  const folder = await mkdtemp('/dev/shm/shop-tests-');
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  try {
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns whether `work` succeeded; a failure is printed and counted */
export async function check(name, work) {
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

/** @param isLoud prints each test as it ends */
export function runVitest(name, words = [], { isLoud = false, env = {} } = {}) {
  const report = '.cache/vitest.json';
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...words];
  const run = isLoud ? runLoud : runNode;
  const vitest = (all) => run(['node_modules/vitest/vitest.mjs', ...all], { NODE_ENV: 'test', ...env });
  const again = (failed) => vitest([...args.slice(0, -words.length || undefined), ...filesOf(failed)]);
  return runCounted(name, report, readVitest, isLoud, () => vitest(args), again);
}

export function runPlaywright(name, config, env, args) {
  const report = '.cache/playwright.json';
  const all = ['test', '--config', config, '--reporter=list,json', ...args];
  const playwright = (words) =>
    runNode(['node_modules/playwright/cli.js', ...words], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  return runCounted(
    name,
    report,
    readPlaywright,
    false,
    () => playwright(all),
    (failed) => playwright([...all, ...filesOf(failed)]),
  );
}

/**
 * Adds a program's own counts. A failure that they do not include counts as one more, and so does a run without tests.
 * @param again runs the files of these failed tests by themselves: a test may continue the one before it
 */
async function runCounted(name, report, read, isLoud, work, again) {
  await rm(report, { force: true });
  const failure = await (isLoud ? work() : step(name, work)).then(
    () => undefined,
    (error) => error,
  );
  const readReport = async () => read(JSON.parse(await readFile(report, 'utf8').catch(() => '{}')));
  let found = await readReport();
  if (failure) console.error(`\n${failure.message}\n`);
  if (found.skipped) found.failures.push({ name: `${name}: ${found.skipped} skipped` });
  if (!found.passed && !found.failures.length) found.failures.push({ name: `${name}: no tests ran` });
  else if (failure && !found.failures.length) found.failures.push({ name });
  else if (process.env.CI && mayBeByChance(found)) {
    await rm(report, { force: true });
    await step(`${name}, second try`, () => again(found.failures)).catch((error) => console.error(error.message));
    found = afterSecondTry(found, await readReport());
    byChance.push(...found.byChance);
  }
  failures.push(...found.failures);
  counts.passed += found.passed;
  counts.failed += found.failures.length;
}

const filesOf = (failed) => [...new Set(failed.map(({ file }) => file))];

/** A few failed tests, each of a known file. */
const mayBeByChance = ({ failures: failed }) =>
  failed.length > 0 && failed.length <= mostByChance && failed.every(({ file }) => file !== undefined);

/** @returns the counts after the failed tests ran again: what failed twice, or did not run, has failed */
export function afterSecondTry(first, second) {
  const failedAgain = new Set(second.failures.map(({ name }) => name));
  if (second.passed + second.failures.length < first.failures.length) return { ...first, byChance: [] };
  const passed = first.failures.filter(({ name }) => !failedAgain.has(name));
  return { passed: first.passed + passed.length, failures: second.failures, byChance: passed };
}

export const failedSoFar = () => counts.failed;

/** Prints the failures with their reasons, then the counts; the process exits with 1 if anything failed. */
export function endWithCounts() {
  const print = (said, { name, why = [] }) => {
    console.log(`${said}: ${name}`);
    for (const line of why) console.log(`WHY: ${line}`);
  };
  for (const each of byChance) print('FAILED ONCE', each);
  for (const each of failures) print('FAILED', each);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed ? 1 : 0;
}

function readVitest({ numPassedTests = 0, numPendingTests = 0, testResults = [] }) {
  const found = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('.', name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // a file that could not be loaded, or whose beforeAll failed, has no failed tests
    if (status === 'failed' && !failed.length) return [{ name: file, file, why: firstLines(message) }];
    return failed.map((test) => ({
      name: `${file} ${test.fullName}`,
      file,
      why: firstLines(test.failureMessages?.[0]),
    }));
  });
  return { passed: numPassedTests, failures: found, skipped: numPendingTests };
}

function readPlaywright({ stats: { expected = 0, flaky = 0, skipped = 0 } = {}, suites = [] }) {
  const failed = (suite) => [
    ...(suite.specs ?? []).flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map((test) => ({
          name: `${file} ${title} (${test.projectName})`,
          file,
          why: whyInBrowser(test.results.at(-1)),
        })),
    ),
    ...(suite.suites ?? []).flatMap(failed),
  ];
  return { passed: expected + flaky, failures: suites.flatMap(failed), skipped };
}

/** The failure itself, and the element that had the focus, from the page's snapshot. */
function whyInBrowser({ error, attachments = [] } = {}) {
  const snapshot = attachments.find(({ name }) => name === 'error-context')?.path;
  const page = snapshot && existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : '';
  const focused = page.split('\n').filter((line) => line.includes('[active]'));
  return [...firstLines(error?.message), ...firstLines(focused.map((line) => `focused: ${line.trim()}`).join('\n'))];
}

/** @returns the first lines of a failure's message, without colors, for readers who see only the end of the output */
function firstLines(message = '') {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !/^ *at .*(?:node_modules|<anonymous>)/.test(line))
    .slice(0, 12)
    .map((line) => line.slice(0, 300));
}
