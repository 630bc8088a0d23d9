import { serverCart } from '../calls';
import { misfits } from '../countingFits';
import { expect, signIn, test } from '../shop';

test.use({ viewport: { width: 390, height: 664 } });

test('a cook creates a list, counts it, and orders up to par', async ({ page, context }) => {
  await signIn(page);
  await page.goto('/customer/lists');
  await page.getByRole('button', { name: 'New list' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Dry');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dry' })).toBeVisible(); // its card has one too, which disappears
  await page.getByRole('button', { name: 'Menu of Dry' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Weekly kitchen');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Weekly kitchen' })).toBeVisible();

  await page.getByRole('button', { name: 'Add product' }).first().focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('dialog').getByRole('combobox');
  for (const name of ['Cumin Seeds', 'Bay Leaves']) {
    await field.fill(name);
    await expect(page.getByRole('option').first()).toContainText(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option').first()).toContainText('On this list');
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('spinbutton', { name: 'Par of Cumin Seeds' }).focus();
  for (const par of ['4', '9']) {
    await page.keyboard.type(par);
    await page.keyboard.press('Enter');
  }

  await page.getByRole('link', { name: 'Count' }).click();
  const key = (name: string) => page.getByRole('button', { name, exact: true });
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible();
  for (const size of [
    [375, 553],
    [390, 640],
    [390, 664],
  ] as const)
    expect(await misfits(page, size)).toEqual([]);
  for (const [place, next] of ['Next', 'Done'].entries()) {
    await expect(page.getByText(`${place + 1} of 2`, { exact: true })).toBeVisible();
    await expect(key(next)).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(664);
    await key('3').click();
    await expect(page.getByRole('group', { name: 'On hand' }).locator('output')).toHaveText('3');
    await key(next).click();
  }
  await page.getByRole('button', { name: 'Order to par' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add 2 products to cart' }).click();
  await expect.poll(() => serverCart(context)).toEqual({ 'Cumin Seeds': 1, 'Bay Leaves': 6 });
});
