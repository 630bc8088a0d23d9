import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type Axe from 'axe-core';
import type { Page } from 'playwright/test';
import { isNightly } from '../support/nightly';
import { account } from './screens/account';
import { admin } from './screens/admin';
import { adminImport } from './screens/adminImport';
import { adminPages } from './screens/adminPages';
import { adminPeople } from './screens/adminPeople';
import { adminDelivery } from './screens/adminDelivery';
import { adminSelling } from './screens/adminSelling';
import { adminShipping } from './screens/adminShipping';
import { adminShop } from './screens/adminShop';
import { browsing } from './screens/browsing';
import { buying } from './screens/buying';
import { kitchen } from './screens/kitchen';
import { offline } from './screens/offline';
import { ownAccount } from './screens/ownAccount';
import { locate, type Opened, type Screen } from './screens/screen';
import { waiting } from './screens/waiting';
import { expect, listenTo, openEmptyPage, test as base, untilAlive } from './shop';

/**
 * Every screen that has a layout of its own. A worker has one page for each of visitor, customer and owner, and looks at
 * one screen after the other in it: it has the files of the shop already, and starts each screen with nothing saved on the
 * device, so that lists can be late and fail.
 *
 * Each is checked a single time, the back office on a desktop and the rest on a phone, alternating light and dark. A nightly run
 * looks at what opens on it as well, and at both sizes, light and dark: a page is loaded once and then made narrow and dark, as its styles alone tell these
 * apart; what was opened with a menu is opened anew. With GALLERY (a folder, see src/tools/gallery.mjs) that is done in
 * more widths, and pictures are taken.
 */
