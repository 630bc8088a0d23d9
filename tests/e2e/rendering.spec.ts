import type { Page } from 'playwright/test';
import { expect, login, makeAccount, signIn, test, untilAlive } from './shop';

/** Public pages as rendered by the server and hydrated by the browser. Console errors fail every test (shop.ts). */
const product = '/customer/view/product/7ff42bbf-cce2-5263-98b5-d41cb2a4c1ce';
const pages: [what: string, url: string, text: string | RegExp][] = [
  ['home', '/', 'About Us'],
  ['a list', '/products/savory', 'Domoda Peanut Base'],
  ['its second page', '/products/spices?page=2', 'Whole Cloves'],
  ['a filtered list', '/products/savory?heat=1,2', /^\d+ products$/],
  ['a list with more in its address', '/products/savory?utm_source=letter', 'Domoda Peanut Base'],
  ['a product', product, 'Domoda Peanut Base'],
  ['the contact form', '/contact', 'Full Name'],
  ['the login', '/login?redirect=%2Fcheckout', 'Remember me'],
  ['the registration', '/register', 'ZIP code'],
  ['asking for a new password', '/forgot-password', 'Send link'],
];
const nowhere: [what: string, url: string][] = [
  ['an unknown page', '/nothing'],
  ['what looks like a file', '/nothing.html'],
  ['a product whose id cannot be one', '/customer/view/product/a.b'],
  ['an unknown category', '/products/none'],
  ['an address that cannot be decoded', '/products/%E0%A4%A'],
  ['an unknown product', '/customer/view/product/00000000-0000-4000-8000-000000000000'],
];

for (const [what, url, text] of pages) {
  test(`${what} is hydrated unchanged: no second request, no shift, no recreated element`, async ({ page }) => {
    const calls = callsOf(page);
    await watchPage(page);
    const response = await page.goto(url);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
    await untilTakenOver(page);
    expect(calls).toEqual([]);
    expect(await page.evaluate(() => window.seen.isSame())).toBe(true);
    expect(await page.evaluate(() => window.seen.shift)).toBeLessThan(0.02);
    expect(await page.title()).toContain('Savory, Seasoning & Spices');
    expect(await page.locator('title').count()).toBe(1);
  });
}

for (const [what, url] of nowhere) {
  test(`${what} is a 404 that is hydrated unchanged`, async ({ page, watch }) => {
    watch.expected.push(/404 \(Not Found\)/); // the page itself
    const calls = callsOf(page);
    await watchPage(page);
    expect((await page.goto(url))?.status()).toBe(404);
    await untilTakenOver(page);
    await expect(page.getByRole('heading', { name: '404 not found' })).toBeVisible();
    expect(calls.filter((call) => !call.includes('/categories'))).toEqual([]); // the ways on name all categories
    expect(await page.evaluate(() => window.seen.isSame())).toBe(true);
    await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
  });
}

test('every page is hydrated unchanged, whatever notice the device has for it', async ({ page, context, watch }) => {
  const urls = [
    ...pages.map(([, url]) => url),
    '/thankyoupage',
    '/search?q=pepper',
    '/login?said=registered',
    '/login?said=asked',
  ];
  const takeOverAll = async (what: string) => {
    for (const url of urls) {
      await page.goto(url);
      await untilAlive(page);
      // state passed from the previous page is in the history, and so survives a reload
      await page.evaluate(() => {
        const told = { said: 'Told by the page before', isDuty: true, wayBack: { href: '/search', index: 0 } };
        history.replaceState({ ...history.state, ...told }, '');
      });
      await page.reload();
      await untilTakenOver(page);
      expect(await page.evaluate(() => window.seen.isSame()), `${url}, ${what}`).toBe(true);
    }
  };
  await watchPage(page);
  await takeOverAll('a visitor');
  await signIn(page);
  watch.expected.push(/cart\/add/); // changes that do not get through, and wait
  await page.route('**/public/cart/add/**', (route) => route.abort());
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  urls.splice(0, urls.length, ...urls.filter((url) => !/login|register/.test(url))); // these lead on
  await takeOverAll('a customer with a change that waits');
  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  urls.push('/login', '/register');
  await takeOverAll('a visitor, with a change of somebody else that waits');
  await page.goto('/login');
  await expect(page.getByText('1 unsent change is saved on this device')).toBeVisible();
});

