import { randomUUID } from 'node:crypto';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import type { ProductList } from '../../../src/shared/lists';
import { db } from '../../../src/web/device/db';
import { kitchen } from '../../../src/web/device/lists';
import { findSavedLists } from '../../../src/web/lists/core/savedLists';
import { listsKey } from '../../../src/web/lists/core/listsKey';
import { addToList, putBack, saveCartAsList, setListItem } from '../../../src/web/lists/core/changeLists';
import { useLists, useRefusedListChanges } from '../../../src/web/lists/core/queries';
import type { RefusedListChange } from '../../../src/web/lists/core/rejectedChanges';
import { type OrderToPar, useOrderToPar } from '../../../src/web/lists/pages/useOrderToPar';
import { outbox } from '../../../src/web/outbox/outbox';
import { reachability } from '../../../src/web/server/reachability';
import { session } from '../../../src/web/server/session';
import { listsOf } from '../../support/lists';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { keptOnDevice, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
let unmount = (): void => undefined;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => Promise.all([db.outbox.clear(), kitchen.lists.clear()]));
afterEach(() => {
  unmount();
  tab.close();
});
afterAll(() => shop.close());

const { create, set, take, remove, lists } = listsOf(() => shop);
const sentOut = ({ userId }: Person) => until(() => outbox.waiting(userId).length === 0);
const bringBack = () => {
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
};

/** What a page would show: the hook's last value. */
function shownBy<Value>(hook: () => Value): () => Value | undefined {
  let last: Value | undefined;
  const Probe = () => {
    last = hook();
    return null;
  };
  const root = createRoot(document.createElement('div'));
  root.render(createElement(QueryClientProvider, { client: tab.cache }, createElement(Probe)));
  unmount = () => root.unmount();
  return () => last;
}

/** A customer with a list of these products, each with a par of 6. */
async function cook(...names: string[]) {
  const ana = await shop.signIn();
  const list = { id: randomUUID(), name: 'Dry store' };
  await create(ana, list.id, list.name);
  const stocked = [];
  for (const name of names) {
    const product = { name, id: (await shop.stock({ name, quantity: 50 })).id };
    await set(ana, list.id, product.id, { add: true, par: 6 });
    stocked.push(product);
  }
  return { ana, list, stocked };
}

const itemsIn = (found: readonly ProductList[] | undefined) =>
  found?.flatMap(({ items }) => items.map(({ par, onHand }) => [par, onHand]));

test('lists open cold without a connection, with the waiting count, and it is sent once', async () => {
  const { ana, list, stocked } = await cook('Pepper');
  const [pepper] = stocked;
  tab = openTab(shop, '/contact', { as: ana });
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toHaveLength(1), waiting);
  tab.network.isDown = true;
  await setListItem(ana.userId, { list, product: pepper! }, { onHand: 2.5 });
  tab.close();
  tab = openTab(shop, '/contact', { as: ana, after: tab });
  const shown = shownBy(() => useLists(ana.userId));
  await until(() => JSON.stringify(itemsIn(shown())) === '[[6,2.5]]');
  expect(itemsIn(await lists(ana))).toEqual([[6, null]]);
  bringBack();
  await sentOut(ana);
  expect(itemsIn(await lists(ana))).toEqual([[6, 2.5]]);
  await vi.waitFor(async () => expect(itemsIn(await findSavedLists(ana.userId))).toEqual([[6, 2.5]]), waiting);
});

test('a list created without a connection is complete immediately', async () => {
  const ana = await shop.signIn();
  const pepper = { name: 'Pepper', id: (await shop.stock({ name: 'Pepper' })).id };
  tab = openTab(shop, '/contact', { as: ana });
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toEqual([]), waiting);
  tab.network.isDown = true;
  const list = { id: randomUUID(), name: 'Bar' };
  await outbox.send('createList', { userId: ana.userId, list });
  await addToList(ana.userId, { list, product: pepper }, 4);
  const shown = shownBy(() => useLists(ana.userId));
  await until(() => JSON.stringify(itemsIn(shown())) === '[[4,null]]');
  bringBack();
  await sentOut(ana);
  expect(await lists(ana)).toMatchObject([{ ...list, items: [{ productId: pepper.id, par: 4 }] }]);
});

