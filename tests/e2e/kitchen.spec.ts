/** A cook counts lists without a connection on a phone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright/test';
import type { AnswerOf, Schema } from '../../src/shared/contract';
import { expect, test, visitUntilSaved } from './offlineShop';
import { signIn } from './shop';

test.describe.configure({ mode: 'serial' }); // each goes on where the one before left

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { width: 390, height: 844 };

let context: BrowserContext;
let page: Page;
let userId: string;
let listId: string;
test.beforeAll(async ({ browser, shop }) => {
  await shop.start();
  context = await browser.newContext({
    baseURL: shop.url,
    serviceWorkers: 'allow',
    viewport: phone,
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  page = await context.newPage();
  await signIn(page);
  await visitUntilSaved(page);
  userId = await page.evaluate(() => (JSON.parse(localStorage.getItem('root') ?? '{}') as { id: string }).id);
});
test.afterAll(() => context?.close());

/** What the server has, asked beside the app with its cookie. */
async function serverList(): Promise<Schema<'ProductList'> | undefined> {
  const answer = await context.request.get(`/api/public/lists/${userId}`);
  return ((await answer.json()) as AnswerOf<'listLists'>).data.lists.find(({ id }) => id === listId);
}
const number = () => page.getByRole('group', { name: 'On hand' }).locator('output');
const key = (name: string) => page.getByRole('button', { name, exact: true });
const countPage = () => `/customer/lists/${listId}/count`;

test('a list is made and renamed', async () => {
  await page.goto('/customer/lists');
  await page.getByRole('button', { name: 'New list' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Dry');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dry' })).toBeVisible(); // its card has one too, and goes
  await page.getByRole('button', { name: 'Menu of Dry' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Weekly kitchen');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Weekly kitchen' })).toBeVisible();
  listId = page.url().split('/').at(-1) ?? '';
  await expect.poll(async () => (await serverList())?.name).toBe('Weekly kitchen');
});

test('products are put on it by the keyboard alone, with their pars', async () => {
  await page.goto(`/customer/lists/${listId}`);
  await page.getByRole('button', { name: 'Add product' }).first().focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('dialog').getByRole('combobox');
  const names = ['Cumin Seeds', 'Bay Leaves', 'Whole Nutmeg', 'Afra Grill Rub'];
  for (const name of names) {
    await field.fill(name);
    await expect(page.getByRole('option').first()).toContainText(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option').first()).toContainText('On this list');
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('spinbutton', { name: 'Par of Cumin Seeds' }).focus();
  for (const par of ['2', '3', '2', '4']) {
    await page.keyboard.type(par);
    await page.keyboard.press('Enter');
  }
  await expect.poll(async () => (await serverList())?.items.map(({ par }) => par)).toEqual([2, 3, 2, 4]);
});

test('the screen for counting has nothing under 56 px, figures of 40 px and more, and nothing in the way of anybody', async () => {
  await page.goto(countPage());
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();
  const small = await page.getByRole('button').evaluateAll((buttons) =>
    buttons
      .map((button) => ({
        name: button.getAttribute('aria-label') ?? button.textContent,
        box: button.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width < 56 || box.height < 56)
      .map(({ name, box }) => `${name} ${box.width} x ${box.height}`),
  );
  expect(small).toEqual([]);
  const size = await number().evaluate((output) => Number.parseFloat(getComputedStyle(output).fontSize));
  expect(size).toBeGreaterThanOrEqual(40);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(phone.height);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axeScript);
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof Axe };
      return (await axe.run(document, { resultTypes: ['violations'] })).violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
      );
    });
    expect(found).toEqual([]);
  }
  await expect(page.getByText(/^(?:Screen stays on|This browser lets the screen sleep)$/)).toBeVisible();
});

test('a swipe and the keys go from product to product; plus goes on while it is held', async () => {
  await page.goto(countPage());
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();
  const name = await page.getByRole('heading', { level: 1 }).boundingBox();
  const [x, y] = [(name?.x ?? 0) + 10, (name?.y ?? 0) - 60];
  await page.mouse.move(x + 200, y);
  await page.mouse.down();
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText('2 of 4', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();
  const plus = await key('One more').boundingBox();
  await page.mouse.move((plus?.x ?? 0) + 36, (plus?.y ?? 0) + 36);
  await page.mouse.down();
  await expect.poll(async () => Number(await number().textContent())).toBeGreaterThan(3);
  await page.mouse.up();
  await page.keyboard.press('1'); // the pressed button has not taken the keys
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 4', { exact: true })).toBeVisible();
});