const { GALLERY: gallery } = process.env;
const isMatrix = gallery !== undefined || isNightly;
const schemes = ['light', 'dark'] as const;
const desktop = { name: 'desktop', width: 1440, height: 900, zoomedWidth: 720 };
const phone = { name: 'phone', width: 390, height: 844, zoomedWidth: 320 }; // the narrowest supported screen
const laptopWidth = 1024; // the narrowest window with the back office's sidebar
const between = [
  { name: 'laptop', width: laptopWidth, height: 768, zoomedWidth: 512 },
  { name: 'tablet', width: 768, height: 1024, zoomedWidth: 384 },
];
const sizes = gallery ? [desktop, ...between, phone] : [desktop, phone];
type Size = (typeof sizes)[number];
type Scheme = (typeof schemes)[number];
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const test = base.extend<object, { pages: Record<Screen['as'], Page> }>({
  pages: [
    async ({ browser, shop, customer, owner }, provide) => {
      const open = async (storageState?: typeof customer) => {
        const options = { baseURL: shop.url, reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
        const context = await browser.newContext({ ...options, ...(storageState && { storageState }) });
        await context.route(/\/catalog\/changes/, () => undefined); // the device would download the catalog
        return context.newPage();
      };
      const pages = { visitor: await open(), customer: await open(customer), owner: await open(owner) };
      await provide(pages);
      for (const page of Object.values(pages)) await page.context().close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names of what a fixture needs
  watch: ({}, provide) => provide({ expected: [] }), // each row listens itself: no context is created for it
});

const screens = [
  ...browsing,
  ...account,
  ...ownAccount,
  ...buying,
  ...kitchen,
  ...offline,
  ...waiting,
  ...admin,
  ...adminImport,
  ...adminShop,
  ...adminShipping,
  ...adminDelivery,
  ...adminPages,
  ...adminSelling,
  ...adminPeople,
];

test('every URL of the shop has a row in the table of screens', async ({ pages: { visitor: page } }) => {
  await page.goto('/');
  await untilAlive(page);
  const addresses = await page.evaluate(() => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: { routesById: Record<string, Route> } };
    return Object.values(router.routesById).flatMap(({ options, fullPath }) => (options.path ? [fullPath] : []));
  });
  const shown = screens.map((screen) => screen.path.replace(/[?#].*/, ''));
  const isShown = (fullPath: string) => {
    const pattern = new RegExp(`^${fullPath.replace(/\$\w*/g, '[^/]+')}$`);
    return shown.some((each) => pattern.test(each));
  };
  expect(addresses.length).toBeGreaterThan(20);
  expect(addresses.filter((each) => !isShown(each))).toEqual([]);
});
interface Route {
  fullPath: string;
  options: { path?: string };
}

for (const [turn, screen] of screens.entries()) {
  const shown = isMatrix ? sizes : [screen.as === 'owner' ? desktop : phone];
  const drawn = isMatrix ? schemes : [turn % 2 === 0 ? schemes[0] : schemes[1]];
  test(`${screen.name}: its labels, no error, no sideways scroll, accessible`, async ({ pages }) => {
    const page = pages[screen.as];
    await leave(page);
    const heard = listenTo(page);
    if (screen.isTriedAgain) await page.clock.install();
    for (const size of shown) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: drawn[0] ?? null });
      if (size === shown[0] || screen.isOpenedPerSize || screen.opens) {
        if (size !== shown[0]) await clearSaved(page);
        await openScreen(page, screen);
      }
      await checkLabels(page, screen, size);
      await checkWhole(page, screen, size, drawn);
      for (const opened of isMatrix ? (screen.opens ?? []) : []) {
        await closeWhatIsOver(page);
        await opened.act(page);
        await checkLabels(page, opened, size);
        await checkWhole(page, { ...screen, name: opened.name }, size, drawn);
      }
    }
    expect(heard.filter((said) => !screen.expected?.test(said))).toEqual([]);
  });
}

/** Of the previous screen, which has no listener anymore. */
async function leave(page: Page): Promise<void> {
  await clearSaved(page);
  for (const event of ['console', 'requestfailed', 'pageerror']) page.removeAllListeners(event);
}

async function openScreen(page: Page, screen: Screen): Promise<void> {
  await screen.provoke?.(page);
  await page.goto(screen.path);
  if (screen.act) await untilAlive(page);
  await screen.act?.(page);
  if (screen.isTriedAgain) await untilItGaveUp(page, screen);
}

const closeWhatIsOver = (page: Page) =>
  expect(async () => {
    const over = page.locator(whatIsOver).filter({ visible: true });
    if ((await over.count()) > 0) await page.keyboard.press('Escape');
    await expect(over).toHaveCount(0, { timeout: 1000 });
  }).toPass();

/** Data stored for earlier screens would be shown instead of what is late or fails. */
async function clearSaved(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await openEmptyPage(page);
  await page.evaluate(async () => {
    sessionStorage.clear();
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith('answers:'))) {
      localStorage.removeItem(key);
    }
    const deleted = (await indexedDB.databases()).map(
      ({ name = '' }) =>
        new Promise((resolve, reject) => {
          const deleting = indexedDB.deleteDatabase(name);
          deleting.addEventListener('success', resolve);
          deleting.addEventListener('error', reject);
        }),
    );
    await Promise.all(deleted);
  });
}

async function checkLabels(page: Page, { labels }: Opened | Screen, { name, width }: Size): Promise<void> {
  for (const label of labels) {
    if (label.isWideOnly && width < 1024) continue;
    await expect
      .soft(locate(page, label).filter({ visible: true }).first(), `${name}: ${label.role} '${label.name}'`)
      .toBeVisible();
  }
  expect.soft(await sidewaysPx(page), `sideways scroll on a ${name}`).toBe(0);
}

