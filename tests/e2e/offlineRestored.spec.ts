/** A phone that was away while the shop was restored from an earlier backup. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import type { AnswerOf } from '../../src/shared/contract';
import { dumpDevice, type DeviceDump } from '../support/deviceDump';
import { makeList } from '../support/shelf';
import { change, listOf, serverCart, userOf } from './calls';
import { expect, test, visitUntilSaved } from './offlineShop';
import { createShop, ofTheMachine, type RunningShop } from './runningShop';
import { login, ownerAccount, signIn, signInAs } from './shop';

const [rub, blend, mix, domoda] = [
  'Afra Grill Rub',
  'Peppersoup Blend',
  'Yassa Marinade Mix',
  'Domoda Peanut Base',
] as const;

let shop: RunningShop; // restored in the middle, so no other test may use it
let elsewhere: string;
test.beforeEach(async () => {
  shop = await createShop();
  elsewhere = path.join(path.dirname(shop.mails), '../elsewhere');
  await shop.start();
});
test.afterEach(async () => {
  await shop.start({ DATA_DIR: elsewhere }); // takes over the database that a kill left running
  await shop.stop();
});

test('a phone that was away while the shop was restored agrees with it again, and sends its edits once', async ({
  browser,
}) => {
  const options = { baseURL: shop.url, serviceWorkers: 'allow', viewport: { width: 390, height: 844 } } as const;
  const context = await browser.newContext({ ...options, hasTouch: true });
  let page = await context.newPage();
  const cook = await signIn(page);
  const userId = await userOf(context);
  const owner = await browser.newPage({ baseURL: shop.url });
  await signInAs(owner, ownerAccount);
  const idOf = await productIds(page);
  const listed = { origin: shop.url, userId, par: 4, productIds: [idOf(rub)] };

  // as of the backup: a list, a line in the cart, and an order
  const listId = await makeList(context.request, { ...listed, name: 'Dry store' });
  await putInCart(page, userId, idOf(blend));
  const first = await placeOrder(page, userId);
  const cartOfBackup = await serverCart(context);
  const dataDir = path.dirname(shop.mails);
  const folder = path.join(dataDir, '../backup');
  await run('backup', folder, dataDir);

  // since then: another name, list, line, and order, all of them on the phone too
  await rename(owner, idOf(rub), `${rub}, new recipe`);
  await makeList(context.request, { ...listed, name: 'Since the backup' });
  await putInCart(page, userId, idOf(mix));
  const second = await placeOrder(page, userId);
  await putInCart(page, userId, idOf(mix));
  await visitUntilSaved(page);
  await page.goto('/customer/lists');
  await expect(page.getByRole('link', { name: 'Since the backup' })).toBeVisible();
  await page.goto('/customer/orders');
  await expect(page.getByText(second).first()).toBeVisible();
  await page.goto(`/customer/lists/${listId}`);
  await expect(page.getByText('new recipe').first()).toBeVisible();
  await page.goto('/cart');
  await expect(page.getByText(mix).first()).toBeVisible();

  // offline: the list gets a count, and the cart two units
  await shop.kill();
  await page.goto(`/customer/lists/${listId}/count`);
  await page.getByRole('button', { name: '3', exact: true }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.goto('/products/savory');
  await page.getByRole('button', { name: `Add ${domoda} to cart` }).click();
  await expect(page.getByText("Saved. We'll sync it when you're back online.").first()).toBeVisible();
  await expect.poll(() => outboxOn(page)).toHaveLength(2);

  // a new machine goes on from the backup
  await run('restore', folder, elsewhere);
  await shop.start({ DATA_DIR: elsewhere });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.goto('/products/savory');
  await expect(page.getByRole('heading', { name: rub, exact: true })).toBeVisible();
  await page.goto('/cart');
  await expect(page).toHaveURL(/\/login/);
  await expect(
    page.getByText('2 unsent changes are saved on this device until their account logs in again.'),
  ).toBeVisible();
  await login(page, cook);
  await expect(page).toHaveURL(/\/cart$/);
  await expect.poll(() => outboxOn(page)).toEqual([]);

  // phone and shop agree: what was there at the backup, and the edits once
  expect(await serverCart(context)).toEqual({ ...cartOfBackup, [domoda]: 1 });
  expect((await listOf(context, 'Dry store'))?.items).toMatchObject([{ productId: idOf(rub), par: 4, onHand: 3 }]);
  expect(await listOf(context, 'Since the backup')).toBeUndefined();
  await expect(page.getByText(mix)).toHaveCount(0);
  await page.goto('/customer/orders');
  await expect(page.getByText(first).first()).toBeVisible();
  await expect(page.getByText(second)).toHaveCount(0);
  await page.goto('/customer/lists');
  await expect(page.getByRole('link', { name: 'Dry store' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Since the backup' })).toHaveCount(0);

  // and offline the phone shows the same
  await visitUntilSaved(page);
  await shop.kill();
  await page.close();
  page = await context.newPage();
  await page.goto(`/customer/view/product/${idOf(rub)}`);
  await expect(page.getByRole('heading', { name: rub, exact: true })).toBeVisible();
  await page.goto('/cart');
  await expect(page.getByText(domoda).first()).toBeVisible();
  expect(JSON.stringify(await dumpOf(page))).not.toMatch(/new recipe|Since the backup/);
  await context.close();
  await owner.close();
});

/** The command, as an operator types it. */
const run = (command: 'backup' | 'restore', folder: string, dataDir: string) =>
  promisify(execFile)(process.execPath, ['dist/server/backup.js', command, folder], {
    env: { ...ofTheMachine(process.env), DATA_DIR: dataDir },
  });

async function catalogOf(page: Page) {
  const answer = await page.request.get('/api/public/catalog/changes?since=0');
  return ((await answer.json()) as AnswerOf<'getCatalogChanges'>).data.changes.products;
}

async function productIds(page: Page): Promise<(name: string) => string> {
  const ids = new Map((await catalogOf(page)).map(({ name, id }) => [name, id]));
  return (name) => ids.get(name) ?? '';
}

async function rename(staff: Page, id: string, name: string): Promise<void> {
  const product = (await catalogOf(staff)).find((each) => each.id === id);
  if (!product) throw new Error(`there is no product ${id}`);
  const { description, price, availability, quantity, productCategory } = product;
  await change<'updateProduct'>(staff, 'PUT', `/admin/products/update/${id}`, {
    multipart: {
      name,
      description,
      price: price.toFixed(2),
      availability: String(availability),
      quantity: String(quantity),
      category: productCategory.name,
    },
  });
}

const putInCart = (page: Page, userId: string, productId: string) =>
  change<'addCartItem'>(page, 'POST', `/public/cart/add/${userId}`, { data: { productId, quantity: 1 } });

/** @returns its number */
async function placeOrder(page: Page, userId: string): Promise<string> {
  const answer = await page.request.get(`/api/public/cart/${userId}`);
  const { cartId } = ((await answer.json()) as AnswerOf<'getCart'>).data.cartResponse;
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const { orderNumber } = await change<'placeOrder'>(page, 'POST', `/public/order/${userId}/payment/${cartId}`, {
    data: { customer: 'Example Cook', deliveryAddress },
  });
  return orderNumber;
}

const dumpOf = (page: Page): Promise<DeviceDump> => page.evaluate(`(${dumpDevice.toString()})()`);

async function outboxOn(page: Page): Promise<unknown[]> {
  const { databases } = await dumpOf(page);
  return databases.flatMap(({ stores }) => stores.filter(({ name }) => name === 'outbox')).flatMap(({ rows }) => rows);
}
