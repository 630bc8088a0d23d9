import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { dumpDevice } from '../support/deviceDump';
import { expect, test, visitUntilSaved } from './offlineShop';
import { login, makeAccount } from './shop';

test('without Remember me nothing of the user is shown or stored once the browser was closed, except the sealed outbox', async ({
  shop,
}, { project }) => {
  await shop.start();
  const profile = await mkdtemp(path.join(tmpdir(), 'shop-profile-'));
  const openBrowser = () =>
    chromium.launchPersistentContext(profile, {
      ...project.use.launchOptions,
      baseURL: shop.url,
      viewport: { width: 390, height: 844 },
    });
  let context = await openBrowser();
  let page = await context.newPage();
  const account = await makeAccount(page, 'Awa Ceesay');
  await page.goto('/login');
  await page.getByLabel('Remember me').uncheck();
  await login(page, account);
  await expect(page).toHaveURL(/\/cart$/);
  await visitUntilSaved(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByText('Item added to cart successfully')).toBeVisible(); // the shop has it: it no longer waits here
  await page.goto('/customer/view/profile');
  await expect(page.getByText(account.email).first()).toBeVisible();
  const personal = [account.fullName, account.email, 'answers:', 'orders:'];
  await expect.poll(() => keptOf(personal, page)).toEqual(personal);

  // another tab, and a reload, are in the same browser session
  const other = await context.newPage();
  await shop.kill();
  await other.goto('/cart');
  await expect(other.getByRole('row', { name: /Afra Grill Rub/ })).toBeVisible();
  await other.getByRole('button', { name: 'Increase' }).click();
  await expect(other.getByText("Saved. We'll sync it when you're back online.").first()).toBeVisible();
  await context.close();

  context = await openBrowser();
  page = await context.newPage();
  await page.goto('/cart');
  await expect(page).toHaveURL(/\/login/);
  await expect(
    page.getByText('1 unsent change is saved on this device until its account logs in again.'),
  ).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/Awa|Afra/);
  await expect.poll(() => keptOf(personal, page)).toEqual([]);
  expect(await outboxOn(page)).toMatchObject([{ operation: 'updateCartItem', state: 'waiting' }]);

  await shop.start();
  await page.reload();
  await login(page, account);
  await expect(page.getByRole('group', { name: 'Quantity of Afra Grill Rub' }).getByRole('status')).toHaveText('2');
  await expect.poll(() => outboxOn(page)).toEqual([]);
  await close(context, profile);
});

async function close(context: BrowserContext, profile: string): Promise<void> {
  await context.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 20 });
}

type Dump = Awaited<ReturnType<typeof dumpDevice>>;
const dumpOf = (page: Page) => page.evaluate(`(${dumpDevice.toString()})()`) as Promise<Dump>;
const isOutbox = ({ name }: { name: string }) => name === 'outbox';

/** @returns the words found anywhere on the device except in the outbox */
async function keptOf(words: readonly string[], page: Page): Promise<string[]> {
  const { databases, ...storages } = await dumpOf(page);
  const stores = databases.flatMap(({ stores: all }) => all).filter((store) => !isOutbox(store));
  const text = JSON.stringify([stores, storages]);
  return words.filter((word) => text.includes(word));
}

async function outboxOn(page: Page): Promise<unknown[]> {
  const { databases } = await dumpOf(page);
  return databases
    .flatMap(({ stores }) => stores.filter(isOutbox))
    .flatMap(({ rows }) => rows.map(({ value }) => value));
}
