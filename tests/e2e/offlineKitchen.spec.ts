/** Forty products on a shelf are counted on an offline phone, and ordered up to par. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright/test';
import type { AnswerOf, DataOf } from '../../src/shared/contract';
import { makeList, stockShelf, stockSizes } from '../support/shelf';
import { expect, test, visitUntilSaved } from './offlineShop';
import { ownerAccount, signIn, signInAs } from './shop';

test.describe.configure({ mode: 'serial' }); // each continues where the previous one ended

const items = 40;
const par = 9;
/** The counts: 1 to 8, so that some of each is missing. */
const countOf = (place: number) => (place % 8) + 1;
const counts = Array.from({ length: items }, (_, place) => countOf(place));

let context: BrowserContext;
let page: Page;
let userId: string;
let productIds: string[];
let listId: string;
test.beforeAll(async ({ browser, shop }) => {
  test.setTimeout(240_000);
  await shop.start();
  const owner = await browser.newPage({ baseURL: shop.url });
  await signInAs(owner, ownerAccount);
  const shelf = { origin: shop.url, items, par };
  productIds = await stockShelf(owner.request, shelf);
  await owner.close();
  context = await browser.newContext({
    baseURL: shop.url,
    serviceWorkers: 'allow',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  page = await context.newPage();
  await signIn(page);
  userId = await page.evaluate(() => (JSON.parse(localStorage.getItem('root') ?? '{}') as { id: string }).id);
  listId = await makeList(context.request, { ...shelf, userId, productIds });
  await visitUntilSaved(page);
  await page.goto(`/customer/lists/${listId}`);
  await expect(page.getByRole('spinbutton', { name: /^Par for / })).toHaveCount(items);
});
test.afterAll(() => context?.close());

/** With the cookie of the page's user, outside the app. */
async function read<Id extends 'listLists' | 'getCart'>(path: string): Promise<DataOf<Id>> {
  const answer = await context.request.get(`/api/public/${path}/${userId}`);
  return ((await answer.json()) as AnswerOf<Id>).data;
}

async function countsOfServer(): Promise<(number | null)[] | undefined> {
  const { lists } = await read<'listLists'>('lists');
  return lists.find(({ id }) => id === listId)?.items.map(({ onHand }) => onHand);
}

/** As a phone kills an app to free memory: the page gets no event. */
async function killApp(): Promise<void> {
  const session = await context.newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await page.waitForEvent('crash');
  await page.close();
  page = await context.newPage();
}

/** In the browser. @returns how many changes wait on the device */
async function countKept(): Promise<number> {
  const asked = indexedDB.open('shop');
  await new Promise((resolve) => asked.addEventListener('success', resolve));
  const counted = asked.result.transaction('outbox').objectStore('outbox').count();
  await new Promise((resolve) => counted.addEventListener('success', resolve));
  asked.result.close();
  return counted.result;
}

const key = (name: string) => page.getByRole('button', { name, exact: true });
const placeShown = (place: number) => page.getByText(`${place + 1} of ${items}`, { exact: true });

test('forty products are counted without the server, each with one key and Next, and nothing is lost when the app is killed ten times', async ({
  shop,
}) => {
  await shop.kill();
  await page.goto(`/customer/lists/${listId}/count`);
  for (const [place, count] of counts.entries()) {
    await expect(placeShown(place)).toBeVisible(); // a restarted app continues where it was
    await key(String(count)).click();
    await expect(page.getByRole('group', { name: 'On hand' }).locator('output')).toHaveText(String(count));
    await key(place === items - 1 ? 'Done' : 'Next').click();
    if (place % 4 !== 2) continue;
    await expect(placeShown(place + 1)).toBeVisible();
    await expect.poll(() => page.evaluate(countKept)).toBe(place + 1); // some milliseconds after Next, longer on a busy machine
    await killApp();
    await page.goto(`/customer/lists/${listId}/count`);
  }
  await expect(page.getByText(`${items} waiting to sync`)).toBeVisible();
  await shop.start();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(countsOfServer).toEqual(counts);
  await expect(page.getByText('waiting to sync')).toHaveCount(0);
});

test('without the server, an order to par offers another size of a product that is sold out, and sends it later', async ({
  shop,
  browser,
}) => {
  const owner = await browser.newPage({ baseURL: shop.url });
  await signInAs(owner, ownerAccount);
  const sizes = await stockSizes(owner.request, shop.url);
  await owner.close();
  const cook = { userId, origin: shop.url, par: 2, name: 'Sizes' };
  const sheet = await makeList(context.request, { ...cook, productIds: [sizes.soldOut], onHand: 0 });
  await visitUntilSaved(page);
  await page.goto(`/customer/lists/${sheet}`);
  await expect(page.getByRole('spinbutton', { name: /^Par for / })).toHaveCount(1);
  await shop.kill();
  await page.goto(`/customer/lists/${sheet}`);
  await page.getByRole('button', { name: 'Order to par' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Add 15.9 oz, $26.50' }).click();
  await drawer.getByRole('button', { name: 'Add 1 product to cart $26.50' }).click();
  await expect(page.getByText('Waiting to add 1 pack of 1 product to your cart')).toBeVisible();
  await shop.start();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const lines = async () =>
    (await read<'getCart'>('cart')).cartResponse.cartItems.map(({ productId, quantity, price }) => ({
      productId,
      quantity,
      price,
    }));
  await expect.poll(lines).toEqual([{ productId: sizes.inStock, quantity: 1, price: 26.5 }]);
  await context.request.put(`/api/public/cart/${userId}/clear`, {
    headers: { origin: shop.url, 'idempotency-key': randomUUID() },
  });
});

test('the missing units of forty products get into the cart once, even if the server dies midway', async ({ shop }) => {
  await page.goto(`/customer/lists/${listId}`);
  await page.getByRole('button', { name: 'Order to par' }).click();
  const drawer = page.getByRole('dialog');
  const add = drawer.getByRole('button', { name: `Add ${items} products to cart` });
  await expect(drawer).toContainText(`Add ${items} products to cart`); // a failure names what it says instead
  let answered = 0;
  page.on('response', (response) => {
    if (response.url().includes('/cart/add/')) answered += 1;
  });
  await add.click();
  await expect.poll(() => answered).toBeGreaterThan(5);
  await shop.kill();
  await shop.start();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const inCart = async () => {
    const { cartResponse } = await read<'getCart'>('cart');
    const quantities = new Map(cartResponse.cartItems.map((line) => [line.productId, line.quantity]));
    return productIds.map((id) => quantities.get(id) ?? 0);
  };
  await expect.poll(inCart).toEqual(counts.map((count) => par - count));
  await expect(page.getByText('waiting to sync')).toHaveCount(0);
  await page.goto('/cart');
  await expect(page.getByRole('button', { name: 'Proceed to Checkout' })).toBeEnabled();
  expect(await inCart()).toEqual(counts.map((count) => par - count));
});
