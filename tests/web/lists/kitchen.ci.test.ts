import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { queuedMessages } from '../../../src/shared/outbox';
import { products } from '../../../src/server/db/schema/tables';
import { db } from '../../../src/web/device/db';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { kitchen } from '../../../src/web/device/lists';
import { journal } from '../../../src/web/lists/pages/journal';
import { cartOf, placeOrder, putInCart } from '../../support/buying';
import { listsOf } from '../../support/lists';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { choose, control, dialog, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => Promise.all([db.outbox.clear(), kitchen.lists.clear()]));
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create, set, take, remove, lists } = listsOf(() => shop);

/** A customer with a list of these products, each with a par of 3. */
async function cook(...names: string[]) {
  const ana = await shop.signIn();
  const listId = randomUUID();
  await create(ana, listId, 'Dry store');
  const ids: string[] = [];
  for (const name of names) {
    const { id } = await shop.stock({ name, priceCents: 450, quantity: 50 });
    await set(ana, listId, id, { add: true, par: 3 });
    ids.push(id);
  }
  return { ana, listId, ids };
}

const onServer = (as: Person, items: object[]) =>
  vi.waitFor(async () => expect((await lists(as)).flatMap((list) => list.items)).toMatchObject(items), waiting);

const spin = (name: string) =>
  vi.waitFor(() => {
    const field = document.querySelector<HTMLInputElement>(`input[aria-label="${name}"]`);
    if (!field) throw new Error(`no field is called ${name}`);
    return field;
  }, waiting);
async function put(name: string, value: string): Promise<HTMLInputElement> {
  const field = await spin(name);
  field.focus();
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', value, field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return field;
}
async function enter(name: string, value: string): Promise<void> {
  const field = await put(name, value);
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}
const type = (...keys: string[]) => {
  for (const key of keys) window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
};
const number = () => document.querySelector('fieldset output')?.textContent;

test('a deleted list is restored by Undo', async () => {
  const ana = await shop.signIn();
  await create(ana, randomUUID(), 'Cold store');
  tab = openTab(shop, '/customer/lists', { as: ana });
  await press('More actions for Cold store');
  await choose('Delete');
  await see('No lists yet');
  await press('Undo');
  await see('Cold store0 products');
  await vi.waitFor(async () => expect(await lists(ana)).toMatchObject([{ name: 'Cold store' }]), waiting);
});

test('the sheet shows the net amount of a product, if it has one', async () => {
  const { ana, listId, ids } = await cook('Cumin', 'Pepper');
  const [cumin = '', pepper = ''] = ids;
  await shop.db.update(products).set({ netGrams: 110, unitSize: 'a jar' }).where(eq(products.id, cumin));
  await shop.db.update(products).set({ unitSize: 'a tin' }).where(eq(products.id, pepper));
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await see('Cumin3.9 oz');
  await see('Peppera tin');
});

test('the sheet sets par and on hand, and Enter moves down the column', async () => {
  const { ana, listId } = await cook('Cumin', 'Pepper');
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await enter('On hand for Cumin', '0,5');
  expect(document.activeElement).toBe(await spin('On hand for Pepper'));
  await see('3 packs'); // of 3, a half is left
  await enter('Par for Pepper', '4');
  await onServer(ana, [
    { onHand: 0.5, par: 3 },
    { onHand: null, par: 4 },
  ]);
  await enter('On hand for Cumin', '–');
  await onServer(ana, [{ onHand: null, countedAt: null }, {}]);
  await enter('On hand for Cumin', '–2'); // the dash was just rendered under the caret
  await onServer(ana, [{ onHand: 2 }, {}]);
});

test('a number being typed is saved when the page is left or hidden', async () => {
  const { ana, listId } = await cook('Cumin', 'Pepper');
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await put('On hand for Cumin', '7');
  window.dispatchEvent(new Event('pagehide'));
  await onServer(ana, [{ onHand: 7 }, { onHand: null }]);
  await put('On hand for Pepper', '5');
  await tab.go('/contact');
  await onServer(ana, [{ onHand: 7 }, { onHand: 5 }]);
});

