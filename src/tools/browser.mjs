/** A Chromium for the browser tests: an installed one, or one that is downloaded. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
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

/** @returns the path of a browser @throws Error in one sentence when there is none to be had */
export async function requireBrowser() {
  const found = process.env.SHOP_BROWSER ?? findInstalled() ?? (await findPlaywrights());
  if (found) return found;
  const fetched = (await fetchFromDebian()) ?? (await fetchFromPlaywright());
  if (fetched) return fetched;
  throw new Error('The browser tests need Chromium: install it, or name one in SHOP_BROWSER');
}

function findInstalled() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...(usualPaths[process.platform] ?? [])].find(isBrowser);
}

/** Asks the program for its version: Ubuntu's package is only a hint how to install the browser. */
function isBrowser(file) {
  try {
    accessSync(file, constants.X_OK);
    if (process.platform === 'win32') return true; // on Windows the question would open a window
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

async function fetchFromDebian() {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], quietly);
    await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', 'chromium'], quietly);
  } catch {
    return undefined; // no apt-get, or no such package
  }
  return findInstalled();
}

async function fetchFromPlaywright() {
  await runNode(['node_modules/playwright/cli.js', 'install', 'chromium']).catch(() => undefined);
  return findPlaywrights();
}
