import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { orders, products } from '../../../src/server/db/schema/tables';
import { db } from '../../../src/web/device/db';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { noteStep } from '../../../src/web/lists/pages/syncState';
import { journal } from '../../../src/web/lists/pages/journal';
import { kitchen, sweepKitchen } from '../../../src/web/device/lists';
import { reachability } from '../../../src/web/server/reachability';
import { placeOrder, putInCart } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, dialog, emptyCatalog, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => Promise.all([db.outbox.clear(), db.orders.clear(), ...kitchen.tables.map((table) => table.clear())]));
beforeEach(emptyCatalog);
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create, set } = listsOf(() => shop);

interface Step {
  at: number;
  away?: object;
}
const step = () => JSON.parse(localStorage.getItem('in-step') ?? '{}') as Partial<Step>;

/** Opens a tab, and waits until the device is in sync. */
async function visit(as: Person, path = '/'): Promise<void> {
  const began = Date.now();
  tab = openTab(shop, path, { as, ...(tab && { after: tab }) });
  await until(() => localStorage.getItem(`answers:${as.userId}`)?.includes('"cart"') ?? false);
  await vi.waitFor(async () => expect(await kitchen.lists.get(as.userId)).toBeDefined(), waiting);
  await syncCatalog(journal);
  await until(() => (step().at ?? 0) >= began);
}

/** The device is off for three hours; meanwhile the shop changes. */
async function away(change: () => Promise<unknown>): Promise<void> {
  tab.close();
  localStorage.setItem('in-step', JSON.stringify({ ...step(), at: (step().at ?? 0) - 3 * 60 * 60 * 1000 }));
  await change();
}
const setPrice = (id: string, priceCents: number) =>
  shop.db.update(products).set({ priceCents }).where(eq(products.id, id));

/** A cook with pepper in the cart and thyme on a list, whose device is in sync. */
async function cook() {
  const pepper = await shop.stock({ name: 'Afra Grill Rub', priceCents: 795 });
  const thyme = await shop.stock({ name: 'Dried Thyme', priceCents: 400, quantity: 5 });
  const ana = await shop.signIn();
  await putInCart(shop, ana, pepper.id, 1);
  const listId = randomUUID();
  await create(ana, listId, 'Weekly kitchen');
  await set(ana, listId, thyme.id, { add: true });
  await visit(ana);
  return { ana, pepper, thyme };
}

test('after more than an hour away a sheet shows once what changed, and the page keeps it', async () => {
  const other = await shop.stock({ name: 'Nobody watches', priceCents: 100 });
  const { ana, pepper, thyme } = await cook();
  await away(async () => {
    await setPrice(pepper.id, 845);
    await setPrice(other.id, 200);
    await shop.db.update(products).set({ quantity: 0, availability: false }).where(eq(products.id, thyme.id));
    await shop.stock({ name: 'Cubeb Pepper', priceCents: 950, unitSize: '50 g' });
  });
  await visit(ana);
  const sheet = await dialog();
  await until(() => sheet.textContent?.includes('$9.50, 50 g') ?? false);
  expect(sheet.textContent).toMatch(
    /While you were awaySince .*Prices 1Afra Grill Rubwas \$7\.95 \$8\.45 · in your cartSold out 1Dried ThymeIn Weekly kitchenNew 1Cubeb Pepper\$9\.50, 50 gDismiss all/,
  );
  await press('Close', sheet);
  await miss('While you were away');
  tab.close();
  await visit(ana, '/customer/changes');
  expect(step().away).toBeUndefined();
  const page = await see('New · $9.50, 50 g');
  expect(page).toContain('Afra Grill Rubwas $7.95 $8.45 · in your cart');
  expect(page).toContain('Dried ThymeSold out · in Weekly kitchen');
  expect(page).toContain('Today');
  expect(page).not.toContain('Nobody watches');
  expect(document.querySelector('[role=dialog]')).toBeNull();
});

test('a change received live is no absence: it is only on the page', async () => {
  const { ana, pepper } = await cook();
  await setPrice(pepper.id, 845);
  await syncCatalog(journal);
  await tab.go('/customer/changes');
  await see('Afra Grill Rubwas $7.95 $8.45 · in your cart');
  expect(step().away).toBeUndefined();
  await press('Dismiss Afra Grill Rub');
  await see('Nothing has changed.');
  tab.close();
  await visit(ana, '/customer/changes');
  await see('Nothing has changed.');
});

