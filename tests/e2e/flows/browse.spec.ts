import { expect, test } from '../shop';

test('filters say what they would leave, are in the URL, and return to the first page', async ({ page }) => {
  await page.goto('/products/savory?page=2');
  const filters = page.getByRole('button', { name: 'Filters' });
  await filters.click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await dialog.getByText('Mild', { exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Show 5 products' })).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(filters).toBeFocused();
  await expect(page).toHaveURL(/\/products\/savory\?page=2$/);
  await filters.click();
  await dialog.getByText('Senegal', { exact: true }).click();
  await dialog.getByText('Nigeria', { exact: true }).click();
  await dialog.getByRole('button', { name: /^Show \d products$/ }).click();
  await expect(page).toHaveURL(/\?origin=Casamance%2C\+Senegal,Nigeria$/);
  await expect(page.getByRole('button', { name: 'Filters 2' })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /^\d products$/ })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Remove Origin: Senegal, Nigeria' }).click();
  await expect(page).toHaveURL(/\/products\/savory$/);
  await expect(page.getByText('1–10 of 18 products')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Filters 2' })).toBeVisible();
});

test('a list is sorted from a menu, and its order is in the URL', async ({ page }) => {
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Sort: Featured' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Featured' })).toBeChecked();
  await page.getByRole('menuitemradio', { name: 'Name, A to Z' }).click();
  await expect(page).toHaveURL(/\?sort=name$/);
  await expect(page.getByRole('button', { name: 'Sort: Name, A to Z' })).toBeFocused();
  const names = () => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  await expect.poll(async () => (await names())[0]).toBe('Afra Grill Rub');
  expect(await names()).toEqual((await names()).toSorted());
});

test('a search forgives a typo, and leads from its hits to a product and its page of results', async ({ page }) => {
  await page.goto('/products/savory');
  const field = page.getByRole('combobox', { name: 'Search products' });
  await expect(async () => {
    await page.keyboard.press('/'); // until its chunk is loaded, the key does nothing
    await expect(field).toBeVisible({ timeout: 1000 });
  }).toPass();
  await field.fill('cayene');
  await expect(page.getByRole('option').first()).toContainText('Ground Cayenne Pepper');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Ground Cayenne Pepper' })).toBeVisible();
  await expect(page).toHaveTitle(/^Ground Cayenne Pepper/);
  await page.goto('/search?q=cayene');
  await expect(page.getByRole('main').getByRole('link', { name: 'Ground Cayenne Pepper' })).toBeVisible();
});
