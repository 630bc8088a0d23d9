/**
 * Lighthouse over the public pages: mobile preset (simulated slow 4G, processor four times slower), each page several
 * times, the median of each figure. It needs a quiet machine: other programs lengthen the blocking time.
 *
 *   node tests/bench/lighthouse.mjs                                     the built shop, started on data of its own
 *   node tests/bench/lighthouse.mjs http://localhost:3000               a shop that runs already
 *   node tests/bench/lighthouse.mjs http://localhost:3000 3 /contact    3 runs instead of 5, of these pages alone
 *
 * npx downloads Lighthouse; as a dependency in package.json it would break `npm ci`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { requireBrowser } from '../../src/tools/browser.mjs';
import { build, run } from '../../src/tools/steps.mjs';

const version = '12.8.2';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
];
const browserFlags =
  '--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update';

const [given, runs = '5', ...paths] = process.argv.slice(2);
const home = await mkdtemp(path.join(tmpdir(), 'shop-lighthouse-'));
const shop = given ? { url: given, close: () => undefined } : await startShop();
try {
  const rows = [];
  for (const page of paths.length ? paths : await publicPages()) rows.push([page, ...(await measure(page))]);
  console.log(present(rows));
  reportSlower(rows);
} finally {
  await shop.close();
  await rm(home, { recursive: true, force: true });
}

async function startShop() {
  await build();
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const env = { ...process.env, NODE_ENV: 'production', DATA_DIR: path.join(home, 'data'), PORT: String(port) };
  const settings = { SANDBOX_PORT: String(await findFreePort()), LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, ['dist/server/main.js'], { env: { ...env, ...settings }, stdio: 'ignore' });
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the shop ended with ${child.exitCode}`);
    await pause(100);
  }
  const close = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { url, close };
}

async function findFreePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Home, a list, its first product, and the pages of those who have no session yet. */
async function publicPages() {
  const answer = await fetch(`${shop.url}/api/public/products/category/savory`);
  const [product] = (await answer.json()).data.products.content;
  const ofStrangers = ['/login', '/register', '/forgot-password'];
  return ['/', '/products/savory', `/customer/view/product/${product.id}`, ...ofStrangers];
}

/** @returns the median of each score and figure, and the lowest and highest performance */
async function measure(page) {
  const results = [];
  await fetch(`${shop.url}${page}`); // rendered before the first run, as for every visitor but one
  for (let turn = 0; turn < Number(runs); turn++) results.push(await runLighthouse(`${shop.url}${page}`));
  const scores = categories.map((id) => results.map((result) => Math.round(result.categories[id].score * 100)));
  const figures = metrics.map((id) => results.map((result) => result.audits[id].numericValue));
  const range = `${Math.min(...scores[0])}-${Math.max(...scores[0])}`;
  return [...scores.map(middle), ...figures.map(middle).map((value) => Number(value.toPrecision(3))), range];
}

/** Sometimes a browser starts without a trace of the page; such a run is repeated. */
async function runLighthouse(url, tries = 3) {
  const file = path.join(home, 'report.json');
  const { LIGHTHOUSE: installed } = process.env; // the path of an installed Lighthouse, where npx cannot download
  const [command, ...first] = installed ? [process.execPath, installed] : ['npx', '--yes', `lighthouse@${version}`];
  const output = ['--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${browserFlags}`];
  try {
    await run(command, [...first, url, ...output], { CHROME_PATH: await requireBrowser() });
  } catch (error) {
    if (tries <= 1 || !String(error).includes('NO_NAVSTART')) throw error;
    return runLighthouse(url, tries - 1);
  }
  return JSON.parse(await readFile(file, 'utf8'));
}

/** What the slowest page needed on 2026-11-30 (docs/measured.md), and a third more for a less quiet machine. */
const most = { LCP: 2500, TBT: 450 };

/** Fails when a page takes longer. */
function reportSlower(rows) {
  for (const row of rows) {
    const [page] = row;
    const [LCP, TBT] = row.slice(categories.length + 2);
    if (LCP <= most.LCP && TBT <= most.TBT) continue;
    console.error(`${page} is slower than it was: LCP ${LCP} ms (${most.LCP}), TBT ${TBT} ms (${most.TBT})`);
    process.exitCode = 1;
  }
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function present(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const head = ['page', ...categories, 'FCP ms', 'LCP ms', 'TBT ms', 'CLS', 'performance from-to'];
  const notes = `Lighthouse ${version}, mobile, middle of ${runs}, ${new Date().toISOString().slice(0, 10)}`;
  return [notes, '', line(head), line(head.map((_, index) => (index ? '---:' : '---'))), ...rows.map(line)].join('\n');
}