async function checkWhole(page: Page, screen: Screen, size: Size, drawn: readonly Scheme[]): Promise<void> {
  const { name, width, zoomedWidth } = size;
  await page.setViewportSize(size); // what was checked before the zoom
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript);
  for (const scheme of drawn) {
    await page.emulateMedia({ colorScheme: scheme });
    // only the colors differ from what was checked
    const rules = scheme === drawn[0] ? undefined : ['color-contrast'];
    expect.soft(await violations(page, rules), `${name}, ${scheme}`).toEqual([]);
    if (screen.isAtArmsLength)
      expect.soft(await violations(page, ['color-contrast-enhanced']), `${name}, ${scheme}: AAA`).toEqual([]);
    await takePicture(page, screen, `${name}-${scheme}`);
  }
  const leastPx = screen.isAtArmsLength ? 56 : width < 1024 ? 44 : 24;
  expect.soft(await smallTargets(page, leastPx), `targets under ${leastPx} px on a ${name}`).toEqual([]);
  expect.soft(await squeezedWords(page), `words without room on a ${name}`).toEqual([]);
  if (size === desktop) {
    await page.setViewportSize({ width: laptopWidth, height: 768 });
    expect.soft(await squeezedWords(page), `words without room at ${laptopWidth} px`).toEqual([]);
    expect.soft(await sidewaysPx(page), `sideways scroll at ${laptopWidth} px`).toBe(0);
  }
  await page.setViewportSize({ width: zoomedWidth, height: 600 });
  expect.soft(await sidewaysPx(page), `sideways scroll at ${zoomedWidth} px`).toBe(0);
}

const whatIsOver = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu]';

/** Of the whole page, except menus and dialogs, which belong to the visible part. */
async function takePicture(page: Page, screen: Screen, name: string): Promise<void> {
  if (!gallery) return;
  const folder = screen.name.replace(/[^a-z\d]+/gi, '-').toLowerCase();
  const isOver = (await page.locator(whatIsOver).filter({ visible: true }).count()) > 0;
  await page.screenshot({ path: path.join(gallery, folder, `${name}.png`), fullPage: !isOver });
}

/** Advances the clock past the pauses between retries. */
async function untilItGaveUp(page: Page, { labels: [said] }: Screen): Promise<void> {
  if (!said) throw new Error('there is nothing to wait for');
  await expect(async () => {
    await page.clock.fastForward(5000);
    // in real time, not the page's: a response is on its way, and the next step would cut it off
    await expect(locate(page, said).first()).toBeVisible({ timeout: 300 });
  }).toPass({ intervals: [50], timeout: 120_000 });
}

const sidewaysPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What axe finds, in the page's own words. */
const violations = (page: Page, rules?: string[]): Promise<string[]> =>
  page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const { violations: list } = await axe.run(document, {
      resultTypes: ['violations'],
      iframes: false,
      preload: false,
      ...(only && { runOnly: only }),
    });
    return list.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  }, rules);

/** Words up to 12 letters that are split over two lines, but in addresses, and buttons narrower than their words. */
const squeezedWords = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
      if (text.parentElement.closest('.sr-only, [aria-hidden=true], script, style, noscript, textarea')) continue;
      if (/@|:\/\//.test(text.nodeValue ?? '')) continue;
      for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[\p{L}\d#$.,]{2,12}(?![\p{L}\d])/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) found.push(`'${word}' in '${text.parentElement.textContent.slice(0, 60)}'`);
      }
    }
    const buttons = [...document.querySelectorAll<HTMLElement>('button, a')].filter((each) => each.checkVisibility());
    const tooNarrow = buttons.filter(
      (each) => getComputedStyle(each).display.includes('flex') && each.scrollWidth > each.clientWidth + 1,
    );
    return [...found, ...tooNarrow.map((each) => `the button '${each.textContent.slice(0, 60)}'`)];
  });

/** Links in running text may be smaller, and small icons may have a larger target. */
const smallTargets = (page: Page, leastPx: number) =>
  page.evaluate(
    (least) =>
      [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, [role^=menuitem]')]
        .filter(
          (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert], [aria-hidden=true]'),
        )
        .filter((each) => getComputedStyle(each, '::after').position !== 'absolute' && each.tabIndex >= -1)
        .map((each) => ({ each, box: (each.closest('label') ?? each).getBoundingClientRect() }))
        .filter(({ box }) => box.width < least - 0.1 || box.height < least - 0.1)
        .map(({ each, box }) => `${each.outerHTML.slice(0, 120)} ${box.width} x ${box.height}`),
    leastPx,
  );
