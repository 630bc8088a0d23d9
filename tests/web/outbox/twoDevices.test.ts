import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { products } from '../../../src/server/db/schema';
import { lineId } from '../../../src/shared/cart';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { openShop, type TestShop } from '../../support/shop';
import { openTab, see, type Tab, until } from '../openTab';
import { bringBack, cartsOf, plus, remove, sentOut, wish } from './cartChanges';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  vi.restoreAllMocks();
  tab.close();
});
afterAll(() => shop.close());

const { cartOf, unitsOf, addTo } = cartsOf(() => shop);
const comeBack = async () => bringBack(tab);

test('what two devices do to one cart adds up', async () => {
  const [pepper, salt, sumac] = await Promise.all(['Pepper', 'Salt', 'Sumac'].map((name) => shop.stock({ name })));
  if (!pepper || !salt || !sumac) throw new Error('nothing to sell');
  const ana = await shop.signIn();
  await addTo(ana, pepper);
  await addTo(ana, salt);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Salt');
  tab.network.isDown = true;
  await plus(ana, pepper); // +1 here and +1 there
  await plus(ana, salt); // removed there, +1 here
  const change = { as: ana, body: { productId: pepper.id, change: 1 } };
  await shop.call('updateCartItem', change);
  await shop.call('removeCartItem', { as: ana, path: { userId: ana.userId, cartItemId: lineId(ana.userId, salt.id) } });
  await comeBack();
  await sentOut(ana);
  expect(await unitsOf(ana)).toEqual({ Pepper: 3, Salt: 1 });

  tab.network.isDown = true;
  await outbox.send('clearCart', { userId: ana.userId }); // cleared here, and something added there
  await addTo(ana, sumac, 2);
  await comeBack();
  await sentOut(ana);
  expect((await cartOf(ana)).cartItems).toEqual([]);
  await until(tab.isAtRest); // else a read that is on its way would be the one of the return, too
  await addTo(ana, sumac, 2);
  window.dispatchEvent(new Event('focus'));
  await see('Sumac');
  expect(await cartOf(ana)).toMatchObject({ totalAmount: (await cartOf(ana)).cartItems[0]?.totalPrice });
});

test('removing a line that another device removed first leaves no ghost', async () => {
  const pepper = await shop.stock({ name: 'Pepper' });
  const ana = await shop.signIn();
  await addTo(ana, pepper);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.isDown = true;
  await remove(ana, pepper);
  expect(await db.outbox.count()).toBe(1);
  await shop.call('clearCart', { as: ana, path: { userId: ana.userId } });
  await comeBack();
  await sentOut(ana);
  await see('Cart is Empty');
  expect(outbox.refused(ana.userId)).toEqual([]);
});

test('more than the shelf has is refused with its reason, and nothing is clipped silently', async () => {
  const pepper = await shop.stock({ name: 'Pepper', quantity: 3 });
  const ana = await shop.signIn();
  await addTo(ana, pepper, 2);
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.isDown = true;
  await plus(ana, pepper, 3);
  await shop.db.update(products).set({ quantity: 1 }).where(eq(products.id, pepper.id));
  await comeBack();
  await until(() => outbox.refused(ana.userId).length === 1);
  expect(await unitsOf(ana)).toEqual({ Pepper: 2 });
  await see('Only 1 left');
});

test('an addition whose answer was lost is sent again, and counts once', async () => {
  const pepper = { name: 'Pepper', id: (await shop.stock({ name: 'Pepper' })).id };
  const ana = await shop.signIn();
  tab = openTab(shop, '/cart', { as: ana });
  await see('Cart is Empty');
  let sent = 0;
  tab.network.passes = ({ method }) => method === 'GET' || (sent += 1) > 1;
  expect(await wish(ana, pepper, 2)).toMatchObject({ queued: true });
  await outbox.flush();
  await sentOut(ana);
  expect(sent).toBe(2);
  expect((await cartOf(ana)).cartItems).toMatchObject([{ quantity: 2 }]);
});
