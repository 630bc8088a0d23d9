import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { expect, test, visitUntilSaved } from './offlineShop';
import { ownBrand, withOwnBrand } from './ownBrand';
import { signIn, untilAlive } from './shop';

test.describe.configure({ mode: 'default' }); // their setup is slow: one after the other

/** The shop as an app: the browser's installability check, and the offer. */
let profile: string;
let context: BrowserContext;
let page: Page;
test.beforeAll(async ({ shop }, { project }) => {
  await shop.start();
  profile = await mkdtemp(path.join(tmpdir(), 'shop-profile-'));
  // a separate profile: nothing can be installed from a private window
  context = await chromium.launchPersistentContext(profile, {
    ...project.use.launchOptions,
    baseURL: shop.url,
    viewport: { width: 390, height: 844 },
  });
  page = await context.newPage();
  await signIn(page);
  await visitUntilSaved(page);
});
test.afterAll(async () => {
  await context.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 20 });
});

test('the browser considers the shop installable, and finds no error in its manifest', async () => {
  const debug = await context.newCDPSession(page);
  expect(await debug.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
  const { errors, url } = await debug.send('Page.getAppManifest');
  expect([errors, new URL(url).pathname]).toEqual([[], '/manifest.webmanifest']);
});

test('with another name and logo it is the same app, whose icons are made from the logo', async ({
  browser,
  owner,
  shop,
}) => {
  const debug = await context.newCDPSession(page);
  const { appId } = await debug.send('Page.getAppId');
  await withOwnBrand(browser, owner, shop.url, async () => {
    await page.goto('/');
    expect((await debug.send('Page.getAppId')).appId).toBe(appId);
    expect(await debug.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
    const { errors, data = '' } = await debug.send('Page.getAppManifest');
    const { name, icons } = JSON.parse(data) as { name: string; icons: { src: string; sizes: string }[] };
    expect([errors, name]).toEqual([[], ownBrand.shopName]);
    for (const { src, sizes } of icons) {
      expect(src).toMatch(/^\/pictures\/[0-9a-f]{32}-/);
      const size = await page.evaluate(async (url) => {
        const image = Object.assign(new Image(), { src: url });
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
  });
  await page.goto('/');
  expect((await debug.send('Page.getAppId')).appId).toBe(appId);
});

const offer = (on: Page) => on.getByRole('region', { name: /^Keep the shop on your/ });

test('My lists offers it in the flow of the page; Install asks the browser, once', async () => {
  await openLists();
  await expect(offer(page)).toHaveCount(0); // the browser has not said that it can
  await offerInstall();
  await expect(offer(page)).toBeVisible();
  await expect(offer(page).getByRole('button', { name: 'Install' })).not.toBeFocused();
  expect(await offer(page).evaluate((each) => getComputedStyle(each).position)).toBe('static');
  await offer(page).getByRole('button', { name: 'Install' }).click();
  await expect(offer(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);
});

test('no other page offers it, and Not now is for good', async () => {
  await page.goto('/products/spices');
  await untilAlive(page);
  await offerInstall();
  await expect(page.getByRole('link', { name: 'Ground Cayenne Pepper' })).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
  await openLists();
  await offerInstall();
  await offer(page).getByRole('button', { name: 'Not now' }).click();
  await expect(offer(page)).toHaveCount(0);
  await openLists();
  await offerInstall();
  await expect(offer(page)).toHaveCount(0);
});

test('the browser is asked for persistent storage once the shop is installed', async () => {
  await page.evaluate(() => {
    navigator.storage.persisted = () => Promise.resolve(false);
    navigator.storage.persist = () => {
      Object.assign(window, { wantsToStay: true });
      return Promise.resolve(true);
    };
    dispatchEvent(new Event('appinstalled'));
  });
  await expect.poll(() => page.evaluate(() => 'wantsToStay' in window)).toBe(true);
});

async function openLists(): Promise<void> {
  await page.goto('/customer/lists');
  await expect(page.getByRole('button', { name: 'New list' })).toBeVisible();
}

/** The event with which Chromium offers an installation; a headless browser fires none. */
const offerInstall = () =>
  page.evaluate(() => {
    const prompt = () => {
      Object.assign(window, { asked: Number(Reflect.get(window, 'asked') ?? 0) + 1 });
      return Promise.resolve({ outcome: 'accepted' });
    };
    dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
    // its content is rendered
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))));
  });
