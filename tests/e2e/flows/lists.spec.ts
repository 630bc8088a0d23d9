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
  await page.getByRole('button', { name: 'More actions for Dry' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Weekly kitchen');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Weekly kitchen' })).toBeVisible();

  await page.getByRole('button', { name: 'Add products' }).first().focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  for (const name of ['Cumin Seeds', 'Bay Leaves']) {
    await drawer.getByRole('checkbox', { name }).first().focus();
    await page.keyboard.press('Space');
  }
  await drawer.getByRole('button', { name: 'Add 2 products' }).press('Enter');
  await expect(drawer).toHaveCount(0);
  const names = () =>
    page.locator('tbody th').evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent));
  await expect.poll(names).toEqual(['Cumin Seeds', 'Bay Leaves']);
  const grip = (place: number) => page.getByRole('button', { name: `, position ${place} of 2` });
  const [upper, lower] = [await grip(1).boundingBox(), await grip(2).boundingBox()];
  await page.mouse.move((lower?.x ?? 0) + 20, (lower?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move((lower?.x ?? 0) + 20, upper?.y ?? 0, { steps: 5 });
  await page.mouse.up();
  await expect.poll(names).toEqual(['Bay Leaves', 'Cumin Seeds']);
  await expect(page.getByRole('menu')).toHaveCount(0); // the end of a drag is no press
  for (const [name, par] of [
    ['Cumin Seeds', '4'],
    ['Bay Leaves', '9'],
  ] as const) {
    await page.getByRole('spinbutton', { name: `Par for ${name}` }).fill(par);
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
