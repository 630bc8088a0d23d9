import type { Page } from 'playwright/test';
import { expect, keepToast, signIn, test, untilAlive } from './shop';

test('no picture of a list is over 40 kB, and no call fails', async ({ page }) => {
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/pictures/')) return;
    response.body().then(
      (body) => sizes.push(body.length),
      () => undefined, // the page is over
    );
  });
  await page.goto('/products/savory');
  await page.getByRole('navigation', { name: 'Pages' }).scrollIntoViewIfNeeded();
  await expect.poll(() => sizes.length).toBeGreaterThanOrEqual(10);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(40_000);
});

test('the category tiles fill their rows, however many there are', async ({ page }) => {
  await page.goto('/');
  await untilAlive(page);
  for (const width of [390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (let count = 1; count <= 12; count++) {
      const ends = await page.getByRole('region', { name: 'Categories' }).evaluate((tiles, wanted) => {
        while (tiles.children.length > wanted) tiles.lastElementChild?.remove();
        while (tiles.children.length < wanted) tiles.append(tiles.children[0]?.cloneNode(true) ?? '');
        const rights = [...tiles.children].map((tile) => Math.round(tile.getBoundingClientRect().right));
        return [Math.max(...rights), rights.at(-1)];
      }, count);
      expect(ends[1], `${count} categories at ${width}`).toBe(ends[0]);
    }
  }
});

test('a tall photo is fully visible, on the product’s page and in its card', async ({ page }) => {
  await page.goto('/products/savory');
  const card = page.getByRole('main').getByRole('listitem').locator('img').first();
  await expect(card).toHaveCSS('object-fit', 'contain');
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  await expect(page.getByRole('main').locator('img').first()).toHaveCSS('object-fit', 'contain');
});

test('the keyboard reaches everything: past the header, into a menu and out again, to the heading of the next page', async ({
  page,
}) => {
  await page.goto('/products/savory');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();

  const products = page.getByRole('button', { name: 'Products' }).filter({ visible: true });
  await products.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu', { name: 'Products' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu', { name: 'Products' })).toBeHidden();
  await expect(products).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu', { name: 'Products' })).toBeFocused();
  await expect(page.getByRole('menuitem', { name: 'Savory & Seasoning' })).toHaveAttribute('data-highlighted');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Spices' })).toHaveAttribute('data-highlighted');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Spices' })).toBeFocused();
  await expect(page).toHaveTitle(/^Spices \|/);
  await expect(page.getByRole('status').filter({ hasText: /^Spices \|/ })).toHaveCount(1);
});

test('a heading focused after a page change shows no focus ring; elements focused by the keyboard do', async ({
  page,
}) => {
  await page.goto('/contact');
  await untilAlive(page);
  const home = page.getByRole('link', { name: 'Home' }).filter({ visible: true }).first();
  await home.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(home).toBeFocused();
  await expect(home).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: 'Savory, Seasoning & Spices' });
  await expect(heading).toBeFocused();
  await expect(heading).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Tab');
  const next = page.locator('main :focus');
  await expect(next).toHaveCSS('outline-style', 'solid');
});

test('Back from a product leads to the list as it was left, after a reload, too', async ({ page }) => {
  const list = '/products/savory?page=2';
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  await page.goto(list);
  await untilAlive(page);
  const product = page.getByRole('main').getByRole('listitem').getByRole('link').nth(3);
  const address = (await product.getAttribute('href')) ?? '';
  await page.evaluate(async () => {
    const isHeard = new Promise((resolve) => addEventListener('scroll', resolve, { once: true })); // with the next frame
    scrollTo({ top: 300, behavior: 'instant' });
    await isHeard;
  });
  await product.evaluate((link: HTMLElement) => link.click()); // without scrolling to it
  await page.waitForURL(`**${address}`);
  await expect.poll(scrolled).toBe(0);
  await page.reload();
  const back = page.getByRole('link', { name: 'Back' });
  await expect(back).toHaveAttribute('href', list);
  await back.click();
  await page.waitForURL(`**${list}`);
  await expect.poll(scrolled).toBe(300);
  await expect(product).toBeFocused();
});

