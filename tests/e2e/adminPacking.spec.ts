import type { Page } from 'playwright/test';
import { expect, test } from './shop';
import { adminShop } from './screens/adminShop';

/** Rule: docs/rules/back-office.md, Packing */
const printed = [
  ['a pick list', 1],
  ['packing slips of several orders', 3],
] as const;

for (const [name, pages] of printed)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`${name} prints on Letter, black on white, without the back office, from a ${colorScheme} page`, async ({
      browser,
      shop,
      owner,
    }) => {
      const page = await browser.newPage({
        baseURL: shop.url,
        storageState: owner,
        colorScheme,
        serviceWorkers: 'block',
      });
      const screen = adminShop.find((each) => each.name === name);
      await screen?.provoke?.(page);
      await page.goto(screen?.path ?? '');
      await expect(page.getByRole('button', { name: /^Print/ })).toBeVisible();
      await page.emulateMedia({ media: 'print', colorScheme });
      await page.setViewportSize({ width: 720, height: 960 }); // Letter without its margins
      await expect(page.getByRole('button', { name: /^Print/ })).toBeHidden();
      await expect(page.getByRole('link', { name: 'Dashboard' }).filter({ visible: true })).toHaveCount(0);
      expect(await notBlackOnWhite(page)).toEqual([]);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(pages);
      expect(new Set(pdf.match(/\/MediaBox \[[^\]]*\]/g))).toEqual(new Set(['/MediaBox [0 0 612 792]']));
      await page.close();
    });

/** @returns the visible words that are not black, or are wider than the paper */
const notBlackOnWhite = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!text.nodeValue?.trim() || !parent?.checkVisibility() || parent.closest('.sr-only, script, style')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { right, bottom } = range.getBoundingClientRect();
      if (bottom <= 0) continue; // the skip link, above the page
      if (getComputedStyle(parent).color !== 'rgb(0, 0, 0)' || right > document.documentElement.clientWidth)
        found.push(text.nodeValue);
    }
    const grounds = [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor);
    return [...found, ...grounds.filter((color) => color !== 'rgb(255, 255, 255)')];
  });