test('a signed-in user’s own parts appear without moving anything', async ({ page }) => {
  await signIn(page);
  await watchPage(page);
  for (const url of ['/', '/products/savory', product]) {
    await page.goto(url);
    await expect(page.getByRole('button', { name: 'Account settings' }).first()).toBeAttached();
    await untilTakenOver(page);
    expect(await page.evaluate(() => window.seen.isSame())).toBe(true);
    expect(await page.evaluate(() => window.seen.shift), url).toBeLessThan(0.02);
  }
});

test('a press before the app has loaded takes effect once it has, and once only', async ({ page }) => {
  const letAppCome = await holdApp(page);
  await page.goto('/products/savory');
  const add = page.getByRole('button', { name: 'Add Domoda Peanut Base to cart' });
  await add.click();
  await add.click();
  letAppCome();
  await expect(page.getByText('You need to be logged in to add items to your cart')).toHaveCount(1);
  await expect(page).toHaveURL(/\/login/);
  await untilAlive(page); // both presses have been handled by now
  await expect(page.getByText('You need to be logged in to add items to your cart')).toHaveCount(1);
});

test('two products added before the app has loaded are both in the cart', async ({ page }) => {
  await signIn(page);
  const letAppCome = await holdApp(page);
  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add Domoda Peanut Base to cart' }).click();
  await page.getByRole('button', { name: 'Add Afra Grill Rub to cart' }).click();
  letAppCome();
  await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible();
});

test('a scroll position from before the app loaded stays, and is restored', async ({ page }) => {
  const letAppCome = await holdApp(page);
  await page.goto('/products/savory');
  await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }));
  letAppCome();
  await untilTakenOver(page);
  await page.waitForLoadState('networkidle');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
  const away = page.getByRole('contentinfo').getByRole('link', { name: 'Contact' });
  await away.evaluate((link: HTMLElement) => link.click()); // without scrolling to it
  await expect(page).toHaveURL(/\/contact$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/savory$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
});

test('a product and Back pressed before the app has loaded lead to the list as it was left', async ({ page }) => {
  const letAppCome = await holdApp(page);
  await page.goto('/products/savory');
  await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }));
  const product = page.getByRole('main').getByRole('listitem').getByRole('link').nth(5);
  await product.evaluate((link: HTMLElement) => link.click()); // without scrolling to it
  await page.getByRole('link', { name: 'Back' }).click();
  letAppCome();
  await expect(page).toHaveURL(/\/savory$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
});

test('a list’s position is kept in a browser without history state, after a reload too', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  const letAppCome = await holdApp(page);
  await page.goto('/contact');
  await page.goto('/products/savory');
  await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }));
  const product = page.getByRole('main').getByRole('listitem').getByRole('link').nth(5);
  await product.evaluate((link: HTMLElement) => link.click()); // without scrolling to it
  await page.waitForURL('**/product/*');
  letAppCome();
  await untilAlive(page);
  await page.reload();
  await untilAlive(page);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/savory$/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400);
});

test('a product in a new tab leads to the list, also from behind what followed', async ({ page, context }) => {
  await context.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await page.goto('/products/savory');
  const product = page.getByRole('main').getByRole('listitem').getByRole('link').nth(5);
  await product.evaluate((link: HTMLAnchorElement) => {
    link.target = '_blank';
    link.rel = 'opener';
  });
  const opened = context.waitForEvent('page');
  await product.click();
  const tab = await opened;
  await untilAlive(tab);
  await tab.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
  await expect(tab).toHaveURL(/\/contact$/);
  await tab.reload();
  await untilAlive(tab);
  await tab.goBack();
  await tab.reload();
  await untilAlive(tab);
  await tab.getByRole('link', { name: 'Back' }).click();
  await expect(tab).toHaveURL(/\/savory$/);
});

/** @returns a function that lets the app's scripts load on pages opened from now on */
async function holdApp(page: Page): Promise<() => void> {
  let letCome = () => undefined as void;
  const isLetCome = new Promise<void>((resolve) => (letCome = resolve));
  await page.route('**/assets/vendor-*.js', async (route) => {
    await isLetCome;
    await route.continue();
  });
  return () => letCome();
}

