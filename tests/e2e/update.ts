/** Questions of the update tests to a page. */
import type { Page } from 'playwright/test';
import { expect } from './offlineShop';
import { endWorkers } from './shop';

export const offer = (page: Page) => page.getByText('An update is ready.');
/** True as well while the next page is on its way. */
export const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window).catch(() => true);
/** As the browser does soon after each visit, whatever the worker responds, and the app once an hour. */
export const lookForUpdate = (page: Page) =>
  page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => found?.update()));

export async function waitForUpdate(page: Page): Promise<void> {
  await lookForUpdate(page);
  const isWaiting = () =>
    page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => Boolean(found?.waiting)));
  await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
}

/**
 * Waits until the new worker is active. Chromium, at least with its developer tools attached to a worker, sometimes
 * restarts the former worker just as it stops it, and then keeps the next one waiting for five minutes. The former one
 * is stopped then, as a browser stops an idle worker. What the app tells a user whose browser waits:
 * firstWorker.test.ts.
 */
export async function untilTakenOver(page: Page): Promise<void> {
  const waits = () => page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => !!found?.waiting));
  const endAfterMs = 4000; // sooner than the shop gives up
  const since = Date.now();
  const isOver = async () => {
    if (!(await waits().catch(() => false))) return true;
    if (Date.now() - since > endAfterMs) await endWorkers(page);
    return false;
  };
  await expect.poll(isOver).toBe(true);
}
