/** Cards of several sizes: on a phone in a sheet, on a desktop below the card. Rule: docs/rules/catalog.md, Cards */
import type { Page } from 'playwright/test';
import { change, makeProduct, serverCart } from '../calls';
import { expect, ownerAccount, signInAs, test, untilAlive } from '../shop';

test.beforeEach(({ page }) => signInAs(page, ownerAccount)); // a session of its own, since the cart renews its token

const card = (page: Page) => page.getByRole('main').getByRole('listitem').filter({ hasText: 'from $7.95' });
const opener = (page: Page) => card(page).getByRole('button', { name: /^Choose a size of Small rub/ });
const sizes = (page: Page) => page.getByRole('dialog', { name: /^Sizes of Small rub/ });
const plus = (page: Page, name: string) => sizes(page).getByRole('button', { name: new RegExp(`^Add ${name} rub`) });
const focused = (page: Page) => page.locator(':focus');

/** Results of a search for three sizes, the largest sold out. @param mark a word that finds only them */
async function openResults(page: Page, mark: string): Promise<void> {
  const small = await makeProduct(page, { name: `Small rub ${mark}`, price: '7.95' });
  const large = await makeProduct(page, { name: `Large rub ${mark}`, price: '26.50' });
  const sack = await makeProduct(page, { name: `Sack of rub ${mark}`, price: '52.00', quantity: 0 });
  for (const id of [large, sack])
    await change(page, 'PUT', `/admin/products/${id}/size-of`, { data: { sizeOf: small } });
  await page.goto(`/search?q=${mark}`);
  await untilAlive(page);
  await expect(card(page)).toHaveCount(1);
}

/** Runs in the page. @returns whether it's as wide as the window and ends with it */
function isAtFoot(sheet: Element): boolean {
  const { left, right, bottom } = sheet.getBoundingClientRect();
  return left === 0 && right === document.documentElement.clientWidth && Math.round(bottom) === window.innerHeight;
}

/** The size of the card, and the place of its button in it. */
async function boxes(page: Page) {
  const [button, whole] = await Promise.all([opener(page).boundingBox(), card(page).boundingBox()]);
  if (!button || !whole) throw new Error('the card is not shown');
  return [whole.width, whole.height, button.x - whole.x, button.y - whole.y].map(Math.round);
}

test('on a phone the sizes are a sheet that holds the focus, and nothing moves in the grid', async ({
  page,
  context,
}) => {
  await openResults(page, 'sheetwise');
  const before = await boxes(page);
  await opener(page).click();
  await expect(plus(page, 'Small')).toBeFocused();
  await expect.poll(() => sizes(page).evaluate(isAtFoot)).toBe(true); // when it has moved in
  await expect(sizes(page).getByText('Sold out')).toBeVisible();
  await expect(sizes(page).getByRole('button')).toHaveCount(2);
  await plus(page, 'Large').click();
  await plus(page, 'Large').click();
  await expect(sizes(page).getByRole('status')).toHaveText('2 in cart');
  const widest = await sizes(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(widest).toBe(0);
  for (const _ of [1, 2, 3, 4, 5]) {
    await page.keyboard.press('Tab');
    await expect(sizes(page).locator(':focus')).toHaveCount(1);
  }
  await page.keyboard.press('Escape');
  await expect(sizes(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();
  await expect(opener(page)).toHaveText('2');
  expect(await boxes(page)).toEqual(before);
  await expect.poll(() => serverCart(context)).toMatchObject({ 'Large rub sheetwise': 2 });
  await opener(page).click();
  await page.mouse.click(195, 60); // beside the sheet
  await expect(sizes(page)).toHaveCount(0);
});

test('on a desktop the sizes open below the card, by keys alone', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await openResults(page, 'keywise');
  const before = await boxes(page);
  await opener(page).focus();
  await page.keyboard.press('Enter');
  await expect(plus(page, 'Small')).toBeFocused();
  await expect(opener(page)).toHaveAttribute('aria-expanded', 'true');
  const [panel, round] = await Promise.all([sizes(page).boundingBox(), opener(page).boundingBox()]);
  expect(Math.round((panel?.y ?? 0) - (round?.y ?? 0) - (round?.height ?? 0))).toBe(8);
  await page.keyboard.press('ArrowDown');
  await expect(plus(page, 'Large')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sizes(page).getByRole('status')).toHaveText('1 in cart');
  await page.keyboard.press('Shift+Tab');
  await expect(focused(page)).toHaveAccessibleName(/^Remove Large rub/);
  await page.keyboard.press('Enter');
  await expect(plus(page, 'Large')).toBeFocused();
  await expect(sizes(page).getByRole('status')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(opener(page)).toBeFocused();
  await expect(opener(page)).toHaveAttribute('aria-expanded', 'false');
  expect(await boxes(page)).toEqual(before);
  await page.keyboard.press('Enter');
  await expect(plus(page, 'Small')).toBeFocused();
  await page.keyboard.press('Shift+Tab'); // from the first button to what is before the card's
  await expect(sizes(page)).toHaveCount(0);
  await expect(focused(page)).toHaveAccessibleName(/^Add to list: /);
});
