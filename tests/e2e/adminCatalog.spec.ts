/** The catalog's back office in a real browser: what an owner creates there, a shopper sees. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { change, makeProduct } from './calls';
import { expect, test, untilAlive } from './shop';

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function expectNoViolations(page: Page): Promise<void> {
  await page.evaluate(axeScript);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof Axe };
    return (await axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => [
      id,
      nodes[0]?.html,
    ]);
  });
  expect(violations).toEqual([]);
}

const picture = 'public/app-icon-192.png';

test('an owner creates a category and a product with a picture, and a shopper sees it', async ({
  browser,
  owner,
  page: shopper,
}, { project }) => {
  const office = await browser.newContext({ storageState: owner });
  const page = await office.newPage();
  const category = `leaves-${project.name}`;

  await page.goto('/product/category');
  await page.getByRole('link', { name: 'Add Product Category' }).click();
  await page.getByLabel('Name').fill(category);
  await page.getByLabel('Description').fill('Leaves sold whole.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Category created')).toBeVisible();

  await page.goto('/new/product');
  await page.getByLabel('Name', { exact: true }).fill('Baobab leaf');
  await page.getByLabel('Price', { exact: true }).fill('4.50');
  await page.getByLabel('Quantity', { exact: true }).fill('12');
  await page.getByLabel('Category', { exact: true }).selectOption(category);
  await page.getByLabel('Description').fill('Dried in the shade.');
  await page.getByLabel('Photo file').setInputFiles(picture);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Product created')).toBeVisible();
  await page.waitForURL(/\/view\/product\//);
  // its sizes are processed after the response; the page polls until they are ready
  await expect(page.getByRole('main').locator('picture img')).toBeVisible({ timeout: 120_000 });

  await shopper.goto(`/products/${category}`);
  await expect(shopper.getByRole('heading', { name: 'Baobab leaf' })).toBeVisible();
  await expect(shopper.getByRole('main').locator('img[src^="/pictures/"]').first()).toBeVisible();

  await page.getByRole('button', { name: 'Delete Product' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Product deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).focus(); // it stays while it has the focus
  await shopper.reload();
  await expect(shopper.getByRole('heading', { name: 'Baobab leaf' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Product restored')).toBeVisible();
  await office.close();
});

test('staff add three photos, order them by keys, and the product’s page shows them', async ({
  browser,
  owner,
  page: shopper,
}, { project }) => {
  const office = await browser.newContext({ storageState: owner });
  const page = await office.newPage();
  await page.goto('/new/product');
  await page.getByLabel('Name', { exact: true }).fill(`Grains of Selim ${project.name}`);
  await page.getByLabel('Price', { exact: true }).fill('6.50');
  await page.getByLabel('Quantity', { exact: true }).fill('12');
  await page.getByLabel('Category', { exact: true }).selectOption('spices');
  await page.getByLabel('Description', { exact: true }).fill('Smoked pods.');
  await page.getByLabel('Photo file').setInputFiles([picture, 'public/app-icon-512.png', 'public/app-icon-180.png']);
  await expect(page.getByText('3 of 10')).toBeVisible();
  await page.getByLabel('Description of photo 3').fill('The pods, close up');
  await page.getByRole('button', { name: 'Move photo 3', exact: true }).press('ArrowLeft');
  await page.getByRole('button', { name: 'Move photo 2', exact: true }).press('ArrowLeft');
  await expect(page.getByRole('button', { name: 'Move photo 1', exact: true })).toBeFocused();
  await expect(page.getByLabel('Description of photo 1')).toHaveValue('The pods, close up');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/view\/product\//);
  await expect(page.getByText('Processing your photo')).toHaveCount(0, { timeout: 120_000 });

  const id = page.url().split('/').pop();
  await shopper.goto(`/customer/view/product/${id}`);
  const strip = shopper.getByRole('region', { name: 'Photo 1 of 3' });
  await expect(strip.locator('img')).toHaveCount(3);
  await expect(strip.locator('img').first()).toHaveAttribute('alt', 'The pods, close up');
  await untilAlive(shopper);
  await expectNoViolations(shopper);
  const heading = shopper.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await strip.press('ArrowRight');
  const second = shopper.getByRole('region', { name: 'Photo 2 of 3' });
  await expect(second.locator('img').nth(1)).toBeInViewport();
  await expect.poll(() => second.evaluate(({ scrollLeft, clientWidth }) => scrollLeft / clientWidth)).toBe(1);
  expect(await heading.boundingBox()).toEqual(before);
  await office.close();
});

test('the list of products works by keyboard alone', async ({ browser, owner }) => {
  const office = await browser.newContext({ storageState: owner });
  const page = await office.newPage();
  await page.goto('/products?size=25');
  const menu = page.getByRole('button', { name: 'More actions for Afra Grill Rub' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'View Product' })).toBeVisible();
  await expect(page.getByRole('menu')).toBeFocused(); // a frame later: a faster Escape would be followed by this focus
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'View Product' })).toBeHidden();
  await expect(menu).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Edit Product' })).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/update\/product\//);
  await expect(page.getByRole('heading', { name: 'Edit Product' })).toBeFocused();
  await page.goBack();
  await expect(menu).toBeVisible();
  await office.close();
});

test('an owner changes the sizes of a product and adds one by keys, with one Save', async ({ browser, owner }) => {
  const office = await browser.newContext({ storageState: owner });
  const page = await office.newPage();
  await page.goto('/products');
  const small = await makeProduct(page, { name: 'Rub by keys', price: '7.95' });
  await page.goto(`/update/product/${small}`);
  await page.getByLabel('Net weight').fill('2 oz');
  await page.getByRole('button', { name: 'Add size' }).press('Enter');
  await expect(page.getByLabel('Size of the new size')).toBeFocused();
  await page.keyboard.type('8 oz');
  for (let field = 0; field < 3; field += 1) await page.keyboard.press('Tab');
  await page.keyboard.type('$26.50');
  for (let field = 0; field < 3; field += 1) await page.keyboard.press('Tab');
  await page.keyboard.type('4');
  await expect(page.getByText('2 sizes, 24 in stock')).toBeVisible();
  await office.setOffline(true);
  await page.getByLabel('Price of 2 oz', { exact: true }).fill('8.25');
  await office.setOffline(false);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 }); // a table, then cards
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/view\/product\//);
  await page.goto(`/update/product/${small}`);
  await expect(page.getByLabel('Price of 2 oz', { exact: true })).toHaveValue('8.25');
  await expect(page.getByLabel('Price of 8 oz', { exact: true })).toHaveValue('26.50');
  await office.close();
});

test('a Save whose middle size a colleague changed saves nothing, loses nothing, and says what to do', async ({
  browser,
  owner,
}) => {
  const office = await browser.newContext({ storageState: owner });
  const page = await office.newPage();
  await page.goto('/products');
  const prices = ['7.95', '26.50', '48.00'];
  const [small = '', bag = '', pound = ''] = await Promise.all(
    prices.map((price, index) => makeProduct(page, { name: `Rub of three ${index}`, price })),
  );
  for (const id of [bag, pound])
    await change(page, 'PUT', `/admin/products/${id}/size-of`, { data: { sizeOf: small } });
  const priceOf = (index: number) =>
    page.getByLabel(`Price of ${['this product', 'Rub of three 1', 'Rub of three 2'][index]}`, { exact: true });
  const pricesNow = async () => {
    const answer = await page.request.get(`/api/admin/products/${small}`);
    const { product } = ((await answer.json()) as AnswerOf<'getProductForStaff'>).data;
    return product.sizes?.map(({ price }) => price);
  };
  const saveBar = page.getByText(/unsaved change/);

  await page.goto(`/update/product/${small}`);
  await expect(page.getByRole('button', { name: 'Save' })).not.toBeInViewport();
  for (const [index, price] of ['8.25', '27.95', '49.50'].entries()) await priceOf(index).fill(price);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(saveBar).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
  await change(page, 'PUT', `/admin/products/update/${bag}`, {
    multipart: { ...(await formOf(page, bag)), price: '25.00' },
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText(/^Someone changed Rub of three 1 .* then save again\.$/);
  await expect(page.getByText('Now $25.00, yours is $27.95')).toBeInViewport();
  await expect(priceOf(1)).toBeFocused();
  await expect(priceOf(1)).toBeInViewport();
  for (const [index, price] of ['8.25', '27.95', '49.50'].entries()) await expect(priceOf(index)).toHaveValue(price);
  expect(await pricesNow()).toEqual([7.95, 25, 48]);
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/view\/product\//);
  expect(await pricesNow()).toEqual([8.25, 27.95, 49.5]);
  for (const id of [small, bag, pound]) await change(page, 'DELETE', `/admin/products/${id}`);
  await office.close();
});

/** What a colleague's form sends. */
async function formOf(page: Page, id: string) {
  const answer = await page.request.get(`/api/admin/products/${id}`);
  const { product } = ((await answer.json()) as AnswerOf<'getProductForStaff'>).data;
  const { name, description, quantity, productCategory } = product;
  return { name, description, quantity: String(quantity), category: productCategory.name, availability: 'true' };
}
