/**
 * `npm test`: the checks required before a merge, from a fresh clone. Prints a line per step with its seconds; the last
 * line is `N passed, N failed`, after the names of all failures and their reasons. A step that fails outside its tests
 * counts as one failure.
 *
 *   npm test                      checks, build, tests, and the browser flows
 *   npm test cart                 only test files whose path contains the word; a browser test by its name: flows/cart.spec.ts
 *   npm run test:watch [cart]     reruns after each change; without the browser
 *   npm run test:rest             what `.ci/run` adds: `*.ci.test.ts`, and the other browser tests, `*.ci.spec.ts` included
 *   npm run test:postgres         the API tests on another PostgreSQL (src/tools/testPostgres.mjs)
 *
 * TEST_SEED repeats the order of a run.
 */
import { mkdir } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { requireWindowless } from './browser.mjs';
import { build, install, runLoud, runNode, sideBySide, step } from './steps.mjs';
import { check, endWithCounts, inMemory, runPlaywright, runVitest } from './testRun.mjs';

const [mode, ...rest] = process.argv.slice(2);
const words = mode?.startsWith('--') ? rest : process.argv.slice(2);
const vitest = 'node_modules/vitest/vitest.mjs';

await mkdir('.cache', { recursive: true });
process.env.TEST_SEED ??= String(randomInt(100_000));
await inMemory(async () => {
  if (!(await check('install', install))) return;
  if (mode === '--watch') await runLoud([vitest, 'watch', ...words]);
  else if (mode === '--rest') await runRest();
  else if (words.length > 0) await runSome();
  else await runAll();
});
if (mode !== '--watch') endWithCounts();

async function runAll() {
  // each program on one core, so that both cores of a small machine have work
  const lint = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--threads=1'];
  const types = ['node_modules/typescript-7/bin/tsc', '-b', '--checkers', '1'];
  const format = ['node_modules/oxfmt/bin/oxfmt', '--check', '--threads=1'];
  const contract = ['src/tools/contract.mjs', '--check'];
  const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
  const boundaries = [cruiser, '--config', '.dependency-cruiser.mjs', 'src', 'sw'];
  const [isBuilt] = await sideBySide(
    () => check('build', build),
    () => inTurn(['contract', contract], ['boundaries', boundaries], ['types', types]),
    () => inTurn(['format', format], ['lint', lint]),
  );
  await runVitest(`tests, seed ${process.env.TEST_SEED}`, [], { env: { TEST_WITHOUT_CI: '1' } });
  if (isBuilt) await runBrowser('browser flows', ['flows']);
}

async function inTurn(...programs) {
  for (const [name, args] of programs) await check(name, () => step(name, () => runNode(args)));
}

async function runRest() {
  await runVitest(`other tests, seed ${process.env.TEST_SEED}`, ['.ci.test.ts', 'sharedBooks']);
  await runBrowser('browser tests', ['moreFlows', 'phone', 'desktop', 'offline', 'screens', 'widths']);
}

async function runSome() {
  const inBrowser = words.filter((word) => word.endsWith('.spec.ts'));
  const others = words.filter((word) => !word.endsWith('.spec.ts'));
  if (others.length > 0) await runVitest('tests', [...others, 'sharedBooks'], { isLoud: true });
  if (inBrowser.length > 0) await runBrowser('browser tests', [], inBrowser);
}

async function runBrowser(name, projects, files = []) {
  if (!(await check('build', build))) return;
  let SHOP_BROWSER;
  const hasBrowser = await check('browser', async () => {
    SHOP_BROWSER = await requireWindowless();
  });
  const args = [...files, ...projects.map((project) => `--project=${project}`)];
  if (hasBrowser) await runPlaywright(name, 'tests/e2e/playwright.config.ts', { SHOP_BROWSER }, args);
}