test('dismissed rows are gone for good, unless Undo restores them', async () => {
  const { ana, pepper, thyme } = await cook();
  await away(async () => {
    await setPrice(pepper.id, 845);
    await setPrice(thyme.id, 500);
  });
  await visit(ana);
  await press('Dismiss Dried Thyme', await dialog());
  await until(() => document.activeElement?.getAttribute('aria-label') === 'Dismiss Afra Grill Rub');
  await until(() => !document.querySelector('[role=dialog]')?.textContent?.includes('Dried Thyme'));
  await press('Dismiss all', await dialog());
  await miss('While you were away');
  await press('Undo');
  await until(() => document.querySelector('[role=dialog]')?.textContent?.includes('Afra Grill Rub') ?? false);
  await press('Dismiss all', await dialog());
  await miss('While you were away');
  await tab.go('/customer/changes');
  await see('Nothing has changed.');
});

test('the sheet waits while a form is open, and a row leads to its product', async () => {
  const { ana, pepper } = await cook();
  await away(() => setPrice(pepper.id, 845));
  await visit(ana, '/contact');
  await until(() => step().away !== undefined);
  expect(document.querySelector('[role=dialog]')).toBeNull();
  await tab.go('/');
  await press('Afra Grill Rub', await dialog());
  await until(() => tab.path() === `/customer/view/product/${pepper.id}`);
  await miss('While you were away');
});

test('a shipped order is reported', async () => {
  const { id } = await shop.stock({ name: 'Pepper' });
  const ana = await shop.signIn();
  await putInCart(shop, ana, id, 1);
  const { orderId, orderNumber } = (await placeOrder(shop, ana)).data;
  await visit(ana);
  await away(() => shop.db.update(orders).set({ status: 'OUT_FOR_DELIVERY' }).where(eq(orders.id, orderId)));
  await visit(ana);
  await until(() => document.querySelector('[role=dialog]') !== null);
  expect((await dialog()).textContent).toContain(`Your orders 1Order #${orderNumber}Now On Delivery`);
});

test('a logout deletes all of it, and another user sees nothing of it', async () => {
  const { pepper } = await cook();
  await setPrice(pepper.id, 845);
  await syncCatalog(journal);
  await vi.waitFor(async () => expect(await kitchen.changes.count()).toBe(1), waiting);
  await press('Account settings');
  await press('Logout');
  await until(() => localStorage.getItem('in-step') === null);
  await vi.waitFor(async () => expect(await kitchen.changes.count()).toBe(0), waiting);
});

test('a tab that has not yet noticed another tab’s logout does not store the sync time', async () => {
  await cook();
  await until(tab.isAtRest); // its last read records a sync time too
  localStorage.removeItem('root');
  localStorage.removeItem('in-step');
  noteStep('orders');
  expect(localStorage.getItem('in-step')).toBeNull();
});

test('a sync time left by a killed logout is deleted at the next visit', async () => {
  await cook();
  await until(tab.isAtRest);
  localStorage.setItem('in-step', JSON.stringify({ userId: randomUUID(), at: 1 }));
  await sweepKitchen();
  expect(step().at).toBeUndefined();
});

test('the sheet can be closed even after the sync time was deleted with an expired session', async () => {
  const { ana, pepper } = await cook();
  await away(() => setPrice(pepper.id, 845));
  await visit(ana);
  await dialog();
  localStorage.removeItem('in-step');
  await press('Close', await dialog());
  await miss('While you were away');
});

test('without a connection a list, a product and the cart show the age of their prices', async () => {
  const { pepper } = await cook();
  const { name } = (await db.products.get(pepper.id))!.productCategory;
  await tab.go(`/products/${name}`);
  await control('Add Afra Grill Rub to cart');
  await until(tab.isAtRest); // a late response would say that the shop is reachable
  tab.network.breaks = /./;
  await reachability.probe();
  const saysIt = () => /As of \d+:\d\d/.test(document.querySelector('main')?.textContent ?? '');
  await until(saysIt);
  for (const path of [`/customer/view/product/${pepper.id}`, '/cart', '/']) {
    await tab.go(path);
    await until(saysIt);
  }
  tab.network.breaks = undefined;
  await reachability.probe();
  await until(() => !saysIt());
});
