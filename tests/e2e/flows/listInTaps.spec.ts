import type { Locator } from 'playwright/test';
import { listOf } from '../calls';
import { expect, signIn, test } from '../shop';

const wanted = 12;
const mostTaps = 15;

test(`a list of ${wanted} products takes at most ${mostTaps} taps, and no typing but its name`, async ({
  page,
  context,
}) => {
  await signIn(page);
  await page.goto('/customer/lists');
  let taps = 0;
  const tap = async (target: Locator) => {
    await target.tap();
    taps += 1;
  };
  await tap(page.getByRole('button', { name: 'New list' }));
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Weekly kitchen');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Weekly kitchen' })).toBeVisible();
  await tap(page.getByRole('button', { name: 'Add products' }));
  const drawer = page.getByRole('dialog');
  const boxes = drawer.getByRole('checkbox');
  await expect(boxes.first()).toBeVisible();
  await expect(drawer.getByRole('searchbox')).not.toBeFocused(); // a phone's keyboard would cover the products
  const rows = drawer.locator('label');
  for (let place = 0; place < wanted; place += 1) await tap(rows.nth(place));
  await expect(drawer.getByText(`${wanted} selected`)).toBeVisible();
  await tap(drawer.getByRole('button', { name: `Add ${wanted} products` }));
  await expect(page.getByRole('spinbutton', { name: /^Par for / })).toHaveCount(wanted);
  await expect(page.getByRole('button', { name: `All ${wanted}` })).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await listOf(context, 'Weekly kitchen'))?.items.length).toBe(wanted);
  expect(taps).toBeLessThanOrEqual(mostTaps);
});

test('products are found by name, and a whole category is ticked at once, without a connection too', async ({
  page,
  context,
  watch,
}) => {
  watch.expected.push(/ERR_INTERNET_DISCONNECTED/);
  await signIn(page);
  await page.goto('/customer/lists');
  await page.getByRole('button', { name: 'New list' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bar');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bar' })).toBeVisible();
  await page.getByRole('button', { name: 'Add products' }).click();
  const drawer = page.getByRole('dialog');
  const filter = drawer.getByRole('searchbox', { name: 'Filter by name' });
  await filter.fill('zzz');
  await expect(drawer.getByText('No matches for "zzz".')).toBeVisible();
  await filter.fill('pepper');
  await drawer.getByRole('button', { name: 'Select all: Spices' }).click();
  const ticked = await drawer.getByRole('checkbox', { checked: true }).count();
  expect(ticked).toBeGreaterThan(1);
  await context.setOffline(true);
  await drawer.getByRole('button', { name: `Add ${ticked} products` }).click();
  await expect(page.getByRole('spinbutton', { name: /^Par for / })).toHaveCount(ticked);
  await context.setOffline(false);
  await expect.poll(async () => (await listOf(context, 'Bar'))?.items.length).toBe(ticked);
  await page.getByRole('button', { name: 'Add products' }).click();
  await expect(drawer.getByText('On this list')).toHaveCount(ticked);
});
