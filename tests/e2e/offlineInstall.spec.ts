import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { expect, test, visitUntilSaved } from './offlineShop';

test.describe.configure({ mode: 'default' }); // their setup is slow: one after the other

/** The shop as an app: the browser's installability check, and the install prompt. */
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

const card = (on: Page) => on.getByRole('region', { name: 'Keep the shop in your kitchen' });

test('the card is absent at the first visit, and shown at the second, beside the content', async () => {
  await offerInstall(page);
  await expect(card(page)).toHaveCount(0);
  await clearFor(page, 40);
  await page.goto('/products/spices');
  await offerInstall(page);
  await expect(card(page)).toBeVisible();
  await expect(card(page).getByRole('button', { name: 'Install' })).not.toBeFocused();
  await page.getByRole('link', { name: 'Ground Cayenne Pepper' }).click(); // the page beneath still works
  await expect(card(page)).toBeVisible();
});

test('it is hidden during payment', async () => {
  await page.evaluate(() => localStorage.setItem('root', '{"id":"x","fullName":"x","role":"ROLE_CUSTOMER"}'));
  await page.route('**/api/**', () => undefined);
  await page.goto('/checkout');
  await offerInstall(page);
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await page.unrouteAll();
  await page.evaluate(() => localStorage.removeItem('root'));
});

test('Install asks the browser, once', async () => {
  await page.goto('/products/spices');
  await offerInstall(page);
  await card(page).getByRole('button', { name: 'Install' }).click();
  await expect(card(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);
});

test('Not now hides it for 30 days', async () => {
  await page.goto('/products/spices');
  await offerInstall(page);
  await card(page).getByRole('button', { name: 'Not now' }).click();
  await expect(card(page)).toHaveCount(0);
  for (const [days, isThere] of [
    [29, false],
    [31, true],
  ] as const) {
    await clearFor(page, days * 24 * 60);
    await page.goto('/products/spices');
    await offerInstall(page);
    await expect(card(page)).toHaveCount(isThere ? 1 : 0);
  }
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

/** The event with which Chromium offers an installation; a headless browser fires none. */
async function offerInstall(page: Page): Promise<void> {
  const built = await readFile('dist/web/.vite/manifest.json', 'utf8');
  const parts = Object.entries(JSON.parse(built) as Record<string, { file: string }>);
  const part = parts.find(([module]) => module.endsWith('/InstallCard.tsx'))?.[1].file ?? 'no such part';
  await page.waitForFunction(
    (file) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(file)),
    part,
  );
  await page.evaluate(() => {
    const prompt = () => {
      Object.assign(window, { asked: Number(Reflect.get(window, 'asked') ?? 0) + 1 });
      return Promise.resolve({ outcome: 'accepted' });
    };
    dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
    // its content is rendered
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))));
  });
}

/** As if the recorded visits had happened that much earlier. */
const clearFor = (page: Page, minutes: number) =>
  page.evaluate((ms) => {
    const visits = JSON.parse(localStorage.getItem('visits') ?? '{}') as { seenAt: number; refusedAt?: number };
    const earlier = (at: number | undefined) => (at === undefined ? undefined : at - ms);
    const next = { ...visits, seenAt: visits.seenAt - ms, refusedAt: earlier(visits.refusedAt) };
    localStorage.setItem('visits', JSON.stringify(next));
  }, minutes * 60_000);
