/**
 * Records what one release leaves on a device, and what the device sends when it comes online: tests/data/device-1. Ana's
 * session ended with changes unsent; Ben, who signed in after her, has one that was refused, one that was sent without an
 * answer, and others that wait; in between a visitor wrote a message, and wanted a product.
 *
 *   SHOP_BROWSER=… node node_modules/playwright/cli.js test --config tests/e2e/recordDevice.config.ts
 */
import { mkdir, writeFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright/test';
import { dumpDevice, type DeviceDump } from '../support/deviceDump';
import { type Gateway, openGateway, type WireCall } from './gateway';
import { expect, test, visitUntilSaved } from './offlineShop';
import { login, newAccount, ownerAccount, payWith, register } from './shop';

const folder = 'tests/data/device-1';
const [ana, ben] = [newAccount(), newAccount()].map((account, place) => ({
  ...account,
  fullName: ['Ana Example', 'Ben Example'][place] ?? '',
})) as [Account, Account];
type Account = ReturnType<typeof newAccount>;

const isChange = ({ method, path }: WireCall) => method !== 'GET' && /\/public\/(?:cart|contact)\//.test(path);

test('a device with everything that can wait on it', async ({ browser, shop }) => {
  test.setTimeout(400_000);
  const gateway = await openGateway(() => shop.url);
  await shop.start({ PUBLIC_URL: gateway.url });
  const archive = await openBackOffice(browser, gateway);
  const context = await browser.newContext({ baseURL: gateway.url, serviceWorkers: 'allow', timezoneId: 'UTC' });
  const goOnline = () => (gateway.decide = () => 'pass');
  const goOffline = () =>
    (gateway.decide = ({ headers }) => (/owner/.test(headers['user-agent'] ?? '') ? 'pass' : 'break'));
  const sendNothing = () => (gateway.decide = (call) => (isChange(call) ? 'break' : 'pass'));

  let page = await context.newPage();
  await signUp(page, ana);
  const anaId = await userOn(page);
  const others = async () => (await waitingOn(page)).filter(({ userId }) => userId !== anaId).map(named);
  await add(page, 'savory', 'Afra Grill Rub');
  goOffline();
  await add(page, 'savory', 'Peppersoup Blend');
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Clear Cart' }).click();
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Clear Cart' }).click();
  await expect(page.getByText('Cart is Empty')).toBeVisible();
  await add(page, 'savory', 'Suya Yaji Rub');
  sendNothing();
  await endSession(context, page);

  goOnline();
  await signUp(page, ben);
  await visitUntilSaved(page);
  await order(page);
  for (const name of ['Afra Grill Rub', 'Peppersoup Blend', 'Yassa Marinade Mix']) await add(page, 'savory', name);
  await page.goto('/customer/orders');
  await expect(page.getByText('$').first()).toBeVisible();
  await page.goto('/customer/profile');
  await page.waitForLoadState('load');
  goOffline();
  await add(page, 'spices', 'Ground Ginger');
  await archive('Ground Ginger');
  goOnline();
  await page.goto('/cart');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(1);

  const press = (product: string, name: string) =>
    page
      .getByRole('group', { name: `Quantity of ${product}` })
      .getByRole('button', { name })
      .click();
  gateway.decide = (call) => {
    if (!isChange(call)) return 'pass';
    goOffline();
    return 'lose';
  };
  await press('Afra Grill Rub', 'Increase');
  await expect.poll(others).toEqual(['updateCartItem sent']);
  await add(page, 'spices', 'Cumin Seeds');
  await add(page, 'spices', 'Cumin Seeds');
  await add(page, 'spices', 'Whole Nutmeg');
  await page.goto('/cart');
  await press('Afra Grill Rub', 'Decrease');
  await page.getByRole('button', { name: 'Remove Peppersoup Blend' }).click();
  await expect(page.getByRole('button', { name: 'Remove Peppersoup Blend' })).toHaveCount(0);
  await press('Yassa Marinade Mix', 'Increase');
  await press('Yassa Marinade Mix', 'Increase');
  await write(page, 'Do you sell Cumin Seeds by the kilo?');
  sendNothing();
  await endSession(context, page);

  await page.goto('/products/savory');
  await page.getByRole('button', { name: 'Add to cart: Yassa Marinade Mix' }).click();
  await expect(page).toHaveURL(/\/login/);
  const visitorsTab = await tabOf(page);
  await page.close();
  page = await context.newPage();
  goOffline();
  await write(page, 'Is the shop open on Sundays?');
  sendNothing();
  await page.goto('/login');
  const seal = await page.getByText('unsent changes are kept').innerText();
  await login(page, ben);
  await expect(page.getByText('Yassa Marinade Mix')).toBeVisible();
  await expect.poll(() => gateway.calls.findLast(isChange)?.headers['idempotency-key']).toBeDefined();
  goOffline();
  await page.goto('/cart');
  await expect(page.getByText('Showing what is saved on this device')).toBeVisible();
  await expect(page.getByText('Yassa Marinade Mix')).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('Cumin Seeds')).toBeVisible();
  const shown = { cart: wordsOf(await page.getByRole('main').textContent()), seal };
  const customersTab = await tabOf(page);
  const device = await page.evaluate(dumpDevice);

  await archive('Whole Nutmeg');
  const bens = await callsUntil(gateway, page, async () => {
    goOnline();
    await page.reload();
    await expect.poll(others, { timeout: 60_000 }).toEqual([]);
  });
  const left = (await page.evaluate(dumpDevice)).databases.find(({ name }) => name === 'shop');
  const anas = await callsUntil(gateway, page, async () => {
    await page.getByRole('button', { name: 'Settings' }).first().click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('button', { name: 'Discard and log out' }).click();
    await expect(page.getByText('Logout successful')).toBeVisible();
    await page.goto('/login');
    await login(page, ana);
    await expect.poll(() => waitingOn(page), { timeout: 60_000 }).toEqual([]);
  });
  await keep(device, { visitor: visitorsTab, customer: customersTab }, shown, { ben: bens, ana: anas }, left);
  await context.close();
  await gateway.close();
});

