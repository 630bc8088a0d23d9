/** Another size in place of a listed one that can't be bought. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { readCatalog } from '../../../src/web/device/catalog';
import { db } from '../../../src/web/device/db';
import { kitchen } from '../../../src/web/device/lists';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { cartOf } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { openOwnShop, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => Promise.all([db.outbox.clear(), kitchen.lists.clear()]));
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create, set } = listsOf(() => shop);

/** A list with a size that can't be bought, and another size in stock. */
async function cookWithSizes(change: Partial<typeof products.$inferInsert>) {
  const ana = await shop.signIn();
  const listId = randomUUID();
  const size = { sizeGroup: randomUUID(), name: 'Afra Rub', quantity: 5 };
  const { id } = await shop.stock({ ...size, netGrams: 110, priceCents: 795 });
  await create(ana, listId, 'Dry store');
  await set(ana, listId, id, { add: true, par: 3, onHand: 1 });
  await shop.db.update(products).set(change).where(eq(products.id, id));
  await shop.stock({ ...size, netGrams: 1000, priceCents: 4900 });
  const other = await shop.stock({ ...size, netGrams: 450, priceCents: 2650 });
  await shop.stock({ ...size, netGrams: 220, priceCents: 1450, quantity: 0 });
  return { ana, listId, other };
}

test('an order to par offers another size of a product that is sold out, and adds it only after a press', async () => {
  const { ana, listId, other } = await cookWithSizes({ quantity: 0 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('Order to par');
  await see('Afra Rub, 3.9 oz (110 g) is sold out. Add 15.9 oz instead?');
  await see('Add 0 products to cart $0.00');
  await press('Add 15.9 oz, $26.50');
  await control('Leave out 15.9 oz');
  await press('Add 1 product to cart $26.50');
  await see('Added 1 pack of 1 product to your cart');
  const line = { productId: other.id, quantity: 1, price: 26.5, netGrams: 450 };
  expect((await cartOf(shop, ana)).cartItems).toMatchObject([line]);
  await press('Undo');
  await vi.waitFor(async () => expect((await cartOf(shop, ana)).cartItems).toEqual([]), waiting);
});

test('another size is offered from the device too, also of a deleted product', async () => {
  const { ana, listId, other } = await cookWithSizes({ archivedAt: new Date() });
  tab = openTab(shop, '/contact', { as: ana });
  await syncCatalog(journal); // or the tab's own is at work
  const knowsOther = async () => (await readCatalog())?.products.some(({ id }) => id === other.id);
  await vi.waitFor(async () => expect(await knowsOther()).toBe(true), waiting);
  await tab.go(`/customer/lists/${listId}`);
  await press('Order to par');
  await see('Afra Rub, 3.9 oz (110 g) is no longer sold. Add 15.9 oz instead?');
  await press('Add 15.9 oz, $26.50');
  await shop.db.update(products).set({ priceCents: 2750 }).where(eq(products.id, other.id));
  await syncCatalog(journal);
  await tab.cache.invalidateQueries();
  await press('Add 15.9 oz, $27.50'); // at its new price, it has to be accepted again
  await press('Add 1 product to cart $27.50');
  await vi.waitFor(
    async () => expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ productId: other.id, quantity: 1 }]),
    waiting,
  );
});

test('an open panel stays when the page behind it takes the focus', async () => {
  const { ana, listId } = await cookWithSizes({ quantity: 0 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('Order to par');
  await see('Adjust quantities before adding to cart');
  await until(() => document.activeElement?.closest('[role=dialog]') !== null);
  document.querySelector<HTMLElement>('main h1')?.focus();
  await new Promise((resolve) => setTimeout(resolve, 300)); // it used to close by then
  await see('Adjust quantities before adding to cart');
});
