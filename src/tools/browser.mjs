/** Finds browsers for the tests: installed or downloaded ones. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run, runNode } from './steps.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const usualPaths = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((folder) =>
    path.join(process.env[folder] ?? '', 'Google/Chrome/Application/chrome.exe'),
  ),
};

/** @returns the path of a browser @throws Error in one sentence when none is available */
export async function requireBrowser() {
  const found = process.env.SHOP_BROWSER ?? findInstalled() ?? (await findPlaywrights());
  if (found) return found;
  const fetched = (await fetchFromDebian()) ?? (await fetchFromPlaywright());
  if (fetched) return fetched;
  throw new Error('The browser tests need Chromium. Install it, or set SHOP_BROWSER to its path');
}

/**
 * For tests with hundreds of pages: headless Chromium, Debian's `chromium-headless-shell`, if available. It renders no
 * window frame, and uses a third less CPU.
 * @returns the path of a browser @throws Error in one sentence when none is available
 */
export async function requireWindowless() {
  if (process.env.SHOP_BROWSER) return process.env.SHOP_BROWSER;
  if (!onPath(windowless) && process.getuid?.() === 0) await installPackages(windowless);
  return onPath(windowless) ?? (await requireBrowser());
}
const windowless = 'chromium-headless-shell';

function findInstalled() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...(usualPaths[process.platform] ?? [])].find(isBrowser);
}

/** Runs the program with --version: Ubuntu's package only prints how to install the browser. */
function isBrowser(file) {
  try {
    accessSync(file, constants.X_OK);
    if (process.platform === 'win32') return true; // on Windows this would open a window
    const said = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return /^(Chromium|Google Chrome)\b.*\d/m.test(said);
  } catch {
    return false;
  }
}

async function findPlaywrights() {
  const { chromium } = await import('playwright');
  const file = chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

/**
 * Firefox and WebKit for tests/crossBrowser: Debian's, otherwise Playwright's own.
 * @returns the environment variables that the tests need
 * @throws Error in one sentence when one is not available
 */
export async function requireEngines(...wanted) {
  if (!wanted.every((engine) => engines[engine].isHere()) && process.getuid?.() === 0)
    await installPackages(...wanted.flatMap((engine) => engines[engine].packages));
  const environment = {};
  for (const engine of wanted) {
    const { variable, isHere, program } = engines[engine];
    if (isHere()) environment[variable] = process.env[variable] ?? program();
    else if (!(await hasPlaywrights(engine)))
      throw new Error(`The cross-browser smoke test needs ${engine}. Install it, or set ${variable} to its path`);
  }
  return environment;
}

const engines = {
  firefox: {
    variable: 'SHOP_FIREFOX',
    packages: ['firefox-esr'],
    program: () => onPath('firefox-esr') ?? onPath('firefox'),
    isHere: () => Boolean(process.env.SHOP_FIREFOX ?? engines.firefox.program()),
  },
  webkit: {
    variable: 'SHOP_WEBKIT',
    packages: ['webkit2gtk-driver', 'xvfb', 'openssl'],
    program: miniBrowser,
    isHere: () =>
      Boolean(process.env.SHOP_WEBKIT ?? miniBrowser()) &&
      ['WebKitWebDriver', 'Xvfb', 'openssl'].every((name) => onPath(name) !== undefined),
  },
};

/** Debian installs it in a folder named by architecture and version. */
function miniBrowser() {
  const libraries = '/usr/lib';
  if (!existsSync(libraries)) return undefined;
  const folders = readdirSync(libraries).filter((name) => name.endsWith('-linux-gnu'));
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(libraries, folder))
      .filter((name) => name.startsWith('webkit2gtk-'))
      .map((name) => path.join(libraries, folder, name, 'MiniBrowser')),
  );
  return files.filter((file) => existsSync(file)).at(-1);
}

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));

async function hasPlaywrights(engine) {
  const { [engine]: type } = await import('playwright');
  if (!existsSync(type.executablePath()))
    await runNode(['node_modules/playwright/cli.js', 'install', engine]).catch(() => undefined);
  return existsSync(type.executablePath());
}

async function fetchFromDebian() {
  if (process.getuid?.() !== 0) return undefined;
  await installPackages('chromium');
  return findInstalled();
}

/** Uses apt-get. Without it, or without such a package, nothing is installed: the caller checks again. */
export async function installPackages(...packages) {
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-qq'], quietly);
    await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], quietly);
  } catch {
    return;
  }
}

async function fetchFromPlaywright() {
  await runNode(['node_modules/playwright/cli.js', 'install', 'chromium']).catch(() => undefined);
  return findPlaywrights();
}
