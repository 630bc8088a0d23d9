/** The catalog's back office on a desktop: two users who change the same product, and a product file. */
import { readFile } from 'node:fs/promises';
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

test('a CSV file shows what its rows would do, and its right rows become products', async ({ page, browser, shop }) => {
  await page.goto('/products');
  await page.getByRole('link', { name: 'Import CSV' }).click();
  await expect(page.getByRole('heading', { name: 'Import products' })).toBeFocused();
  await giveFile(
    page,
    'name,description,price,availability,quantity,category',
    '"Baobab, ground",Sour and light,4.50,true,12,spices',
    'Kinkeliba,Leaves,four dollars,true,12,spices',
  );
  await expect(page.getByRole('heading', { name: 'Preview' })).toBeFocused();
  await expect(page.getByText('Cell C3, price: Enter a price, such as 4.50')).toBeVisible();
  await page.getByRole('link', { name: 'New 1' }).click();
  await expect(page.getByRole('row', { name: /Baobab, ground/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import the 1 right rows' }).click();
  await expect(page.getByRole('heading', { name: '1 row imported' })).toBeFocused();
  await page.reload();
  await expect(page.getByText(/^1 new, 0 changed, 0 unchanged, 1 with errors/)).toBeVisible();

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

test('the sample file can be imported, and the same file again changes nothing', async ({ page }) => {
  await page.goto('/admin/products/import');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download sample file' }).click();
  const sample = await (await download).path();
  await page.getByLabel('CSV file', { exact: true }).setInputFiles(sample);
  await page.getByRole('button', { name: 'Import 3 rows' }).click();
  await expect(page.getByRole('heading', { name: '3 rows imported' })).toBeVisible();
  await page.getByRole('link', { name: 'Import another file' }).click();
  await page.getByLabel('CSV file', { exact: true }).setInputFiles(sample);
  await expect(page.getByText('Nothing to import: your shop has all of this already.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Unchanged 3' })).toHaveAttribute('aria-current', 'page');
});

test('an own list is matched on a phone, imported, and undone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/products/import');
  await giveFile(page, 'Ware;Betrag;Regal', 'Bissap in a bag;3,25;A4');
  await page.getByLabel('What Ware is').selectOption('Name (required)');
  await page.getByLabel('What Betrag is').selectOption('Price (required)');
  await page.getByRole('button', { name: 'Review rows' }).click();
  await expect(page.getByText('This adds a new category: Imported.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('heading', { name: '1 row imported' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByRole('heading', { name: 'Import undone' })).toBeVisible();
});

test('a Shopify export becomes products with sizes, and its errors can be saved', async ({ page }) => {
  await page.goto('/admin/products/import');
  await giveFile(
    page,
    'Handle,Title,Body (HTML),Vendor,Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Image Src,Status',
    'bush-okra,Bush okra,<p>Dried &amp; ground.</p>,Mill,Whole Spices,true,Size,2 oz,BO-2,57,40,4.95,,active',
    'bush-okra,,,,,,,1 lb,BO-16,454,10,19.95,,',
    'gift-box,Gift box,,Mill,Whole Spices,true,Title,Default Title,,,5,ask us,,active',
  );
  await expect(page.getByText('Shopify export.')).toBeVisible();
  await expect(page.getByText(/Cell L4, Variant Price: Enter a price/)).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Rows with errors' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(
    /^\uFEFFline,product,column,cell,error\n4,Gift box,/,
  );
  await page.getByRole('link', { name: 'New 2' }).click();
  await expect(page.getByRole('row', { name: /Bush okra, 1 lb/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import the 2 right rows' }).click();
  await expect(page.getByRole('heading', { name: '2 rows imported' })).toBeVisible();
  await page.getByRole('link', { name: 'Bush okra, 2 oz' }).click();
  await expect(page.getByRole('heading', { name: 'Bush okra' })).toBeVisible();
  await page.goto('/admin/audit');
  await page
    .getByRole('row', { name: /Imported 2 products: 2 new/ })
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { name: '2 rows imported' })).toBeVisible();
});

const giveFile = (page: Page, ...lines: string[]) =>
  page.getByLabel('CSV file', { exact: true }).setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });
