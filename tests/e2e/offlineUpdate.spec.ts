import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright/test';
import { makeNextRelease, removeRelease } from './nextRelease';
import { expect, type OfflineShop, test, visitUntilSaved } from './offlineShop';
import { signIn, untilAlive } from './shop';
import { isSamePage, lookForUpdate, offer, untilTakenOver, waitForUpdate } from './update';

/**
 * A release while the shop is open: on an open page, in the checkout, and in a browser that stores nothing. The tests
 * build on each other.
 */
test.describe.configure({ mode: 'serial' });

let next: string;
let reader: Page;
let payer: Page;
let bare: Page;
const heard: string[] = []; // on the page `bare`, to detect a reload
test.beforeAll(async ({ browser, shop }) => {
  test.setTimeout(480_000);
  await shop.start();
  [next, reader, payer, bare] = await Promise.all([
    makeNextRelease(),
    openReader(await newPage(browser, shop)),
    openPayer(await newPage(browser, shop)),
    openBare(await newPage(browser, shop, 'block')),
  ]);
  for (const page of [reader, payer, bare]) await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await shop.start({}, next);
});
test.afterAll(async () => {
  for (const page of [reader, payer, bare]) await page?.context().close();
  if (next) await removeRelease(next);
});

async function newPage(browser: Browser, shop: OfflineShop, serviceWorkers: 'allow' | 'block' = 'allow') {
  const context = await browser.newContext({
    baseURL: shop.url,
    serviceWorkers,
    viewport: { width: 390, height: 844 },
  });
  return context.newPage();
}

async function openReader(page: Page) {
  await visitUntilSaved(page);
  await page.goto('/products/spices');
  return page;
}

/** With the chunks loaded after it: they are not what is lost when the shop is restarted. */
async function openBare(page: Page) {
  page.on('requestfailed', (call) => heard.push(`${call.url()}: ${call.failure()?.errorText}`));
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('framenavigated', (frame) => heard.push(frame.url()));
  await page.goto('/');
  await untilAlive(page);
  await page.waitForLoadState('networkidle');
  return page;
}

async function openPayer(page: Page) {
  await signIn(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible();
  await page.goto('/cart');
  await page.getByText('Proceed to Checkout').click();
  await expect(page.getByRole('radio').first()).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  return page;
}

const press = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).filter({ visible: true }).first().click();

test('a new version whose download starts before a page is ready for it is offered there too', async () => {
  const page = await reader.context().newPage();
  await page.addInitScript(updateBeforeRegistered);
  await page.goto('/');
  await expect(offer(page)).toBeVisible({ timeout: 120_000 }); // once all of it has been downloaded
  await page.close();
});

/** As the browser may do by itself when a page is opened: the update is in flight when the page asks for its worker. */
function updateBeforeRegistered() {
  const workers = navigator.serviceWorker;
  const register = workers.register.bind(workers);
  workers.register = async (...args) => {
    const registration = await register(...args);
    void registration.update();
    while (!registration.installing && !registration.waiting) await new Promise((resolve) => setTimeout(resolve, 1));
    return registration;
  };
}

test('inside the checkout nothing is offered and nothing reloaded, until it is left', async () => {
  await waitForUpdate(payer);
  await payer.getByRole('radio', { name: /new address/i }).click();
  await expect(payer.getByRole('dialog')).toBeVisible();
  await payer.keyboard.press('Escape');
  await expect(offer(payer)).toHaveCount(0);
  await payer.goBack();
  await expect(offer(payer)).toBeVisible();
  expect(await isSamePage(payer)).toBe(true);
  await payer.getByRole('button', { name: 'Later' }).click();
  await expect(offer(payer)).toHaveCount(0);
});

test('a page without a worker still finds its chunks on the server', async () => {
  await press(bare, 'Login');
  await expect(bare.getByRole('heading', { name: 'Log in' })).toBeVisible();
  expect(await isSamePage(bare), heard.join('\n')).toBe(true);
});

test('once its chunks are gone everywhere it reloads, once, with its saved state', async () => {
  await dropOldFiles();
  let loads = 0;
  bare.on('load', () => loads++);
  await bare.evaluate(() => localStorage.setItem('kept', 'yes'));
  await press(bare, 'Contact');
  await expect(bare.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => loads).toBe(1);
  await bare.waitForLoadState('networkidle');
  expect(loads).toBe(1);
  expect(await bare.evaluate(() => localStorage.getItem('kept'))).toBe('yes');
});

/** As two releases later. */
async function dropOldFiles() {
  const assets = path.join(next, 'dist/web/assets');
  const old = await readdir('dist/web/assets');
  for (const name of await readdir(assets)) if (old.includes(name)) await rm(path.join(assets, name));
}

test('without the server no page goes blank, and the new version is installed on request, at the same URL', async ({
  shop,
}) => {
  await waitForUpdate(reader);
  await expect(offer(reader)).toBeVisible();
  await shop.kill();
  await press(reader, 'Login');
  await expect(reader.getByRole('heading', { name: 'Log in' })).toBeVisible();
  const other = await reader.context().newPage();
  await other.goto('/products/savory');
  await expect(offer(other)).toBeVisible();
  const version = () => reader.evaluate(() => [...document.scripts].map(({ src }) => src).join());
  const before = await version();
  await reader.getByRole('button', { name: 'Update' }).click();
  await untilTakenOver(reader);
  await expect.poll(() => isSamePage(reader)).toBe(false);
  await expect(reader.getByRole('heading', { name: 'Log in' })).toBeVisible();
  expect(await version()).not.toEqual(before);
  await expect(offer(reader)).toHaveCount(0);
  const precaches = () => reader.evaluate(async () => (await caches.keys()).filter((name) => /precache/.test(name)));
  expect(await precaches()).toHaveLength(1);
  await expect(offer(other)).toBeVisible(); // each tab is asked, none is reloaded
  await other.close();
});

test('a broken worker is turned off from the server, without losing unsent changes', async ({ shop }) => {
  await writeFile(path.join(next, 'dist/web/sw.js'), broken);
  await shop.start({}, next);
  const statusOfVisit = async () => (await reader.goto('/'))?.status();
  await takeOver(reader);
  expect(await statusOfVisit()).toBe(500);

  await shop.start({ SERVICE_WORKER: 'off' });
  await takeOver(reader);
  await expect.poll(statusOfVisit, { timeout: 60_000 }).toBe(200);
  const left = () =>
    reader.evaluate(async () => ({
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      caches: await caches.keys(),
      databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'shop'),
    }));
  await expect.poll(left).toEqual({ workers: 0, caches: [], databases: ['shop'] });
  await reader.goto('/products/spices');
  await expect(reader.getByRole('heading', { level: 1, name: 'Spices' })).toBeVisible();
});

/** With the server's worker, which activates immediately. */
async function takeOver(page: Page): Promise<void> {
  const isInstalled = () =>
    page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => !found?.installing));
  await lookForUpdate(page);
  await expect.poll(isInstalled).toBe(true);
  await untilTakenOver(page);
}

const broken = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith(new Response('broken', { status: 500 })));`;
