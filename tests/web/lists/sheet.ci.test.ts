import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { listsOf } from '../../support/lists';
import { openShop, type TestShop } from '../../support/shop';
import { openTab, type Tab, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

test('a number of the sheet stays as entered while the device stores it, and continues from there', async () => {
  const { create, set, lists } = listsOf(() => shop);
  const ana = await shop.signIn();
  const listId = randomUUID();
  await create(ana, listId, 'Dry store');
  const { id } = await shop.stock({ name: 'Cumin', priceCents: 450, quantity: 50 });
  await set(ana, listId, id, { add: true, par: 3 });
  tab = openTab(shop, `/customer/lists/${listId}`, { as: ana });
  const field = await vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[aria-label="Par for Cumin"]');
    if (!found) throw new Error('there is no field');
    return found;
  }, waiting);
  const press = async (key: string) => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await Promise.resolve(); // React renders the effect of a press
  };
  field.focus();
  await press('ArrowUp');
  await press('ArrowUp');
  expect(field.value).toBe('5');
  Reflect.set(Object.getPrototypeOf(field) as object, 'value', '8', field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await press('Enter');
  expect(field.value).toBe('8');
  field.focus();
  await press('ArrowDown');
  await vi.waitFor(async () => expect(await lists(ana)).toMatchObject([{ items: [{ par: 7 }] }]), waiting);
  expect(field.value).toBe('7');
});