test('a response is saved immediately, and of many in parallel the last', async () => {
  const { ana, list } = await cook('Pepper');
  tab = openTab(shop, '/customer/lists', { as: ana });
  await see('Dry store');
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toHaveLength(1), waiting);
  await until(tab.isAtRest); // its own response is saved as well
  const saved: string[] = [];
  const note = (changes: object) => void saved.push(JSON.stringify(changes));
  kitchen.lists.hook('updating', note);
  const answer = (name: string) =>
    tab.cache.setQueryData(listsKey(ana.userId), [{ ...list, changedAt: new Date().toISOString(), items: [], name }]);
  answer('List 1');
  await until(() => saved.length === 1);
  expect(saved[0]).toContain('List 1');
  for (let name = 2; name <= 40; name += 1) answer(`List ${name}`);
  const last = [{ name: 'List 40' }];
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toMatchObject(last), waiting);
  kitchen.lists.hook('updating').unsubscribe(note);
  expect(saved.length).toBeLessThanOrEqual(3);
});

test('a logout deletes the lists, and so does an expired session, but waiting changes stay sealed', async () => {
  const { ana, list, stocked } = await cook('Pepper');
  tab = openTab(shop, '/contact', { as: ana });
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toHaveLength(1), waiting);
  tab.network.isDown = true;
  await setListItem(ana.userId, { list, product: stocked[0]! }, { onHand: 1 });
  session.clear();
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toBeUndefined(), waiting);
  expect(outbox.sealed('')).toHaveLength(1);
  await db.outbox.clear();
  tab.close();

  tab = openTab(shop, '/contact', { as: ana });
  await vi.waitFor(async () => expect(await findSavedLists(ana.userId)).toHaveLength(1), waiting);
  await press('Account settings');
  await press('Logout');
  await see('Logout successful');
  await vi.waitFor(async () => expect(await keptOnDevice()).not.toContain(ana.userId), waiting);
});

test('lists left behind by a killed tab are deleted at the next start', async () => {
  const [ana, ben] = [await shop.signIn(), await shop.signIn()];
  await kitchen.ready();
  await kitchen.lists.put({ userId: ana.userId, lists: [] });
  tab = openTab(shop, '/contact', { as: ben });
  await vi.waitFor(
    async () => expect((await kitchen.lists.toArray()).map(({ userId }) => userId)).toEqual([ben.userId]),
    waiting,
  );
});

const refusedOf = async (ana: Person) => {
  const shown = shownBy(() => useRefusedListChanges(ana.userId));
  await until(() => (shown()?.length ?? 0) > 0 && outbox.waiting(ana.userId).length === 0);
  return shown() as readonly RefusedListChange[];
};

test('a count of a removed product stays visible, and is restored with its count alone', async () => {
  const { ana, list, stocked } = await cook('Pepper');
  const [pepper] = stocked;
  tab = openTab(shop, '/contact', { as: ana });
  tab.network.isDown = true;
  await setListItem(ana.userId, { list, product: pepper! }, { onHand: 2 });
  await take(ana, list.id, pepper!.id);
  bringBack();
  const refused = await refusedOf(ana);
  expect(refused).toMatchObject([
    { listName: 'Dry store', productName: 'Pepper', reason: { code: 'list_item_not_found' } },
  ]);
  expect(itemsIn(await lists(ana))).toEqual([]);
  await putBack(refused);
  expect(itemsIn(await lists(ana))).toEqual([[null, 2]]);
  expect(outbox.countUnsent(ana.userId)).toBe(0);
});

