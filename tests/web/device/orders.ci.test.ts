import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { db } from '../../../src/web/device/db';
import { findSavedOrders } from '../../../src/web/orders/onDevice';
import { placeOrder } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, openTab, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  allowCallsElsewhere(); // to the card provider
  shop = await openShop();
});
beforeEach(() => Promise.all([db.orders.clear(), db.about.clear()]));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A customer who has placed an order. */
async function buyer() {
  const { id: productId } = await shop.stock({ name: 'Pepper' });
  const ana = await shop.signIn();
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity: 1 } });
  const { data } = await placeOrder(shop, ana);
  return { ana, orderNumber: data.orderNumber };
}

const savedOf = async ({ userId }: Person) => (await findSavedOrders(userId, 1))?.content ?? [];

test('orders that could not be saved are saved at the next opportunity', async () => {
  const { ana, orderNumber } = await buyer();
  const asked: string[] = [];
  tab = openTab(shop, '/contact', { as: ana });
  tab.network.answers = (pathname) => {
    if (!pathname.includes('customerorders')) return undefined;
    asked.push(pathname);
    return Response.json({ code: 'unavailable' }, { status: 503 });
  };
  await until(() => asked.length > 0);
  expect(await savedOf(ana)).toEqual([]);
  tab.network.answers = () => undefined;
  await vi.waitFor(async () => {
    window.dispatchEvent(new Event('focus'));
    expect(await savedOf(ana)).toMatchObject([{ orderNumber }]);
  }, waiting);
});

test('orders left behind by a logout whose tab was killed are deleted at the next start', async () => {
  const { ana } = await buyer();
  const ben = await shop.signIn();
  tab = openTab(shop, '/contact', { as: ana });
  await vi.waitFor(async () => expect(await savedOf(ana)).toHaveLength(1), waiting);
  const [left] = await db.orders.toArray();
  const about = await db.about.get(`orders:${ana.userId}`);
  tab.close();
  for (const as of [ben, undefined]) {
    if (left && about) await Promise.all([db.orders.put(left), db.about.put(about)]);
    expect(await db.orders.where({ userId: ana.userId }).count()).toBe(1);
    tab = openTab(shop, '/contact', { as });
    await vi.waitFor(async () => {
      expect(await db.orders.where({ userId: ana.userId }).count()).toBe(0);
      expect(await db.about.get(`orders:${ana.userId}`)).toBeUndefined();
    }, waiting);
    tab.close();
  }
});

test('orders stay saved when their user comes back', async () => {
  const { ana } = await buyer();
  tab = openTab(shop, '/contact', { as: ana });
  await vi.waitFor(async () => expect(await savedOf(ana)).toHaveLength(1), waiting);
  tab.close();
  tab.network.isDown = true;
  tab = openTab(shop, '/customer/orders', { after: tab });
  await see('Last updated');
  expect(await savedOf(ana)).toHaveLength(1);
});
