/**
 * `npm run bench -- worker`: the time that the service worker adds to a request. The same page asks the same server, in
 * one browser without the worker and in one with it; in turns, and the median counts.
 */
import type { Browser, Page } from 'playwright';
import { withBrowser } from './openedBrowser';

const mostMs = 20;
const turns = 30;
/** @returns each time in ms */
const requests: Record<string, (page: Page, turn: number) => Promise<number>> = {
  'a page, to its first byte': async (page) => {
    await page.goto('/products/spices');
    return page.evaluate(() => {
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return visit ? visit.responseStart - visit.startTime : NaN;
    });
  },
  'a call of the API': (page) =>
    page.evaluate(async () => {
      const began = performance.now();
      await (await fetch('/api/public/products?size=10', { cache: 'no-store' })).arrayBuffer();
      return performance.now() - began;
    }),
  'a picture that is not kept': (page, turn) =>
    page.evaluate(async (query) => {
      const source = [...document.images].find(({ currentSrc }) => currentSrc.includes('/pictures/'))?.currentSrc;
      const image = new Image();
      const began = performance.now();
      image.src = `${source}?${query}`;
      await image.decode();
      return performance.now() - began;
    }, `turn=${turn}-${Math.random()}`),
  'a script of the app': (page) =>
    page.evaluate(async () => {
      const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';
      const began = performance.now();
      await (await fetch(script, { cache: 'reload' })).arrayBuffer();
      return performance.now() - began;
    }),
};

await withBrowser(async ({ browser, url }) => {
  const open = (serviceWorkers: 'allow' | 'block') => openShop(browser, url, serviceWorkers);
  const rows = await measureAll(await open('block'), await open('allow'));
  console.log(present(rows));
  if (rows.some(({ without, within }) => within - without > mostMs)) process.exitCode = 1;
});

async function openShop(browser: Browser, url: string, serviceWorkers: 'allow' | 'block'): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers });
  const page = await context.newPage();
  await page.goto('/products/spices');
  if (serviceWorkers === 'allow')
    await page.getByText('Saved for offline').waitFor({ state: 'attached', timeout: 60_000 });
  return page;
}

async function measureAll(bare: Page, withWorker: Page) {
  const rows = [];
  for (const [name, ask] of Object.entries(requests)) {
    const times: { without: number[]; within: number[] } = { without: [], within: [] };
    for (let turn = 0; turn < turns; turn++) {
      times.without.push(await ask(bare, turn));
      times.within.push(await ask(withWorker, turn));
    }
    rows.push({ name, without: middle(times.without), within: middle(times.within) });
  }
  return rows;
}

function middle(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN;
}

function present(rows: { name: string; without: number; within: number }[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line([`middle of ${turns}, ms`, 'without', 'with the worker', 'more']),
    line(['---', '---:', '---:', '---:']),
    ...rows.map(({ name, without, within }) =>
      line([name, without.toFixed(1), within.toFixed(1), (within - without).toFixed(1)]),
    ),
  ].join('\n');
}
