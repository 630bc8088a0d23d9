import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { wantedInCartKey } from '../../../src/shared/deviceNames';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { session } from '../../../src/web/server/session';
import { logIn, openAccount } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { logInAs, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  vi.restoreAllMocks();
  tab.close();
});
afterAll(() => shop.close());

type Account = Awaited<ReturnType<typeof openAccount>>;

/** The product's page is open, and its product is wanted. */
async function wish(product: { id: string }): Promise<void> {
  await tab.go(`/customer/view/product/${product.id}`);
  await press('Add to cart', document.querySelector('main') ?? document);
  await until(() => tab.path().startsWith('/login'));
}

async function unitsOf(account: Account) {
  const { jwt } = await logIn(shop, account);
  const headers = { authorization: `Bearer ${jwt}` };
  const { data } = await shop.call('getCart', { headers, path: { userId: account.id } });
  return Object.fromEntries(data.cartResponse.cartItems.map(({ productName, quantity }) => [productName, quantity]));
}

test('a visitor’s wish is in the cart, even if the tab goes to another page right after the login', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  const awa = await openAccount(shop);
  tab = openTab(shop, '/');
  await wish(pepper);
  const device = vi.spyOn(db, 'ready').mockReturnValue(new Promise(() => undefined)); // the page is gone before it responds
  await logInAs(awa);
  await until(() => session.get()?.id === awa.id);
  tab.close();
  device.mockRestore();
  expect(await unitsOf(awa)).toEqual({});
  tab = openTab(shop, '/cart', { after: tab });
  await see('Black pepper');
  await until(() => sessionStorage.getItem(wantedInCartKey) === null);
  await until(() => outbox.waiting(awa.id).length === 0);
  expect(await unitsOf(awa)).toEqual({ 'Black pepper': 1 });
});

test('a visitor’s wish is in the cart once, even if the tab dies before it recorded that the device has it', async () => {
  const [pepper, salt] = [await shop.stock({ name: 'Black pepper' }), await shop.stock({ name: 'Salt' })];
  const awa = await openAccount(shop);
  tab = openTab(shop, '/');
  for (const product of [pepper, pepper, salt]) await wish(product);
  let left = '';
  const stop = session.subscribe(() => (left = sessionStorage.getItem(wantedInCartKey) ?? ''));
  await logInAs(awa);
  await until(() => session.get()?.id === awa.id);
  stop();
  await see('Item added to cart successfully');
  await until(() => sessionStorage.getItem(wantedInCartKey) === null);
  await until(() => outbox.waiting(awa.id).length === 0);
  tab.close();
  expect(left).toContain(salt.id);
  sessionStorage.setItem(wantedInCartKey, left);
  tab = openTab(shop, '/cart', { after: tab });
  await until(() => sessionStorage.getItem(wantedInCartKey) === null);
  await outbox.flush();
  expect(await db.outbox.count()).toBe(0);
  expect(await unitsOf(awa)).toEqual({ 'Black pepper': 2, Salt: 1 });
});

test('where the browser cannot store anything, the wish stays recorded until the shop has it', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  const awa = await openAccount(shop);
  tab = openTab(shop, '/');
  await wish(pepper);
  vi.spyOn(db, 'ready').mockRejectedValue(new Error('this browser keeps nothing'));
  tab.network.breaks = /\/cart\/add\//;
  await logInAs(awa);
  await until(() => outbox.waiting(awa.id).length === 1);
  expect(sessionStorage.getItem(wantedInCartKey)).toContain(pepper.id);
  tab.network.breaks = undefined;
  await outbox.flush();
  await until(() => outbox.waiting(awa.id).length === 0);
  expect(await unitsOf(awa)).toEqual({ 'Black pepper': 1 });
});
