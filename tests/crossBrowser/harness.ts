/** The built shop behind a network that can break, and a browser of the engine under test. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { test as base, type Browser as Program, chromium, expect, firefox, webkit } from 'playwright/test';
import { ofTheMachine, ownerAccount, saysOpen } from '../e2e/shop';
import { findFreePort } from '../support/freePort';
import { type Front, openFront } from './front';
import { openContext } from './playwrightTab';
import type { Browser, Engine, Less, Size, Tab } from './tab';
import { openWebKit } from './webKitTab';

export interface EngineOptions {
  engine: Engine;
  /** The browser's program; without one Playwright's own is used. */
  program: string | undefined;
}

export interface WalkedShop extends Front {
  /** Stops it, and restarts it on the same data. @param from the folder of a build; without one the tested build */
  restart: (from?: string) => Promise<void>;
  /** The folder of the mails that it sent. */
  mails: string;
}

interface Walker {
  tab: Tab;
  /** Forgives the pages' complaints so far, which the test itself has provoked. */
  forgive: (expected: RegExp) => Promise<void>;
  /** @returns the complaints so far, which are forgiven */
  heard: () => Promise<string[]>;
}

/**
 * The console messages of an unreachable server, in each engine's words; Firefox also lists each request in flight when
 * the page was left.
 */
export const unanswered =
  /Could not connect|NS_ERROR_CONNECTION_REFUSED|net::ERR_|Failed to load resource|NetworkError|Load failed|network connection was lost|loading dynamically imported module|ServiceWorker intercepted/;

export const test = base.extend<
  { openBrowser: (size: Size, less?: Less) => Promise<Walker> },
  { shop: WalkedShop; openEngine: (size: Size, less: Less) => Promise<Browser> } & EngineOptions
>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  program: [undefined, { option: true, scope: 'worker' }],
  shop: [
    async ({ engine }, provide) => {
      const { shop, end } = await startShop(engine === 'webkit'); // keeps no Secure cookie over plain http
      await provide(shop);
      await end();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  /**
   * Opens a browser that has never seen the shop; a worker's browsers share one program, where the engine allows it.
   */
  openEngine: [
    async ({ engine, program, shop: { url: baseURL } }, provide) => {
      let shared: Promise<Program> | undefined;
      await provide(async (size, less) => {
        const wish = { baseURL, size, ...less };
        if (engine === 'webkit' && program) return openWebKit({ ...wish, program });
        if (less.keepsNothing) return openThatKeepsNothing(launch(engine, program, less), wish);
        return openContext(await (shared ??= launch(engine, program)), wish);
      });
      await (await shared)?.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  /** Complaints of its pages fail the test at its end. */
  openBrowser: async ({ openEngine }, provide, info) => {
    const opened: Browser[] = [];
    const complaints: string[] = [];
    await provide(async (size, less = {}) => {
      const browser = await openEngine(size, less);
      opened.push(browser);
      const forgive = async (expected: RegExp) =>
        void complaints.push(...(await browser.complaints()).filter((line) => !expected.test(line)));
      return { tab: browser.tab, forgive, heard: browser.complaints };
    });
    const hasFailed = info.status !== info.expectedStatus;
    if (hasFailed) process.stdout.write(await busiest());
    try {
      for (const browser of opened) {
        complaints.push(...(await browser.complaints())); // before the screenshot, which causes some of its own
        if (hasFailed) await writeFile(info.outputPath('screen.png'), await browser.tab.picture());
      }
    } finally {
      for (const browser of opened) await browser.close(); // a hanging one would use the processor beside the next flow
    }
    expect(complaints).toEqual([]);
  },
});

/** @returns the machine's busy processes, one a line: a hanging page looks like one that gets no processor time */
async function busiest(): Promise<string> {
  const list = promisify(execFile)('ps', ['-eo', 'pid,stat,wchan:16,pcpu,etimes,time,args', '--sort=-pcpu']);
  const { stdout } = await list.catch(() => ({ stdout: '' })); // not every machine has it
  return stdout
    .replaceAll(/(?<=.{120}).+/g, '')
    .split('\n', 16)
    .join('\n');
}

/** @param program its path; without one Playwright's own is used */
function launch(engine: Engine, program: string | undefined, { keepsNothing }: Less = {}): Promise<Program> {
  const place = program ? { executablePath: program } : {};
  if (engine === 'chromium') return chromium.launch({ ...place, args: quietly });
  if (engine === 'webkit') return webkit.launch(place);
  // its own protocol is only in Playwright's build; any other is driven by WebDriver BiDi
  const channel = program ? { channel: 'moz-firefox' } : {};
  const firefoxUserPrefs = keepsNothing ? { 'network.cookie.cookieBehavior': 2 } : {};
  return firefox.launch({ ...place, ...channel, firefoxUserPrefs });
}

/** Its settings apply to the whole program, so it gets a separate one. */
async function openThatKeepsNothing(
  launched: Promise<Program>,
  wish: Parameters<typeof openContext>[1],
): Promise<Browser> {
  const program = await launched;
  const browser = await openContext(program, wish);
  return { ...browser, close: () => program.close() };
}

const quietly = [
  '--no-sandbox', // root, as in most containers, gets none
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function startShop(isSecure: boolean): Promise<{ shop: WalkedShop; end: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'shop-walked-'));
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const front = await openFront(port, isSecure);
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (!server) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  };
  const restart = async (from = '.') => {
    await stop();
    server = spawn(process.execPath, [path.resolve(from, 'dist/server/main.js')], {
      env: {
        ...ofTheMachine(process.env),
        PORT: String(port),
        SANDBOX_PORT: String(sandboxPort),
        DATA_DIR: dataDir,
        PUBLIC_URL: front.url,
        TRUST_PROXY: '127.0.0.1',
        OWNER_EMAIL: ownerAccount.email,
        OWNER_PASSWORD: ownerAccount.password,
        NODE_ENV: 'production',
        DEMO_SIZES: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await saysOpen(server);
  };
  await restart();
  const end = async () => {
    await front.breakOff();
    await stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
  };
  return { shop: { ...front, restart, mails: path.join(dataDir, 'mails') }, end };
}