test('counting works by keys alone, saves with each product, undoes the last entry, and ends with the sheet', async () => {
  const { ana, listId, ids } = await cook('Cumin', 'Pepper');
  tab = openTab(shop, `/customer/lists/${listId}/count`, { as: ana });
  await see('1 of 2');
  await see('Cumin, not counted, 1 of 2');
  expect(number()).toBe('–');
  type('1', '.', '5', '5');
  await until(() => number() === '1.5');
  type('ArrowUp');
  await until(() => number() === '2.5');
  type('Enter');
  await see('Pepper, not counted, 2 of 2');
  type('4');
  await see('Done');
  await press('Undo the last count');
  await until(() => number() === '–');
  await press('Undo the last count'); // of the product before
  await see('Cumin, not counted, 1 of 2');
  type('7', 'ArrowRight', '8', 'Enter');
  await until(() => tab.path() === `/customer/lists/${listId}`);
  await onServer(ana, [
    { productId: ids[0], onHand: 7 },
    { productId: ids[1], onHand: 8 },
  ]);
});

test('plus pressed and released elsewhere counts once, and a key counts after it', async () => {
  const { ana, listId } = await cook('Cumin', 'Pepper');
  tab = openTab(shop, `/customer/lists/${listId}/count`, { as: ana });
  const plus = await control('Add one');
  plus.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  plus.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, relatedTarget: document.body }));
  await until(() => number() === '1');
  plus.click();
  await until(() => number() === '2');
});

test('one press orders up to par, uncounted products only if ticked, and Undo removes it again', async () => {
  const { ana, listId, ids } = await cook('Cumin', 'Pepper', 'Salt');
  await set(ana, listId, ids[0] ?? '', { onHand: 0.5 });
  await set(ana, listId, ids[2] ?? '', { onHand: 3 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('Order to par');
  await press('Add 1 product to cart $13.50');
  await see('Added 3 packs of 1 product to your cart');
  await control('View cart');
  expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ productId: ids[0], quantity: 3 }]);
  await press('Undo');
  await vi.waitFor(async () => expect((await cartOf(shop, ana)).cartItems).toEqual([]), waiting);

  await press('Order to par');
  const tick = await vi.waitFor(() => {
    const box = document.querySelector<HTMLInputElement>('input[aria-label="Add 3 packs of Pepper"]');
    if (!box) throw new Error('Pepper cannot be ticked');
    return box;
  }, waiting);
  tick.click();
  await press('Decrease', await dialog());
  await press('Add 2 products to cart $22.50');
  await vi.waitFor(
    async () => expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ quantity: 2 }, { quantity: 3 }]),
    waiting,
  );
  await see('1 pack2 in cart');
  await see('To order 1');
  await press('Order to par');
  await press('Add 1 product to cart $4.50');
  await see('3 in cart');
  await see('To order 0');
  await control('View cart');
  await miss('Order to par');
});

test('a count equal to the number before is saved, as a count of today', async () => {
  const { ana, listId, ids } = await cook('Cumin', 'Pepper');
  const countedAt = '2026-03-14T09:26:53.589Z';
  for (const id of ids) await set(ana, listId, id, { onHand: 6, countedAt });
  tab = openTab(shop, `/customer/lists/${listId}/count`, { as: ana });
  await see('Cumin, 6, 1 of 2');
  type('6', 'Enter');
  await see('Pepper, 6, 2 of 2');
  const [cumin, pepper] = (await lists(ana)).flatMap(({ items }) => items);
  expect(pepper).toMatchObject({ onHand: 6, countedAt });
  await vi.waitFor(async () => {
    const [counted] = (await lists(ana)).flatMap(({ items }) => items);
    expect(Date.parse(counted?.countedAt ?? '')).toBeGreaterThan(Date.parse(countedAt));
  }, waiting);
  expect(cumin).toMatchObject({ onHand: 6 });
});

test('units held by the user’s open order can be ordered to par, on top of the cart’s', async () => {
  const { ana, listId, ids } = await cook('Cumin');
  const [id = ''] = ids;
  await shop.db.update(products).set({ quantity: 5 }).where(eq(products.id, id));
  await set(ana, listId, id, { onHand: 0, par: 5 });
  await putInCart(shop, ana, id, 3);
  tab = openTab(shop, '/contact', { as: ana });
  expect(await placeOrder(shop, ana)).toMatchObject({ status: 201 });
  await tab.go(`/customer/lists/${listId}`);
  await see('Subtotal$9.00');
  await press('Order to par');
  await press('Add 1 product to cart $9.00');
  await vi.waitFor(async () => expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ quantity: 5 }]), waiting);
});