async function signUp(page: Page, account: Account): Promise<void> {
  await page.goto('/register');
  await register(page, account);
  await login(page, account);
  await page.waitForURL(/\/cart$/);
}

async function add(page: Page, category: string, name: string): Promise<void> {
  await page.goto(`/products/${category}`);
  for (let at = 2; (await page.getByRole('button', { name: `Add to cart: ${name}` }).count()) === 0; at += 1)
    await page.goto(`/products/${category}?page=${at}`);
  await page.getByRole('button', { name: `Add to cart: ${name}` }).click();
  await expect(
    page.getByText(/Item added to cart successfully|queued: will sync when online|will try again/).first(),
  ).toBeVisible();
}

/** Nobody logs out: the cookies are gone, and the server says so. */
async function endSession(context: BrowserContext, page: Page): Promise<void> {
  await context.clearCookies();
  await page.goto('/cart');
  await expect(page).toHaveURL(/\/login/);
}

async function order(page: Page): Promise<void> {
  await add(page, 'savory', 'Suya Yaji Rub');
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await page.getByText('12 Market Street').click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_test_/);
  await payWith(page, '4242 4242 4242 4242');
  await expect(page).toHaveURL(/\/customer\/order\/success/);
}

async function write(page: Page, reason: string): Promise<void> {
  await page.goto('/contact');
  await page.getByLabel('Full Name').fill('Example Cook');
  await page.getByLabel('Email').fill('cook@example.com');
  await page.getByLabel('Phone').fill('+1 404 555 0100');
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('kept on this device and will be sent')).toBeVisible();
}

const userOn = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('root') ?? '{}') as { id?: string }).id ?? '');

type Waiting = { userId: string; operation: string; state: string; wasSent: boolean };
const waitingOn = async (page: Page) => {
  const { databases } = await page.evaluate(dumpDevice);
  return rowsOf(databases, 'outbox')
    .map(({ value }) => value as Waiting)
    .filter(({ state }) => state === 'waiting');
};
const named = ({ operation, wasSent }: Waiting) => `${operation}${wasSent ? ' sent' : ''}`;

