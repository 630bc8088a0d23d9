import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { queuedMessages } from '../../../src/shared/outbox';
import { parMessages } from '../../../src/shared/orderToPar';
import { cartOf } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { openShop, type TestShop } from '../../support/shop';
import { miss, openTab, press, see, type Tab, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

test('an order to par undone without a connection is reported as waiting, not as done', async () => {
  const { create, set } = listsOf(() => shop);
  const ana = await shop.signIn();
  const listId = randomUUID();
  await create(ana, listId, 'Dry store');
  const { id } = await shop.stock({ name: 'Cumin', priceCents: 450, quantity: 50 });
  await set(ana, listId, id, { add: true, par: 3, onHand: 1 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('Order to par');
  await press('Add 1 product to cart $9.00');
  await see('Added 2 packs of 1 product to your cart');
  await tab.setDown(true);
  await press('Undo');
  await see(queuedMessages.offline);
  await miss(parMessages.undone);
  await tab.setDown(false);
  await vi.waitFor(async () => expect((await cartOf(shop, ana)).cartItems).toEqual([]), waiting);
});
