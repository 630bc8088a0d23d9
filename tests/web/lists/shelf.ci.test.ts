import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { db } from '../../../src/web/device/db';
import { kitchen } from '../../../src/web/device/lists';
import { listsOf } from '../../support/lists';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { choose, control, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => Promise.all([db.outbox.clear(), kitchen.lists.clear()]));
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create, order, set, lists } = listsOf(() => shop);

/** A customer with a list of three products. */
async function shelf() {
  const ana = await shop.signIn();
  const listId = randomUUID();
  await create(ana, listId, 'Dry store');
  const ids: string[] = [];
  for (const name of ['Salt', 'Cumin', 'Mace']) {
    const { id } = await shop.stock({ name, quantity: 50 });
    await set(ana, listId, id, { add: true, par: 3 });
    ids.push(id);
  }
  return { ana, listId, ids: ids as [string, string, string] };
}

const rows = () => [...document.querySelectorAll('tbody th')].map((cell) => cell.firstChild?.textContent);
const onServer = (as: Person, ids: readonly string[]) =>
  vi.waitFor(async () => {
    expect((await lists(as)).flatMap(({ items }) => items).map(({ productId }) => productId)).toEqual(ids);
  }, waiting);
const type = (...keys: string[]) => {
  for (const key of keys)
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
};

test('a product is lifted with Space, moved with the arrows, and announced; counting follows the new order', async () => {
  const { ana, listId, ids } = await shelf();
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  (await control('Move Salt, position 1 of 3')).focus();
  type(' ', 'ArrowDown', 'ArrowDown');
  await see('Salt, position 3 of 3');
  type('Escape');
  expect(rows()).toEqual(['Salt', 'Cumin', 'Mace']);
  type(' ', 'ArrowDown', ' ');
  await until(() => rows().join(' ') === 'Cumin Salt Mace');
  await see('Salt, position 2 of 3');
  expect(document.activeElement).toBe(await control('Move Salt, position 2 of 3'));
  await onServer(ana, [ids[1], ids[0], ids[2]]);
  await tab.go(`/customer/lists/${listId}/count`);
  await see('Cumin, not counted, 1 of 3');
});

test('the menu of a row moves it too, without a connection, and the order is sent later', async () => {
  const { ana, listId, ids } = await shelf();
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await control('Move Mace, position 3 of 3');
  await tab.setDown(true);
  await press('Move Mace, position 3 of 3');
  await choose('Move to top');
  await until(() => rows().join(' ') === 'Mace Salt Cumin');
  await press('Move Mace, position 1 of 3');
  await choose('Move down');
  await until(() => rows().join(' ') === 'Salt Mace Cumin');
  await tab.setDown(false);
  await onServer(ana, [ids[0], ids[2], ids[1]]);
  const orders = tab.calls.filter(({ path, status }) => path.endsWith('/order') && status === 200);
  expect(orders).toHaveLength(1);
});

test('the order that another device set is shown, and A to Z is only a view of it', async () => {
  const { ana, listId, ids } = await shelf();
  await order(ana, listId, [ids[2]]);
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await until(() => rows().join(' ') === 'Mace Salt Cumin');
  const sorting = document.querySelector('select')!;
  sorting.value = 'name';
  sorting.dispatchEvent(new Event('change', { bubbles: true }));
  await until(() => rows().join(' ') === 'Cumin Mace Salt');
  await control('More actions for Cumin');
  await onServer(ana, [ids[2], ids[0], ids[1]]);
});
