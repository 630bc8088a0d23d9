/** A cook counts lists without a connection on a phone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { makeList } from '../support/shelf';
import { userOf } from './calls';
import { misfits } from './countingFits';
import { expect, test, visitUntilSaved } from './offlineShop';
import { signIn } from './shop';

test.describe.configure({ mode: 'default' }); // their setup is slow: one after the other

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { width: 390, height: 844 };

let context: BrowserContext;
let page: Page;
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
  const answer = await context.request.get('/api/public/products?size=4');
  const products = ((await answer.json()) as AnswerOf<'listProducts'>).data.products.content;
  const [userId, productIds] = [await userOf(context), products.map(({ id }) => id)];
  listId = await makeList(context.request, { origin: shop.url, userId, productIds, par: 2 });
});
test.afterAll(() => context?.close());

const number = () => page.getByRole('group', { name: 'On hand' }).locator('output');
const key = (name: string) => page.getByRole('button', { name, exact: true });
const countPage = () => `/customer/lists/${listId}/count`;

test('the counting screen has no target under 56 px, digits of 40 px and more, and is accessible', async () => {
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
  await expect(page.getByText(/^Screen (?:stays on|may sleep)$/)).toBeVisible();
});

test('the counting screen fits every window from 480 px of height on, whatever the name of the product', async () => {
  await page.goto(countPage());
  await expect(page.getByText('1 of 4', { exact: true })).toBeVisible();
  const heights = [
    ...Array.from({ length: 37 }, (_, step) => 480 + 10 * step),
    521,
    553,
    601,
    664,
    701,
    761,
    932,
    1000,
  ];
  const phones = [360, 375, 390, 430].flatMap((width) => heights.map((height) => [width, height] as const));
  const others = [
    [320, 500],
    [320, 568],
    [667, 375],
    [844, 390],
    [700, 600],
    [768, 1024],
    [820, 949],
    [820, 950],
    [1024, 799],
    [1024, 800],
    [1024, 480],
    [1024, 600],
    [1024, 768],
    [1366, 650],
    [1440, 900],
  ] as const;
  const found: string[] = [];
  for (const isOff of [false, true]) {
    await context.setOffline(isOff);
    if (isOff) await expect(page.getByText('Saved offline')).toBeVisible();
    for (const size of [...phones, ...others]) found.push(...(await misfits(page, size)));
  }
  await context.setOffline(false);
  await page.setViewportSize(phone);
  expect(found).toEqual([]);
});

test('the names of a list’s products have room for their words at every width', async () => {
  await page.goto(`/customer/lists/${listId}`);
  const names = page.getByRole('rowheader').locator('span');
  for (const width of [320, 390, 768, 1024, 1100, 1280]) {
    await page.setViewportSize({ ...phone, width });
    await expect(names.first()).toBeVisible();
    const lines = await names.evaluateAll((all) =>
      all.map((name) => {
        const text = document.createRange(); // a box for each of its lines
        text.selectNodeContents(name);
        const words = (name.textContent ?? '').split(/[\s-]+/);
        return { name: name.textContent, isBroken: text.getClientRects().length > words.length };
      }),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(
      lines.filter(({ isBroken }) => isBroken),
      `at ${width} px`,
    ).toEqual([]);
  }
  await page.setViewportSize(phone);
});

test('swipes and keys move between products; plus repeats while it is held', async () => {
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
  const plus = await key('Add one').boundingBox();
  await page.mouse.move((plus?.x ?? 0) + 36, (plus?.y ?? 0) + 36);
  await page.mouse.down();
  await expect.poll(async () => Number(await number().textContent())).toBeGreaterThan(3);
  await page.mouse.up();
  await page.keyboard.press('1'); // the pressed button has not taken the keys
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 4', { exact: true })).toBeVisible();
});