test('counts of a deleted list are restored with the list', async () => {
  const { ana, list, stocked } = await cook('Pepper', 'Salt');
  tab = openTab(shop, '/contact', { as: ana });
  tab.network.isDown = true;
  for (const [place, product] of stocked.entries())
    await setListItem(ana.userId, { list, product }, { onHand: place + 1 });
  await remove(ana, list.id);
  bringBack();
  const refused = await refusedOf(ana);
  expect(refused.map(({ reason }) => reason.code)).toEqual(['list_not_found', 'list_not_found']);
  await putBack(refused);
  expect(await lists(ana)).toMatchObject([list]);
  expect(itemsIn(await lists(ana))).toEqual([
    [null, 1],
    [null, 2],
  ]);
  expect(outbox.countUnsent(ana.userId)).toBe(0);
});

const unitsOf = async (person: Person) => {
  const { data } = await shop.call('getCart', { as: person, path: { userId: person.userId } });
  return Object.fromEntries(data.cartResponse.cartItems.map(({ productName, quantity }) => [productName, quantity]));
};

/** The sheet of a list, once it is loaded. */
async function sheetOf({ userId }: Person, listId: string) {
  const shown = shownBy(() => useOrderToPar(userId, listId));
  await until(() => shown()?.sheet !== undefined);
  return () => shown() as OrderToPar;
}

test('an order to par of fifteen products arrives in the cart exactly once when the connection drops midway', async () => {
  const names = Array.from({ length: 15 }, (_, place) => `Spice ${place}`);
  const { ana, list, stocked } = await cook(...names);
  for (const { id } of stocked) await set(ana, list.id, id, { onHand: 3.5 });
  tab = openTab(shop, '/contact', { as: ana });
  const order = await sheetOf(ana, list.id);
  expect(order().sheet).toMatchObject({ packs: 45 });
  let heard = 0;
  tab.network.passes = ({ method }) => {
    if (method === 'GET' || (heard += 1) !== 6) return true;
    tab.network.isDown = true;
    return false; // done, and the response is lost
  };
  order().add();
  await until(() => order().added !== undefined);
  await until(() => tab.network.isDown);
  bringBack();
  await sentOut(ana);
  expect(await unitsOf(ana)).toEqual(Object.fromEntries(names.map((name) => [name, 3])));
});

test('Undo removes exactly what was added, without a connection too', async () => {
  const { ana, list, stocked } = await cook('Pepper', 'Salt');
  const [pepper] = stocked;
  for (const { id } of stocked) await set(ana, list.id, id, { onHand: 2 });
  const path = { userId: ana.userId };
  await shop.call('addCartItem', { as: ana, path, body: { productId: pepper!.id, quantity: 1 } });
  tab = openTab(shop, '/contact', { as: ana });
  const order = await sheetOf(ana, list.id);
  order().add();
  await until(() => order().added !== undefined);
  expect(await unitsOf(ana)).toEqual({ Pepper: 4, Salt: 4 });
  order().undo();
  await vi.waitFor(async () => expect(await unitsOf(ana)).toEqual({ Pepper: 1 }), waiting);

  await until(() => order().sheet?.packs === 7);
  tab.network.isDown = true;
  await reachability.probe();
  order().add();
  await until(() => order().added?.waits !== undefined);
  expect(order().added).toMatchObject({ packs: 7, products: 2 });
  // sold out by the time it would be sent: an opposite change would remove the existing unit
  await shop.db.update(products).set({ availability: false }).where(eq(products.id, pepper!.id));
  order().undo();
  await until(() => outbox.waiting(ana.userId).length === 0);
  bringBack();
  await outbox.flush();
  expect(await unitsOf(ana)).toEqual({ Pepper: 1 });
});

test('the cart is saved as a list, each product with its quantity as par', async () => {
  const [ana, pepper] = [await shop.signIn(), await shop.stock({ name: 'Pepper' })];
  const path = { userId: ana.userId };
  const { data } = await shop.call('addCartItem', { as: ana, path, body: { productId: pepper.id, quantity: 3 } });
  tab = openTab(shop, '/contact', { as: ana });
  const { listId } = await saveCartAsList(ana.userId, 'Weekly', data.cartResponse);
  const items = [{ productId: pepper.id, par: 3, onHand: null, countedAt: null }];
  expect(await lists(ana)).toMatchObject([{ id: listId, name: 'Weekly', items }]);
});
