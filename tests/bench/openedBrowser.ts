/** The built shop on data of its own, and a browser, for a bench of pages. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import { end, startNode, untilReady } from '../chaos/processes';
import { findFreePort } from '../support/freePort';

export type BrowserBench = {
  browser: Browser;
  url: string;
  /** The id of the shop's process. */
  pid: number | undefined;
};

/** The first owner of that shop. */
export const benchOwner = { email: 'owner@example.com', password: 'pepper and salt of the owner' };

/** @param measure gets both; they end after it */
export async function withBrowser(measure: (bench: BrowserBench) => Promise<void>): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'shop-bench-'));
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const url = `http://localhost:${port}`;
  const settings = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: path.join(home, 'data'),
    DEMO_SIZES: 'off',
    OWNER_EMAIL: benchOwner.email,
    OWNER_PASSWORD: benchOwner.password,
  };
  const shop = startNode(['dist/server/main.js'], { ...settings, LOG_LEVEL: 'error' }, 'ignore');
  const { SHOP_BROWSER: executablePath = '' } = process.env;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await untilReady(shop, url);
    await measure({ browser, url, pid: shop.process.pid });
  } finally {
    await browser.close();
    await end(shop, 'SIGTERM');
    await rm(home, { recursive: true, force: true });
  }
}
