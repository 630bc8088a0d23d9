import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright/test';
import { expect, listenTo, test } from './shop';
import { locate, screens } from './screenTable';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Half the width: what 200 % zoom leaves of it. A phone is asked for the narrowest screen there is. */
const zoomed = { phone: 320, desktop: 720 };

for (const screen of screens) {
  test(`${screen.name}: its labels, no error, no sideways scroll, nothing in the way of anybody`, async ({
    browser,
    shop,
    customer,
    viewport,
  }, { project }) => {
    const context = await browser.newContext({
      baseURL: shop.url,
      viewport,
      reducedMotion: 'reduce',
      ...(screen.as === 'customer' && { storageState: customer }),
    });
    const heard = listenTo(context);
    const page = await context.newPage();
    await screen.provoke?.(page);
    if (screen.isTriedAgain) await page.clock.install();
    await page.goto(screen.path);
    await screen.act?.(page);
    for (let tries = 1; screen.isTriedAgain && tries < 4; tries++) {
      await page.waitForTimeout(200);
      await page.clock.fastForward(5000);
    }
    for (const label of screen.labels) {
      await expect
        .soft(locate(page, label).filter({ visible: true }).first(), `${label.role} '${label.name}'`)
        .toBeVisible({ timeout: 10_000 });
    }
    expect.soft(await sidewaysPx(page), 'sideways scroll').toBe(0);
    expect.soft(await violations(page), 'light').toEqual([]);
    if (project.name === 'phone') expect.soft(await smallTargets(page), 'targets under 44 px').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect.soft(await violations(page, ['color-contrast']), 'dark').toEqual([]);
    await page.setViewportSize({ width: zoomed[project.name as 'phone'], height: 600 });
    expect.soft(await sidewaysPx(page), 'sideways scroll at 200 %').toBe(0);
    await context.close();
    expect(heard.filter((said) => !screen.expected?.test(said))).toEqual([]);
  });
}

test('no picture of a list is over 40 kB, and no call fails', async ({ page }) => {
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/pictures/')) return;
    void response.body().then((body) => sizes.push(body.length));
  });
  await page.goto('/products/savory');
  await page.getByRole('navigation', { name: 'Pages' }).scrollIntoViewIfNeeded();
  await expect.poll(() => sizes.length).toBeGreaterThanOrEqual(10);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(40_000);
});

test('the keyboard gets everywhere: past the header, into a menu and out again, to the heading of the next page', async ({
  page,
}) => {
  await page.goto('/products/savory');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Heat' })).toBeFocused();

  const products = page.getByRole('button', { name: 'Products' }).filter({ visible: true });
  await products.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'savory' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(products).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu', { name: 'Products' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Spices' })).toBeFocused();
  await expect(page).toHaveTitle(/^Spices \|/);
  await expect(page.getByRole('status').filter({ hasText: /^Spices \|/ })).toHaveCount(1);
});

test('filters stand in the address, count on their chip, and go back to the first page', async ({ page }) => {
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

test('a removed line gives its focus to the next one', async ({ browser, shop, customer, viewport }) => {
  const page = await browser.newPage({ baseURL: shop.url, viewport, storageState: customer });
  await page.route(/\/remove\//, () => undefined); // never answered: the cart of the other tests stays as it is
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Remove Afra Grill Rub' }).click();
  await expect(page.getByRole('button', { name: 'Remove Peppersoup Blend' })).toBeFocused();
  await expect(page.getByRole('row', { name: /Afra Grill Rub/ })).toHaveCount(0);
  await page.close();
});

test('About scrolls to its section', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'About' }).filter({ visible: true }).first().click();
  await expect(page).toHaveURL(/#about$/);
  await expect(page.getByRole('heading', { name: 'About Us' })).toBeInViewport();
});

const sidewaysPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What axe finds, in the page's own words; through the debugger, since the content policy lets no script in. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe: found } = window as unknown as { axe: typeof Axe };
    const { violations: list } = await found.run(document, {
      resultTypes: ['violations'],
      iframes: false,
      preload: false,
      ...(only && { runOnly: only }),
    });
    return list.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  }, rules);
}

/** Links in running text may be smaller, and what is drawn small may reach further than it looks. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, [role^=menuitem]')]
      .filter(
        (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert], [aria-hidden=true]'),
      )
      .filter((each) => getComputedStyle(each, '::after').position !== 'absolute' && each.tabIndex >= -1)
      .map((each) => ({ each, box: (each.closest('label') ?? each).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
      .map(({ each, box }) => `${each.outerHTML.slice(0, 120)} ${box.width} x ${box.height}`),
  );
