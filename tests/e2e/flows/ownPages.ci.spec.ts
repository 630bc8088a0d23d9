/** The owner's pages, from the offered text to a visitor without a connection. Rule: docs/rules/pages.md, The list */
import type { Browser, Page } from 'playwright/test';
import { change } from '../calls';
import { expect, test, visitUntilSaved } from '../offlineShop';
import type { AnswerOf } from '../../../src/shared/contract';

type Owner = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

const openOffice = async (browser: Browser, owner: Owner, baseURL: string): Promise<Page> => {
  const context = await browser.newContext({ baseURL, storageState: owner, viewport: { width: 1440, height: 900 } });
  return context.newPage();
};
const idsOf = async (page: Page): Promise<string[]> => {
  const answer = await page.request.get('/api/admin/pages?size=100');
  return ((await answer.json()) as AnswerOf<'listStaffPages'>).data.pages.content.map(({ id }) => id);
};

test('a page starts from an offered text, is filled in, previewed, and published; a visitor reads it, offline too', async ({
  browser,
  owner,
  shop,
  viewport,
}) => {
  await shop.start();
  const office = await openOffice(browser, owner, shop.url);
  const visitors = await browser.newContext({ baseURL: shop.url, serviceWorkers: 'allow', viewport });
  const visitor = await visitors.newPage();
  await office.goto('/admin/pages');
  const before = await idsOf(office);
  try {
    await office.getByRole('link', { name: 'Use text: Privacy' }).click();
    const text = office.getByLabel('Text', { exact: true });
    const next = office.getByRole('button', { name: 'Next blank' });
    await office.getByRole('switch', { name: 'Published' }).click();
    await expect(office.getByText(/^Fill in \[your business name\]/)).toBeVisible();
    while (await next.isVisible()) {
      await next.click();
      await office.keyboard.insertText('Kerr Tools');
    }
    await expect(office.getByText(/^Fill in /)).toHaveCount(0);
    await text.press('Control+Home');
    await text.press('Shift+Control+ArrowRight');
    await text.press('Shift+Tab'); // to the formatting buttons
    await expect(office.getByRole('button', { name: 'Heading' })).toBeFocused();
    await office.keyboard.press('ArrowRight');
    await office.keyboard.press('Enter');
    await expect(text).toHaveValue(/^\*\*This\*\* page says/);
    const preview = office.getByRole('region', { name: 'Preview' });
    await expect(preview.locator('strong')).toHaveText('This');
    await expect(preview.getByRole('heading', { name: 'What we store' })).toBeVisible();
    await text.press('Control+z');
    await expect(text).toHaveValue(/^This page says/);
    await office.getByRole('button', { name: 'Save' }).click();
    await expect(office.getByText('Page added')).toBeVisible();
    await expect(office.getByRole('row', { name: /Privacy/ })).toContainText('Published');

    await visitUntilSaved(visitor);
    const footer = visitor.getByRole('contentinfo');
    await expect(footer.getByRole('link', { name: 'Privacy' })).toBeVisible();
    await shop.kill();
    await visitor.goto('/contact');
    await footer.getByRole('link', { name: 'Privacy' }).click();
    await expect(visitor.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
    await expect(visitor.getByText(/We are Kerr Tools, Kerr Tools\./)).toBeVisible();
  } finally {
    await shop.start();
    for (const id of await idsOf(office))
      if (!before.includes(id)) await change(office, 'DELETE', `/admin/pages/${id}`);
    await office.context().close();
    await visitors.close();
  }
});

test('two of the staff edit a page: the second is told, sees both texts, and loses nothing', async ({
  browser,
  owner,
  shop,
}) => {
  await shop.start();
  const [first, second] = [await openOffice(browser, owner, shop.url), await openOffice(browser, owner, shop.url)];
  await first.goto('/admin/pages');
  const data = { slug: 'two-editors', title: 'Two editors', markdown: 'One.\n\nTwo.\n\nThree.', isPublished: false };
  const { page } = await change<'createPage'>(first, 'POST', '/admin/pages', { data });
  const text = (tab: Page) => tab.getByLabel('Text', { exact: true });
  const save = (tab: Page) => tab.getByRole('button', { name: 'Save' }).click();
  try {
    for (const tab of [first, second]) {
      await tab.goto(`/admin/pages/${page.id}`);
      await expect(text(tab)).toHaveValue(data.markdown);
    }
    await text(first).fill('One.\n\nTwo by the first.\n\nThree.');
    await save(first);
    await expect(first.getByText('Page saved')).toBeVisible();
    await text(second).fill('One.\n\nTwo by the second.\n\nThree.');
    await save(second);
    await expect(second.getByRole('heading', { name: 'This page was changed after you opened it' })).toBeFocused();
    const choice = second.getByRole('group', { name: 'Text' });
    await expect(choice.getByRole('radio', { name: /^Yours/ })).toBeChecked();
    await choice.getByRole('radio', { name: /^In the shop now/ }).check();
    await expect(text(second)).toHaveValue('One.\n\nTwo by the first.\n\nThree.');
    await choice.getByRole('radio', { name: /^Yours/ }).check();
    await save(second);
    await expect(second.getByText('Page saved')).toBeVisible();
    const now = await second.request.get(`/api/admin/pages/${page.id}`);
    const saved = ((await now.json()) as AnswerOf<'getStaffPage'>).data.page;
    expect(saved.markdown).toBe('One.\n\nTwo by the second.\n\nThree.');
  } finally {
    await change(first, 'DELETE', `/admin/pages/${page.id}`);
    for (const tab of [first, second]) await tab.context().close();
  }
});
