/**
 * `npm run test:nightly`: long tests against rare dangers, by part or all of them. A part that passes is recorded in
 * docs/nightly.md with its date and commit.
 *
 *   npm run test:nightly                     all parts
 *   npm run test:nightly -- kills crossBrowser    these
 *   npm run test:nightly -- --due            lists the parts whose files changed since their last pass
 */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { requireBrowser, requireEngines, requireWindowless } from './browser.mjs';
import { build, install } from './steps.mjs';
import { check, endWithCounts, failedSoFar, inMemory, runPlaywright, runVitest } from './testRun.mjs';
import { nightlyParts } from './nightlyParts.mjs';

const notes = 'docs/nightly.md';
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in nightlyParts));
const runs = {
  vitest: ({ tests }, name) => runVitest(name, tests, { env: { TEST_NIGHTLY: '1', OUTBOX_RUNS: '1000' } }),
  async browser(_, name) {
    const env = { TEST_NIGHTLY: '1', SHOP_BROWSER: await requireWindowless() };
    await runPlaywright(name, 'tests/e2e/playwright.config.ts', env, [`--project=${name}`]);
  },
  async crossBrowser(_, name) {
    const env = await requireEngines('firefox', 'webkit');
    const all = { TEST_NIGHTLY: '1', ...env, SHOP_BROWSER: await requireBrowser() };
    await runPlaywright(name, 'tests/crossBrowser/playwright.config.ts', all, []);
  },
};

if (unknown.length > 0) {
  console.error(`There is no part called ${unknown.join(' or ')}. Parts: ${Object.keys(nightlyParts).join(', ')}`);
  process.exit(1);
}
await requireAllNamed();
if (process.argv.includes('--due')) await nameDue();
else {
  process.env.TEST_SEED ??= String(randomInt(100_000));
  await inMemory(async () => {
    if (!(await check('install', install)) || !(await check('build', build))) return;
    for (const name of asked.length > 0 ? asked : Object.keys(nightlyParts)) await runPart(name);
  });
  endWithCounts();
}

/** @throws Error when a test with a nightly form is in no part */
async function requireAllNamed() {
  const files = (await readdir('tests', { recursive: true })).filter((file) => /\.(?:test|spec)\.ts$/.test(file));
  const named = Object.values(nightlyParts).flatMap(({ tests }) => tests);
  for (const file of files.map((each) => `tests/${each.replaceAll('\\', '/')}`)) {
    const isNightly = file.includes('.nightly.') || (await readFile(file, 'utf8')).includes('isNightly');
    if (isNightly && !named.some((start) => file.startsWith(start)))
      throw new Error(`${file} has a nightly form: name it in src/tools/nightlyParts.mjs`);
  }
}

async function runPart(name) {
  const part = nightlyParts[name];
  const before = failedSoFar();
  await check(name, () => runs[part.by](part, name));
  if (failedSoFar() === before) await note(name);
}

async function note(name) {
  const rows = await readRows();
  const dirty = git('status', '--porcelain') ? ' and changes' : '';
  rows.set(name, [new Date().toISOString().slice(0, 10), `${git('rev-parse', '--short=10', 'HEAD')}${dirty}`]);
  const page = await readFile(notes, 'utf8');
  const table = Object.keys(nightlyParts).map((part) => {
    const [date = '–', commit = '–'] = rows.get(part) ?? [];
    return `| ${part.padEnd(12)} | ${date.padEnd(10)} | ${commit.padEnd(10)} |`; // as its header is
  });
  await writeFile(
    notes,
    page.replace(/(\| -.*\n)(?:\|.*\n)*/, (_, line) => `${line}${table.join('\n')}\n`),
  );
}

async function readRows() {
  const rows = [...(await readFile(notes, 'utf8')).matchAll(/^\| (\w+) +\| (\d\S+) +\| (\w{7,40})/gm)];
  return new Map(rows.map(([, name, date, commit]) => [name, [date, commit]]));
}

async function nameDue() {
  const rows = await readRows();
  const due = Object.entries(nightlyParts).filter(([name, part]) => isDue(rows.get(name)?.[1], part));
  if (due.length === 0) console.log('Nightly parts: none is due');
  for (const [name] of due) {
    const [date] = rows.get(name) ?? [];
    const since = date ? `its files changed since its last run without a failure on ${date}` : 'it has no such run yet';
    console.log(`Nightly part ${name} is due: ${since}`);
  }
}

function isDue(commit, { tests, proves }) {
  if (!commit) return true;
  try {
    return git('diff', '--name-only', commit, 'HEAD', '--', ...tests.map((start) => `${start}*`), ...proves) !== '';
  } catch {
    return true; // the commit is not in this clone
  }
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