test('where more is missing than the device knows of, the server says how many there are', async () => {
  const { ana, listId, ids } = await cook('Cumin');
  const [id = ''] = ids;
  await set(ana, listId, id, { onHand: 0, par: 60 });
  tab = openTab(shop, '/contact', { as: ana });
  await syncCatalog(journal);
  await shop.db.update(products).set({ quantity: 70 }).where(eq(products.id, id)); // too many to be reported
  await syncCatalog(journal);
  await tab.go(`/customer/lists/${listId}`);
  await see('Subtotal$270.00'); // of 60 packs: the page is loaded, and the server has returned it
  await press('Order to par');
  await press('Add 1 product to cart $270.00');
});

test('a count of a product removed on another device stays, and is restored or discarded', async () => {
  const { ana, listId, ids } = await cook('Cumin', 'Pepper');
  tab = openTab(shop, `/customer/lists/${listId}/count`, { as: ana });
  await see('Cumin, not counted');
  await take(ana, listId, ids[0] ?? '');
  await take(ana, listId, ids[1] ?? '');
  await create(ana, randomUUID(), 'Another');
  await see(/This list is empty|Cumin, not counted/);
  tab.close();
  const {
    ana: ben,
    listId: cold,
    ids: [pepper = ''],
  } = await cook('Pepper');
  tab = openTab(shop, `/customer/lists/${cold}`, { as: ben });
  await spin('On hand for Pepper');
  tab.network.isDown = true;
  await enter('On hand for Pepper', '2');
  await remove(ben, cold);
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
  await see('This list was deleted');
  await press('Put back');
  await miss('This list was deleted');
  await onServer(ben, [{ productId: pepper, onHand: 2 }]);
});

test('a product is put on a list from its page; a visitor logs in first, and comes back', async () => {
  const { ana, listId } = await cook();
  const { id } = await shop.stock({ name: 'Grains of Paradise' });
  tab = openTab(shop, `/customer/view/product/${id}`);
  await press('Add to list');
  await until(() => tab.path() === `/login?redirect=${encodeURIComponent(`/customer/view/product/${id}`)}`);
  tab.close();
  tab = openTab(shop, `/customer/view/product/${id}`, { as: ana });
  await press('Add to list');
  await choose('Dry store');
  await see('Added to Dry store');
  expect(await lists(ana)).toMatchObject([{ id: listId, items: [{ productId: id, par: null }] }]);
});

test('without a connection a line from Order to par has its unit price', async () => {
  const { ana, listId, ids } = await cook('Cumin');
  await shop.db
    .update(products)
    .set({ netGrams: 60 })
    .where(eq(products.id, ids[0] ?? ''));
  await set(ana, listId, ids[0] ?? '', { onHand: 1 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await syncCatalog(journal);
  await control('Order to par');
  await tab.setDown(true);
  await press('Order to par');
  await press('Add 1 product to cart $9.00');
  await see('Waiting to add 2 packs of 1 product to your cart');
  await tab.go('/cart');
  await see('$2.13/oz');
});

test('without a connection a deletion is reported as waiting, not as done', async () => {
  const { ana, listId } = await cook('Cumin');
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await spin('On hand for Cumin');
  await tab.setDown(true);
  await press('Move Cumin, position 1 of 1');
  await choose('Remove Cumin');
  await see('This list is empty. Add your first product.');
  await see(queuedMessages.offline);
  await press('Undo');
  await spin('On hand for Cumin');
  await tab.go('/customer/lists');
  await press('More actions for Dry store');
  await choose('Delete');
  await see('No lists yet');
  await see(queuedMessages.offline);
  expect(document.body.textContent).not.toMatch(/List deleted|Removed from the list/);
});

test('a count that a full disk does not accept is not reported as saved', async () => {
  const { ana, listId } = await cook('Uda pods', 'Ehuru');
  tab = openTab(shop, `/customer/lists/${listId}/count`, { as: ana });
  await see('1 of 2');
  await tab.setDown(true);
  await see('Saved offline');
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  for (const write of ['add', 'put'] as const) vi.spyOn(IDBObjectStore.prototype, write).mockImplementation(full);
  onTestFinished(() => void vi.restoreAllMocks());
  type('4', 'ArrowRight');
  await see('Offline, not saved');
  await miss('Saved offline');
});