test('the page of another product has its own title and data after a click', async ({ page }) => {
  await page.goto('/products/savory');
  await page.getByRole('link', { name: 'Domoda Peanut Base' }).click();
  await expect(page).toHaveTitle('Domoda Peanut Base | Savory, Seasoning & Spices');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/p\/domoda-peanut-base$/);
  await page.goBack();
  await expect(page).toHaveTitle('Savory & Seasoning | Savory, Seasoning & Spices');
});

test('the shop also hydrates where the browser stores no site data', async ({ page, watch }) => {
  watch.expected.push(/The operation is insecure/); // caused by storing the shop on the device
  await page.addInitScript(() => {
    function refuse(): never {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse });
    IDBFactory.prototype.open = refuse;
    CacheStorage.prototype.open = async () => refuse();
    Object.assign(window, { BroadcastChannel: refuse });
  });
  const account = await makeAccount(page);
  await page.goto('/');
  await untilAlive(page);
  await page.getByRole('main').getByRole('link', { name: 'Domoda Peanut Base' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Domoda Peanut Base' })).toBeVisible();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText('You need to be logged in to add items to your cart')).toBeVisible();
  await login(page, account);
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
});

test('no public page brings the styles of dialogs and menus, and its fields keep their height', async ({ page }) => {
  for (const url of ['/contact', '/register', '/']) {
    await page.goto(url);
    await untilTakenOver(page);
    expect(await page.locator('style[data-emotion]').count(), url).toBe(0);
  }
  await page.goto('/contact');
  await untilTakenOver(page);
  expect(await heightsOfFields(page)).toEqual([48, 48, 48]);
});

test('the fields of a page look final before its script has loaded', async ({ browser, baseURL, viewport }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '', viewport });
  const page = await context.newPage();
  await page.goto('/contact');
  expect(await heightsOfFields(page)).toEqual([48, 48, 48]);
  await context.close();
});

const heightsOfFields = async (page: Page) => {
  const boxes = await Promise.all(
    ['Full Name', 'Email', 'Phone'].map((label) => page.getByLabel(label, { exact: true }).boundingBox()),
  );
  return boxes.map((box) => box?.height);
};

declare global {
  interface Window {
    seen: { shift: number; isSame: () => boolean };
  }
}

/** Records the server's HTML, and adds up layout shifts. With data saving on, nothing is prefetched. */
const watchPage = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    const drawn: (Element | null)[] = [];
    const parts = ['header', 'main', 'main h1', 'footer'];
    const find = () => parts.map((part) => document.querySelector(part));
    document.addEventListener('DOMContentLoaded', () => drawn.push(...find()));
    window.seen = {
      shift: 0,
      isSame: () => find().every((part, index) => part !== null && part === drawn[index]),
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** React has hydrated, and the visible content is stable. */
async function untilTakenOver(page: Page): Promise<void> {
  await untilAlive(page);
  await page.evaluate(async () => {
    const inView = [...document.images].filter((image) => {
      const { top, height } = image.getBoundingClientRect();
      return top < innerHeight && height > 0; // one that a phone does not show is never loaded
    });
    // a failed picture is stable too
    const loaded = inView.map((image) => image.decode().catch(() => undefined));
    await Promise.all([document.fonts.ready, ...loaded]);
    await new Promise((done) => requestIdleCallback(done));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

/** The page's own requests; not the later ones that sync the device with the shop and move nothing. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !/\/(?:catalog\/changes|events)$/.test(pathname)) calls.push(pathname);
  });
  return calls;
}

test('letters of names such as Kankuraŋ use the shop’s own fonts, which other pages do not fetch', async ({ page }) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(new URL(request.url()).pathname);
  });
  await page.goto('/');
  await page.evaluate(() => document.fonts.ready.then(() => true));
  expect(fonts.filter((name) => name.includes('latin-ext'))).toEqual([]);
  const fontStates = await page.evaluate(async () => {
    const faces = await Promise.all(
      ['Young Serif', 'Figtree Variable'].map((name) => document.fonts.load(`16px '${name}'`, 'ŋ')),
    );
    return faces.flat().map(({ status }) => status);
  });
  expect(new Set(fontStates)).toEqual(new Set(['loaded']));
  expect(fonts.filter((name) => name.includes('latin-ext'))).toHaveLength(2);
});