test('a removed line closes up, passes its focus to the next one, and Undo restores it', async ({ page }) => {
  await signIn(page);
  await page.goto('/products/savory');
  for (const name of ['Afra Grill Rub', 'Peppersoup Blend']) {
    await page.getByRole('button', { name: `Add ${name} to cart` }).click();
  }
  await page.getByRole('link', { name: 'Cart, 2 items' }).click();
  await page.getByRole('button', { name: 'Increase' }).first().click();
  await expect(page.getByRole('link', { name: 'Cart, 3 items' })).toBeVisible();

  const afra = page.getByRole('row', { name: /Afra Grill Rub/ });
  await afra.getByRole('button', { name: 'Remove Afra Grill Rub' }).press('Enter'); // a toast may cover it
  await expect(page.getByRole('button', { name: 'Remove Peppersoup Blend' })).toBeFocused();
  const undo = page
    .getByRole('status')
    .filter({ hasText: 'Item removed from cart' })
    .getByRole('button', { name: 'Undo' });
  await undo.focus(); // it stays while it has the focus
  await expect(afra).toHaveCount(0);
  await undo.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cart' })).toBeFocused();
  await expect(page.getByRole('group', { name: 'Quantity of Afra Grill Rub' }).getByRole('status')).toHaveText('2');

  for (const name of ['Afra Grill Rub', 'Peppersoup Blend']) {
    await page.getByRole('button', { name: `Remove ${name}` }).press('Enter');
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Cart is Empty' })).toBeFocused();
});

test('products that are added while the page still loads stay in the order of their presses', async ({ page }) => {
  await signIn(page);
  await page.goto('/products/savory', { waitUntil: 'domcontentloaded' });
  let scripts = 0;
  await page.route('**/assets/*.js', async (route) => {
    scripts += 1; // some arrive later than others
    await new Promise((resolve) => setTimeout(resolve, ((scripts * 7) % 9) * 50));
    await route.continue();
  });
  const names = ['Peppersoup Blend', 'Afra Grill Rub'];
  for (const name of names) await page.getByRole('button', { name: `Add ${name} to cart` }).dispatchEvent('click');
  await page.getByRole('link', { name: 'Cart, 2 items' }).click();
  await expect(page.locator('tbody th')).toHaveText(names.map((name) => new RegExp(`^${name}`)));
});

test('Clear Cart at the end of a long cart scrolls to the top, and Undo restores every line', async ({ page }) => {
  await signIn(page);
  await page.setViewportSize({ width: 390, height: 480 });
  await page.goto('/products/savory');
  const add = page.getByRole('button', { name: /^Add .+ to cart$/ });
  for (const place of [0, 1, 2, 3]) await add.nth(place).click();
  await page.getByRole('link', { name: 'Cart, 4 items' }).click();
  const lines = page.locator('tbody th');
  await expect(lines).toHaveCount(4);
  const names = await lines.allTextContents();
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await page.getByRole('button', { name: 'Clear Cart' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear Cart' }).click();
  const told = page.getByRole('status').filter({ hasText: 'Cart cleared successfully' });
  await keepToast(told);
  const heading = page.getByRole('heading', { level: 1, name: 'Cart is Empty' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport({ ratio: 1 });
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(lines).toHaveText(names);
});

test('About scrolls to its section, and again after the reader left it', async ({ page }) => {
  await page.goto('/');
  const about = page.getByRole('link', { name: 'About' }).filter({ visible: true }).first();
  const section = page.getByRole('heading', { name: 'About Us' });
  await about.click();
  await expect(page).toHaveURL(/#about$/);
  await expect(section).toBeInViewport();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expect(section).not.toBeInViewport();
  await about.click();
  await expect(section).toBeInViewport();
});

test('a failed style sheet is requested again, so that no page stays unstyled', async ({ page, watch }) => {
  watch.expected.push(/ERR_FAILED/);
  await page.goto('/');
  await untilAlive(page);
  await page.waitForLoadState('networkidle'); // prefetched chunks of every page would fail too
  await page.route('**/assets/*.css', (route) => route.abort());
  const failing = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
  const givenUp = page.evaluate(
    () => new Promise<void>((resolve) => addEventListener('vite:preloadError', () => resolve(), { once: true })),
  );
  const contact = page.getByRole('contentinfo').getByRole('link', { name: 'Contact' });
  await contact.hover(); // a likely chunk is prefetched before the press
  const address = (await failing).url();
  await givenUp; // an earlier press meets the failed chunk, and reloads the page
  await page.unroute('**/assets/*.css');
  await contact.click();
  await expect(page.getByLabel('Full Name')).toBeVisible();
  await expect.poll(() => rulesFrom(page, address)).toBeGreaterThan(0);
});

/** How many rules a page has from a style sheet; Chromium hides those of one that failed to load. */
const rulesFrom = (page: Page, address: string) =>
  page.evaluate((url) => {
    try {
      return [...document.styleSheets].find(({ href }) => href === url)?.cssRules.length ?? 0;
    } catch {
      return 0;
    }
  }, address);
