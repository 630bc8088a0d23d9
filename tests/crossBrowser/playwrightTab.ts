/** Chromium and Firefox, and WebKit where Playwright's own is installed, driven by Playwright. */
import { type Browser as Program, type BrowserContext, expect, type Locator, type Page } from 'playwright/test';
import { endWorkers, listenTo } from '../e2e/shop';
import { type Browser, type Less, patience, requireWritten, type Size, type Tab, takeAway, type Target } from './tab';

interface Wish {
  baseURL: string;
  size: Size;
  lacking?: Less['lacking'];
}

/**
 * @param program already running: starting one takes half as long as a flow, and a context is as clean as a new browser
 */
export async function openContext(program: Program, { size, baseURL, lacking }: Wish): Promise<Browser> {
  const context = await program.newContext({ baseURL, viewport: size, ignoreHTTPSErrors: true });
  context.setDefaultTimeout(patience);
  if (lacking) await context.addInitScript(takeAway, lacking);
  const heard = listenTo(context);
  return {
    tab: tabOf(await context.newPage(), context),
    complaints: () => Promise.resolve(heard.splice(0)),
    close: () => context.close(),
  };
}

function tabOf(page: Page, context: BrowserContext): Tab {
  const find = (target: Target) => within(page, target).filter({ visible: true }).first();
  return {
    open: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    address: () => page.evaluate('location.href'), // Playwright misses some back navigations in Firefox
    press: (target) => expect(() => press(find(target))).toPass({ timeout: patience }),
    async drag(from, to) {
      await find(from).scrollIntoViewIfNeeded();
      const [start, end] = [await middleOf(find(from)), await middleOf(find(to))];
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      await page.mouse.move(end.x, end.y, { steps: 5 });
      await page.mouse.up();
    },
    write: (label, text) =>
      expect(async () => {
        const field = find({ label });
        await field.clear();
        // key by key: Firefox under Playwright inserts a whole text without events
        await field.pressSequentially(text);
        requireWritten(label, text, await field.inputValue());
      }).toPass({ timeout: patience }),
    choose: async (label, option) => void (await find({ label }).selectOption({ label: option })),
    give: (label, file) => page.getByLabel(label, { exact: true }).setInputFiles(file),
    key: (name) => page.keyboard.press(name),
    sees: (target, limit = patience) => expect(find(target)).toBeVisible({ timeout: limit }),
    misses: (target) => expect(within(page, target).filter({ visible: true })).toHaveCount(0, { timeout: patience }),
    run: (work, input) => page.evaluate(`(${String(work)})(${JSON.stringify(input)})`),
    async endWorkers() {
      if (context.browser()?.browserType().name() === 'chromium') await endWorkers(page);
    },
    newTab: async () => tabOf(await context.newPage(), context),
    close: () => page.close(),
    picture: () => page.screenshot(),
  };
}

/**
 * Each step waits for what it expects next, since Playwright would wait for a navigation whose end it misses. But
 * without waiting it silently loses a press when the element moves from under the pointer, as when a notice appears
 * above it. So the element itself is asked.
 * @throws Error when it has not received the press
 */
async function press(place: Locator): Promise<void> {
  const element = await place.elementHandle();
  if (!element) throw new Error('it is gone');
  await element.evaluate((pressed: Heard) => {
    pressed.addEventListener('click', () => (pressed.hasHeard = true), { capture: true, once: true });
  });
  await element.click({ noWaitAfter: true });
  const hasHeard = await element.evaluate((pressed: Heard) => pressed.hasHeard ?? false).catch(() => true); // it was removed with its page
  await element.dispose().catch(() => undefined);
  if (!hasHeard) throw new Error('it moved away');
}

async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

type Heard = (HTMLElement | SVGElement) & { hasHeard?: boolean };

function within(page: Page, target: Target): Locator {
  const place = target.within ? within(page, target.within) : page;
  if ('role' in target) return place.getByRole(target.role, { name: target.name, exact: true });
  if ('label' in target) return place.getByLabel(target.label, { exact: true });
  return place.getByText(target.text);
}
