/** Chromium and Firefox, and WebKit where Playwright's own is there, driven by Playwright. */
import { type Browser as Program, type BrowserContext, expect, type Locator, type Page } from 'playwright/test';
import { endWorkers, listenTo } from '../e2e/shop';
import { type Browser, type Less, patience, requireWritten, type Size, type Tab, takeAway, type Target } from './tab';

interface Wish {
  baseURL: string;
  size: Size;
  lacking?: Less['lacking'];
}

/** @param program runs already: starting one takes as long as half a walk, and a context knows as little as a new browser */
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
    address: () => page.evaluate('location.href'), // Playwright does not hear of every way back in Firefox
    press: (target) => expect(() => press(find(target))).toPass({ timeout: patience }),
    write: (label, text) =>
      expect(async () => {
        const field = find({ label });
        await field.clear();
        // key by key: Firefox under Playwright puts a whole text there unheard by the page
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
 * Each step waits for what it sees next, and Playwright would for a navigation whose end it does not hear. But where it does
 * not wait, it swallows a press without a word when the element moves away from under the pointer, as when a mark comes or
 * goes above it. So the element itself is asked. @throws Error when it has not heard the press
 */
async function press(place: Locator): Promise<void> {
  const element = await place.elementHandle();
  if (!element) throw new Error('it is gone');
  await element.evaluate((pressed: Heard) => {
    pressed.addEventListener('click', () => (pressed.hasHeard = true), { capture: true, once: true });
  });
  await element.click({ noWaitAfter: true });
  const hasHeard = await element.evaluate((pressed: Heard) => pressed.hasHeard ?? false).catch(() => true); // it went with its page
  await element.dispose().catch(() => undefined);
  if (!hasHeard) throw new Error('it moved away');
}
type Heard = (HTMLElement | SVGElement) & { hasHeard?: boolean };

function within(page: Page, target: Target): Locator {
  const place = target.within ? within(page, target.within) : page;
  if ('role' in target) return place.getByRole(target.role, { name: target.name, exact: true });
  if ('label' in target) return place.getByLabel(target.label, { exact: true });
  return place.getByText(target.text);
}
