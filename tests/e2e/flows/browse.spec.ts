import { expect, test } from '../shop';

test('filters are in the URL, are counted on their chip, and return to the first page', async ({ page }) => {
  await page.goto('/products/savory?page=2');
  await page.getByRole('button', { name: 'Origin' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Casamance, Senegal' }).click();
  await expect(page).toHaveURL(/\?origin=Casamance%2C\+Senegal$/);
  await page.getByRole('menuitemcheckbox', { name: 'Nigeria', exact: true }).click();
  await expect(page).toHaveURL(/\?origin=Casamance%2C\+Senegal,Nigeria$/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Origin 2' })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /^1–\d of \d$/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Origin 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/products\/savory$/);
  await expect(page.getByText('1–10 of 18')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Origin 2' })).toBeVisible();
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