/** @returns how a product is taken from sale, by the owner in a browser of their own */
async function openBackOffice(browser: Browser, gateway: Gateway) {
  const page = await browser.newPage({ baseURL: gateway.url, userAgent: 'owner', serviceWorkers: 'block' });
  await page.goto('/login');
  await login(page, ownerAccount);
  await page.waitForURL(/\/dashboard$/);
  return async (name: string) => {
    const status = await page.evaluate(async (wanted) => {
      const list = (await (await fetch('/api/public/catalog/changes?since=0')).json()) as {
        data: { changes: { products: { id: string; name: string }[] } };
      };
      const ids = list.data.changes.products.filter((each) => each.name === wanted).map(({ id }) => id);
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
      const body = JSON.stringify({ ids, change: 'archive' });
      return (await fetch('/api/admin/products/bulk', { method: 'PUT', headers, body })).status;
    }, name);
    expect(status).toBe(200);
  };
}

async function callsUntil(gateway: Gateway, page: Page, act: () => Promise<void>): Promise<WireCall[]> {
  const from = gateway.calls.length;
  await act();
  await page.waitForTimeout(2000); // what the page reads after it
  return gateway.calls.slice(from).filter(({ headers }) => headers['user-agent'] !== 'owner');
}

const wordsOf = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();

/** Whom the call speaks for, by its cookie or its token. */
const speaksAs = ({ headers }: WireCall) => ((headers.cookie ?? headers.authorization) ? 'user' : 'nobody');

async function keep(
  device: DeviceDump,
  tabs: Record<string, Record<string, string>>,
  shown: object,
  calls: Record<'ben' | 'ana', WireCall[]>,
  left: DeviceDump['databases'][number] | undefined,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = (name: string, content: unknown) =>
    writeFile(`${folder}/${name}`, `${JSON.stringify(content, undefined, 1)}\n`);
  const used = JSON.stringify([
    device.localStorage,
    rowsOf(device.databases, 'outbox'),
    rowsOf(device.databases, 'orders'),
  ]);
  for (const { stores } of device.databases)
    for (const store of stores) {
      if (store.name === 'products')
        store.rows = store.rows.filter(({ key }) => typeof key === 'string' && used.includes(key));
      else if (!['outbox', 'orders', 'about', 'categories'].includes(store.name)) store.rows = store.rows.slice(0, 3);
    }
  for (const [name, keys] of Object.entries(device.caches)) device.caches[name] = keys.slice(0, 3);
  await write('device.json', { ...device, tabs });
  await write('shown.json', { ...shown, left: left ? rowsOf([left], 'outbox') : [] });
  await write('calls.json', {
    ben: calls.ben.filter(isChange).map(written),
    ana: calls.ana.filter(isChange).map(written),
  });
  await write('reads.json', Object.fromEntries(['ben', 'ana'].map((who) => [who, readsOf(calls[who as 'ben'])])));
}

/** Without what the router keeps there of scrolled pages. */
const tabOf = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries<string>(Object.entries(sessionStorage).filter(([key]) => !key.startsWith('tsr-'))),
  );

const rowsOf = (databases: DeviceDump['databases'], name: string) =>
  databases.flatMap(({ stores }) => stores).find((store) => store.name === name)?.rows ?? [];

const written = (call: WireCall) => ({
  method: call.method,
  path: call.path,
  as: speaksAs(call),
  'idempotency-key': call.headers['idempotency-key'],
  'content-type': call.headers['content-type'],
  body: call.body,
  answer: call.answer,
});

/** The last answer of each address that was read. */
const readsOf = (calls: WireCall[]) =>
  Object.fromEntries(
    calls
      .filter(
        ({ method, path, answer }) =>
          method === 'GET' && answer?.status === 200 && /\/public\/(?:cart|order|user|shop|catalog)/.test(path),
      )
      .map(({ path, answer }) => [path, answer]),
  );
