/** The catalog's back office on a desktop: two users who change the same product, and a product file. */
import type { Page } from 'playwright/test';
import { makeProduct } from '../calls';
import { expect, openEmptyPage, test } from '../shop';

test.use({ viewport: { width: 1440, height: 900 }, storageState: ({ owner }, provide) => provide(owner) });

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const price = (page: Page) => page.getByLabel('Price', { exact: true });

test('a user who saves a product that a colleague changed meanwhile sees both values, and chooses', async ({
  page,
  browser,
  owner,
  viewport,
  watch,
}) => {
  watch.expected.push(/409 \(Conflict\)/); // of the rejected save
  await openEmptyPage(page);
  const id = await makeProduct(page, { name: 'Pepper of two', price: '4.50' });
  const office = await browser.newContext({ storageState: owner, viewport });
  const colleague = await office.newPage();
  for (const each of [page, colleague]) {
    await each.goto(`/update/product/${id}`);
    await expect(price(each)).toHaveValue('4.50');
  }
  await price(colleague).fill('6.00');
  await colleague.getByLabel('Origin').fill('Ghana');
  await saveButton(colleague).click();
  await expect(colleague.getByText('Product updated')).toBeVisible();
  await office.close();

  await page.getByLabel('Name', { exact: true }).fill('Black pepper of two');
  await price(page).fill('5.00');
  await saveButton(page).click();
  const question = page
    .getByRole('alert')
    .filter({ hasText: 'Someone changed this product while you were editing it' });
  const prices = question.getByRole('group', { name: 'Price', exact: true });
  await expect(prices.getByRole('radio', { name: 'Yours $5.00' })).toBeChecked();
  await prices.getByText('$6.00').click();
  await saveButton(page).click();
  await expect(page.getByText('Product updated')).toBeVisible();
  await page.goto(`/update/product/${id}`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Black pepper of two');
  await expect(price(page)).toHaveValue('6.00');
  await expect(page.getByLabel('Origin')).toHaveValue('Ghana');
});

test('a CSV file shows what its rows would do, and a file without an error imports its products', async ({
  page,
  browser,
  shop,
}) => {
  await page.goto('/products');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import CSV' });
  const give = (...rows: string[]) =>
    dialog.getByLabel('CSV file').setInputFiles({
      name: 'products.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['name,description,price,availability,quantity,category', ...rows].join('\r\n')),
    });
  const good = '"Baobab, ground",Sour and light,4.50,true,12,spices';
  await give(good, 'Kinkeliba,Leaves,four dollars,true,12,spices');
  await expect(dialog.getByText('1 new, 0 changed, 0 unchanged, 1 with errors')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Import/ })).toBeDisabled();
  await give(good, 'Kinkeliba,Leaves,3.25,true,12,spices');
  await expect(dialog.getByText('2 new, 0 changed, 0 unchanged, 0 with errors')).toBeVisible();
  await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(page.getByText('Products imported')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  const shopper = await browser.newPage({
    baseURL: shop.url,
    serviceWorkers: 'block',
    storageState: { cookies: [], origins: [] },
  });
  await shopper.goto('/search?q=baobab%20ground');
  await expect(shopper.getByRole('main').getByRole('link', { name: 'Baobab, ground' })).toBeVisible();
  await expect(shopper.getByRole('main')).toContainText('$4.50');
  await shopper.close();
});
