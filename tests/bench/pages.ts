/**
 * `npm run bench -- pages`: pages in the browser: the size of the scripts before a page can be used, the layout shift
 * while it loads, and the time from one page to the next on a device that has the shop.
 */
import type { Browser, Page } from 'playwright';
import { presentAims, type Aim } from './aims';
import { withBrowser } from './openedBrowser';

const wanted = { scripts: 100_000, all: 350_000 };
/** The measurements when these were set. */
const before: Record<string, string> = { list: '117 kB of scripts, 591 kB in all' };
const mostShift = 0.02; // allows a font that arrives after the first paint, as in tests/e2e/rendering.spec.ts
const mostChangeMs = 100;
const slowerBy = 4;
const changes = 20;
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true };

await withBrowser(async ({ browser, url }) => {
  const context = await browser.newContext({ baseURL: url });
  const product = await (await context.newPage()).request.get('/api/public/products/category/savory').then(firstOf);
  await context.close();
  const addresses = {
    home: '/',
    list: '/products/savory',
    product: `/customer/view/product/${product}`,
    login: '/login',
  };
  const rows: Aim[] = [];
  for (const [name, address] of Object.entries(addresses)) rows.push(await measureLoad(browser, url, name, address));
  rows.push(...(await measureChanges(browser, url)));
  console.log(presentAims(rows));
});

async function firstOf(answer: { json: () => Promise<unknown> }): Promise<string> {
  const { data } = (await answer.json()) as { data: { products: { content: { id: string }[] } } };
  return data.products.content[0]?.id ?? '';
}

/** Measures a first visit with Save-Data, so that nothing is fetched ahead; on a phone's screen of two pixels to a point. */
async function measureLoad(browser: Browser, url: string, name: string, address: string): Promise<Aim> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block', ...phone });
  const page = await context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    const seen = { shift: 0, scripts: '' };
    Reflect.set(window, 'benchSaw', seen);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += Reflect.get(entry, 'value') as number;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address);
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  );
  const bytes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  await page.waitForLoadState('networkidle');
  const all = await page.evaluate(() =>
    (
      [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ] as PerformanceResourceTiming[]
    ).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  const shift = await page.evaluate(() => (Reflect.get(window, 'benchSaw') as { shift: number }).shift);
  await context.close();
  return {
    what: `first visit of ${name}`,
    figures: { scripts: kb(bytes), all: kb(all), 'layout shift': shift.toFixed(3) },
    ...(before[name] && { before: before[name] }),
    goal: `at most ${wanted.scripts / 1000} kB of scripts, ${wanted.all / 1000} kB in all, ${mostShift}`,
    isMet: bytes <= wanted.scripts && all <= wanted.all && shift <= mostShift,
  };
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** From a list to a product and back, once the shop is on the device: with a connection, without, and on a slow phone. */
async function measureChanges(browser: Browser, url: string): Promise<Aim[]> {
  const context = await browser.newContext({ baseURL: url, ...phone });
  const page = await context.newPage();
  await page.goto('/products/savory');
  await page.getByText('Saved for offline').waitFor({ state: 'attached', timeout: 60_000 });
  const rows = [await measureChange(page, 'with a connection')];
  await context.setOffline(true);
  rows.push(await measureChange(page, 'without a connection'));
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowerBy });
  const slow = await measureChange(page, `without, processor ${slowerBy} times slower`);
  rows.push({ ...slow, goal: 'none', isMet: true });
  await context.close();
  return rows;
}

async function measureChange(page: Page, where: string): Promise<Aim> {
  const tookMs: number[] = [];
  for (let turn = 0; turn < changes; turn++) {
    tookMs.push(await page.evaluate(toProduct, turn % 8));
    await page.waitForTimeout(200);
    tookMs.push(await page.evaluate(back));
    await page.waitForTimeout(200);
  }
  const sorted = tookMs.slice(4).toSorted((one, other) => one - other); // the first ones loaded the code
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return {
    what: `route change ${where}`,
    figures: { middle: ms(at(0.5)), p95: ms(at(0.95)), worst: ms(at(1)) },
    goal: `at most ${mostChangeMs} ms`,
    isMet: at(0.95) <= mostChangeMs,
  };
}

/** Runs in the page: the time from the click to the frame that shows the product at this index. */
function toProduct(index: number): Promise<number> {
  const link = document.querySelectorAll<HTMLAnchorElement>('main li a[href*="/product/"]')[index];
  if (!link) throw new Error(`no product at index ${index}`);
  const name = link.textContent;
  const began = performance.now();
  link.click();
  return new Promise((resolve) => {
    const look = () => {
      const isThere = document.querySelector('main h1')?.textContent === name;
      requestAnimationFrame(isThere ? () => setTimeout(() => resolve(performance.now() - began)) : look);
    };
    look();
  });
}

/** Runs in the page: the time from going back to the frame that shows the list. */
function back(): Promise<number> {
  const began = performance.now();
  history.back();
  return new Promise((resolve) => {
    const look = () => {
      const isThere =
        document.querySelector('main li a[href*="/product/"]') && location.pathname.startsWith('/products/');
      requestAnimationFrame(isThere ? () => setTimeout(() => resolve(performance.now() - began)) : look);
    };
    look();
  });
}
