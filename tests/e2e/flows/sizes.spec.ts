/** The sizes of a product, by keys alone and without JavaScript. */
import type { Page } from 'playwright/test';
import { change, makeProduct } from '../calls';
import { expect, openEmptyPage, test, untilAlive } from '../shop';

test.use({ storageState: ({ owner }, provide) => provide(owner) });

const chip = (page: Page, name: RegExp) => page.getByRole('radiogroup', { name: 'Size' }).getByRole('radio', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** @returns the id of the small size; the names end in `mark` */
async function makeSizes(page: Page, mark: string): Promise<string> {
  await openEmptyPage(page);
  const small = await makeProduct(page, { name: `Small rub ${mark}`, price: '7.95' });
  const large = await makeProduct(page, { name: `Large rub ${mark}`, price: '26.50' });
  const sack = await makeProduct(page, { name: `Sack of rub ${mark}`, price: '52.00', quantity: 0 });
  for (const id of [large, sack])
    await change(page, 'PUT', `/admin/products/${id}/size-of`, { data: { sizeOf: small } });
  return small;
}

test('the arrow keys choose a size, scroll position and focus stay, and the history grows by nothing', async ({
  page,
}) => {
  const id = await makeSizes(page, 'by keys');
  await page.goto(`/customer/view/product/${id}`);
  await untilAlive(page);
  const place = () => page.evaluate(() => [window.scrollY, history.length]);
  await chip(page, /Small/).focus();
  await page.evaluate(() => window.scrollTo(0, 120));
  const before = await place();
  await page.keyboard.press('ArrowRight');
  await expect(heading(page, 'Large rub by keys')).toBeVisible();
  await expect(chip(page, /Large/)).toBeFocused();
  await expect(chip(page, /Large/)).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await expect(heading(page, 'Sack of rub by keys')).toBeVisible();
  await expect(chip(page, /Sold out/)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Add to cart' })).toHaveAttribute('aria-disabled', 'true');
  expect(await place()).toEqual(before);
  await page.keyboard.press('Tab');
  await expect(page.locator('[role=radio]:focus')).toHaveCount(0);
});

test('without JavaScript each size is a link', async ({ page, browser, baseURL }) => {
  const id = await makeSizes(page, 'as links');
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
  const plain = await context.newPage();
  await plain.goto(`/customer/view/product/${id}`);
  await chip(plain, /Large/).click();
  await expect(heading(plain, 'Large rub as links')).toBeVisible();
  await expect(chip(plain, /Large/)).toBeChecked();
  await context.close();
});
