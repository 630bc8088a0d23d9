import type { Page } from 'playwright/test';

const longName =
  'Smoked Sweet Paprika and Grains of Paradise Rub for Grilled Fish, Plantain, Okra, Jollof Rice and Groundnut Stew';

/** Names of one line to five, and one without a space. */
export const names = ['Salt', 'Domoda Peanut Base', longName.slice(0, 47), longName, 'Peppersoup'.repeat(11)];

/**
 * Layout errors of the counting screen at this window size: elements that overlap or are outside of it. The names
 * replace those of products.
 */
export async function misfits(page: Page, [width, height]: readonly [number, number]): Promise<string[]> {
  await page.setViewportSize({ width, height });
  const found = await page.evaluate((tried) => {
    const heading = document.querySelector('h1')!;
    const before = heading.textContent;
    const problems = tried.flatMap((name) => {
      heading.textContent = name;
      const parts = [...document.querySelectorAll('header, h1, h1 + p, main button, fieldset output')].map((part) => ({
        messages: part === heading ? `name '${name}'` : part.ariaLabel || part.textContent || part.tagName,
        box: part.getBoundingClientRect(),
      }));
      const outside = parts
        .filter(
          ({ box }) =>
            box.top < -0.5 || box.bottom > innerHeight + 0.5 || box.left < -0.5 || box.right > innerWidth + 0.5,
        )
        .map(({ messages: says }) => `${says} is outside`);
      const overlaps = parts.flatMap((one, at) =>
        parts
          .slice(at + 1)
          .filter(
            ({ box }) =>
              Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > 0.5 &&
              Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 0.5,
          )
          .map((other) => `${one.messages} overlaps ${other.messages}`),
      );
      return [...outside, ...overlaps].map((problem) => `${problem}, with a name of ${name.length} letters`);
    });
    heading.textContent = before;
    return problems;
  }, names);
  return found.map((problem) => `${width} x ${height}: ${problem}`);
}
