/** The owner's pages on a device. Rule: docs/rules/pages.md, On the device */
import type { BrowserContext, Page } from 'playwright/test';
import { change } from './calls';
import { expect, test, visitUntilSaved } from './offlineShop';

test.describe.configure({ mode: 'serial' }); // one device: it visits the shop, then the server is gone

let context: BrowserContext;
let page: Page;
const ids: string[] = [];
const form = (slug: string, title: string, markdown: string) => ({ slug, title, markdown, isPublished: true });

test.beforeAll(async ({ browser, shop, owner }) => {
  await shop.start();
  context = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', storageState: owner });
  page = await context.newPage();
  await page.goto('/contact');
  for (const each of [
    form('returns-offshore', 'Returns offshore', 'Send it **back**.\n\n## How\n\n[Contact us](/contact) first.'),
    form('terms-offshore', 'Terms offshore', 'Be kind.'),
  ]) {
    const { page: made } = await change<'createPage'>(page, 'POST', '/admin/pages', { data: each });
    ids.push(made.id);
  }
  await visitUntilSaved(page);
});
test.afterAll(async ({ shop }) => {
  await shop.start();
  for (const id of ids) await change(page, 'DELETE', `/admin/pages/${id}`).catch(() => undefined);
  await context.close();
});

test('a page that was never opened opens offline from the footer, and its links stay in the app', async ({ shop }) => {
  await shop.kill();
  await page.goto('/contact');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Returns offshore' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Returns offshore' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 2, name: 'How' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Returns offshore' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible();
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
});

test('a changed page and one taken away reach the device at its next contact', async ({ shop }) => {
  await shop.start();
  const [returns = '', terms = ''] = ids;
  await change(page, 'PUT', `/admin/pages/${returns}`, { data: form('returns-offshore', 'Returns', 'Keep it.') });
  await change(page, 'PUT', `/admin/pages/${terms}`, {
    data: { ...form('terms-offshore', 'Terms offshore', 'Be kind.'), isPublished: false },
  });
  await page.goto('/contact');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Returns', exact: true })).toBeVisible();
  await expect(footer.getByRole('link', { name: 'Terms offshore' })).toHaveCount(0);
  const saved = () =>
    page.evaluate(async () => {
      const request = indexedDB.open('shop');
      const database = await new Promise<IDBDatabase>((resolve) => {
        request.addEventListener('success', () => resolve(request.result));
      });
      const row = database.transaction('about').objectStore('about').get('pages');
      const { pages } = await new Promise<{ pages: { html: string }[] }>((resolve) => {
        row.addEventListener('success', () => resolve(row.result as { pages: { html: string }[] }));
      });
      database.close();
      return pages.map(({ html }) => html);
    });
  await expect.poll(saved).toEqual(['<p>Keep it.</p>\n']);
  await shop.kill();
  await page.goto('/pages/returns-offshore');
  await expect(page.getByText('Keep it.')).toBeVisible();
  await page.goto('/pages/terms-offshore');
  await expect(page.getByText("This isn't saved on this device. Check your connection and try again.")).toBeVisible();
});

test('an open page that is taken away says so at once', async ({ shop }) => {
  await shop.start();
  await page.goto('/pages/returns-offshore');
  await expect(page.getByText('Keep it.')).toBeVisible();
  const [returns = ''] = ids;
  await change(page, 'DELETE', `/admin/pages/${returns}`);
  await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Returns', exact: true })).toHaveCount(0);
});
