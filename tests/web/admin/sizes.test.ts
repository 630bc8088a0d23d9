/** Sizes on a product's page in the back office. Rule: docs/rules/catalog.md, Sizes */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { control, dialog, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

const stock = async (name: string, netGrams: number) =>
  shop.stock({ name: `${name} ${randomUUID().slice(0, 8)}`, netGrams });
const sizesOf = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product.sizes?.map((size) => size.id);
const resultNamed = (name: string) => control(`${name}3.9 oz (110 g), $4.50`);

test('staff find a product that is another size, and take it out again with Undo', async () => {
  const [large, small] = [await stock('Rub', 450), await stock('Rub', 110)];
  tab = openTab(shop, `/view/product/${large.id}`, { as: staff });
  await press('Add existing product');
  await see('Add an existing product');
  await fill('Product', small.name);
  (await resultNamed(small.name)).click();
  await see('2 sizes, 20 in stock');
  expect(await sizesOf(large.id)).toEqual([small.id, large.id]);
  await press(`Remove ${small.name} from these sizes`);
  await miss('2 sizes');
  expect(await sizesOf(large.id)).toBeUndefined();
  await press('Undo');
  await see('2 sizes, 20 in stock');
  expect(await sizesOf(small.id)).toEqual([small.id, large.id]);
});

test('a product that is a size of others already is moved only after a question', async () => {
  const [large, larger, small, other] = [
    await stock('Rub', 450),
    await stock('Rub', 1000),
    await stock('Salt', 110),
    await stock('Salt', 220),
  ];
  const join = (id: string, sizeOf: string) => shop.call('setSizeOf', { as: staff, path: { id }, body: { sizeOf } });
  await join(larger.id, large.id);
  await join(small.id, other.id);
  tab = openTab(shop, `/view/product/${large.id}`, { as: staff });
  await see('2 sizes');
  await press('Add existing product');
  await fill('Product', small.name);
  (await resultNamed(small.name)).click();
  await see(`Move ${small.name}?`);
  expect(await sizesOf(small.id)).toEqual([small.id, other.id]);
  await press('Move', await dialog());
  await see('3 sizes');
  expect(await sizesOf(large.id)).toEqual([small.id, large.id, larger.id]);
});

test('a search without a result says so', async () => {
  const { id } = await stock('Rub', 450);
  tab = openTab(shop, `/view/product/${id}`, { as: staff });
  await press('Add existing product');
  await fill('Product', randomUUID());
  await see('No products found. Try another name.');
  await press('Cancel', await dialog());
  await until(() => document.querySelector('[role=dialog]') === null);
});
