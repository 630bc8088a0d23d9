/** What the offline tests share: a shop whose server can be killed and comes back, and a browser that keeps the shop. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, expect, type Page, test as base } from 'playwright/test';
import { ofTheMachine, ownerAccount, saysOpen, untilAlive } from './shop';
import { findFreePort } from '../support/freePort';

export { expect };
export interface OfflineShop {
  url: string;
  /** As a power cut does it: nothing is finished. */
  kill: () => Promise<void>;
  /** Anew, at the same address and on the same data. @param from the folder of another build than the tested one */
  start: (env?: Record<string, string>, from?: string) => Promise<void>;
}

/** One shop for all files of a worker, so each begins with a fresh start; the service worker is the real one. */
export const test = base.extend<object, { shop: OfflineShop }>({
  shop: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names of what a fixture needs
    async ({}, provide) => {
      const home = await mkdtemp(path.join(tmpdir(), 'shop-offline-'));
      const shop = await createShop(home);
      await provide(shop);
      await shop.kill();
      await endDatabase(home);
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ shop }, provide) => provide(shop.url),
  serviceWorkers: 'allow',
});

async function createShop(home: string): Promise<OfflineShop> {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const settings = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: path.join(home, 'data'),
    OWNER_EMAIL: ownerAccount.email,
    OWNER_PASSWORD: ownerAccount.password,
  };
  let server: ChildProcess | undefined;
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `http://localhost:${port}`,
    kill,
    async start(env = {}, from = '.') {
      await kill();
      server = spawn(process.execPath, [path.resolve(from, 'dist/server/main.js')], {
        env: { ...ofTheMachine(process.env), ...settings, NODE_ENV: 'production', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      await saysOpen(server);
    },
  };
}

/** It outlives a server that was killed; the next start would have taken it over. */
async function endDatabase(home: string): Promise<void> {
  const lock = await readFile(path.join(home, 'data/postgres/postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(lock, 10);
  if (pid > 0) process.kill(pid, 'SIGQUIT');
}

/** Opens the home page and waits until the whole shop is on the device. */
export async function visitUntilSaved(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByText('Saved for offline')).toBeVisible({ timeout: 120_000 });
}

/**
 * The addresses of the storefront as the running app has them: those that have a page. The back office needs a
 * connection and is not among them.
 */
export async function storefrontRoutes(page: Page, forWhom: 'everybody' | 'customers'): Promise<string[]> {
  await untilAlive(page);
  const routes = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: { routesById: Record<string, Route> } };
    return Object.values(router.routesById)
      .filter(({ id, fullPath, options }) => options.component && options.path && !/admin/.test(id + fullPath))
      .map(({ id, fullPath }) => ({ id, fullPath }));
  });
  await page.goto('/products/savory');
  const product = await page.locator('main a[href^="/customer/view/product/"]').first().getAttribute('href');
  return routes
    .filter(({ id }) => /\/(?:signed-in|kitchen)\//.test(id) === (forWhom === 'customers'))
    .filter(({ fullPath }) => !fullPath.includes('$listId')) // of a list that is there: kitchen.spec.ts
    .map(({ fullPath }) => (fullPath.includes('$id') ? (product ?? '') : fullPath.replace('$category', 'savory')));
}
interface Route {
  id: string;
  fullPath: string;
  options: { path?: string; component?: unknown };
}

/** Opens an address in a tab of its own: there is something to read, and nothing waits for ever. */
export async function expectToOpen(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(address);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading').first(), address).toBeVisible();
  await expect(main.locator('[aria-busy=true], .skeleton'), address).toHaveCount(0);
  await expect(main, address).not.toContainText(/Something went wrong|404 not found/);
  expect((await main.innerText()).trim().length, address).toBeGreaterThan(20);
  await page.close();
}
