/** What the tests of an update ask a page about it. */
import type { Page } from 'playwright/test';
import { expect } from './offlineShop';
import { endWorkers } from './shop';

export const offer = (page: Page) => page.getByText('A new version is ready.');
/** True as well while the next page is on its way. */
export const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window).catch(() => true);
/** As the browser does by itself soon after each visit, whatever the worker answers, and the app once an hour. */
export const lookForUpdate = (page: Page) =>
  page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => found?.update()));

export async function waitForUpdate(page: Page): Promise<void> {
  await lookForUpdate(page);
  const isWaiting = () =>
    page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => Boolean(found?.waiting)));
  await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
}

/**
 * Until the new worker is the one in use. Chromium, at least with its developers' tools at a worker, now and then starts
 * the former one once more in the moment in which it ends it, and then lets the next one wait for five minutes. The
 * former one is ended then, as a browser does by itself with a worker that rests. What the app says to somebody whose
 * browser waits: firstWorker.test.ts.
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
