import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { db } from '../../../src/web/device/db';
import { kitchen } from '../../../src/web/device/lists';
import { listsOf } from '../../support/lists';
import { openOwnShop, type TestShop } from '../../support/shop';
import { choose, control, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(() => Promise.all([db.outbox.clear(), kitchen.lists.clear()]));
afterEach(() => tab.close());
afterAll(() => shop.close());

const { create, set, lists } = listsOf(() => shop);

/** A customer with a list of two products, which were just counted. */
async function counted() {
  const ana = await shop.signIn();
  const listId = randomUUID();
  await create(ana, listId, 'Dry store');
  const ids: string[] = [];
  for (const name of ['Salt', 'Cumin']) {
    const { id } = await shop.stock({ name, quantity: 50 });
    await set(ana, listId, id, { add: true, par: 3, onHand: 3 });
    ids.push(id);
  }
  return { ana, listId, ids };
}

test('a list is duplicated with its products and pars, not counted, without a connection too', async () => {
  const { ana, listId, ids } = await counted();
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await control('All 2');
  await tab.setDown(true);
  await press('More actions for Dry store');
  await choose('Duplicate');
  await control('More actions for Dry store copy');
  await until(() => tab.path() !== `/customer/lists/${listId}`);
  await see('2 products');
  await tab.setDown(false);
  const items = ids.map((productId) => ({ productId, par: 3, onHand: null, countedAt: null }));
  await vi.waitFor(
    async () => expect(await lists(ana)).toMatchObject([{ name: 'Dry store' }, { name: 'Dry store copy', items }]),
    waiting,
  );
});

test('a new count starts at the first product, though all were just counted', async () => {
  const { ana, listId } = await counted();
  await set(ana, listId, (await shop.stock({ name: 'Mace' })).id, { add: true, par: 3 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('Count');
  await see('Mace, not counted, 3 of 3');
  await tab.go(`/customer/lists/${listId}`);
  await press('More actions for Dry store');
  await choose('Start a new count');
  await see('Salt, 3, 1 of 3');
});

test('a count sheet is printed in shelf order under its own title', async () => {
  const { ana, listId } = await counted();
  const titles: string[] = [];
  vi.spyOn(window, 'print').mockImplementation(() => void titles.push(document.title));
  onTestFinished(() => void vi.restoreAllMocks());
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  await press('More actions for Dry store');
  await choose('Print count sheet');
  await until(() => titles.length > 0);
  expect(titles).toEqual(['Count sheet: Dry store']);
  await see('1Salt3');
  await press('Back to list');
  await control('All 2');
});
