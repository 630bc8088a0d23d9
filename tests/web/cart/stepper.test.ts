/** The plus of a card and of the product page, which becomes a stepper. */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { queuedMessages } from '../../../src/shared/outbox';
import { outbox } from '../../../src/web/outbox/outbox';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let ana: Person;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A list with one product. */
async function openList(quantity = 20, name = 'Cubeb') {
  ana = await shop.signIn();
  const { id: categoryId, name: category } = await shop.category();
  const { id } = await shop.stock({ categoryId, name, quantity });
  tab = openTab(shop, `/products/${category}`, { as: ana });
  await control(`Add to list: ${name}`); // the parts of the card that are loaded later
  await control('Cart, 0 items');
  return { id, category };
}

/** Without a pause, which on a busy machine would be long enough for separate changes. */
async function pressPlus(times: number) {
  const plus = await control('Add Cubeb to cart');
  for (let count = 0; count < times; count += 1) plus.click();
}

/** Someone else has bought the rest. */
const leave = (id: string, quantity: number) => shop.db.update(products).set({ quantity }).where(eq(products.id, id));

const number = () => document.querySelector('main li output')?.textContent;
const changes = () => tab.calls.filter(({ method, path }) => method !== 'GET' && /cart/.test(path));
const toasts = () => [...document.querySelectorAll('[role=status], [role=alert]')].map((each) => each.textContent);
const inCart = async () =>
  (await shop.call('getCart', { as: ana, path: { userId: ana.userId } })).data.cartResponse.cartItems.map(
    ({ quantity }) => quantity,
  );

test('quick presses on a card make one change, and one toast that names the product and counts', async () => {
  await openList();
  await pressPlus(4);
  await until(() => number() === '4 in cart');
  await see('Cubeb · 4 in cart');
  await control('Cart, 4 items');
  expect(changes()).toHaveLength(1);
  expect(await inCart()).toEqual([4]);
  const told = toasts().filter((text) => text?.includes('Item added to cart successfully'));
  expect(told).toHaveLength(1);
  await press('Add Cubeb to cart');
  await see('Cubeb · 5 in cart');
  await miss('Cubeb · 4 in cart');
  await press('View cart');
  await until(() => tab.path() === '/cart');
});

test('minus takes one away; at 1 it turns back into the plus, which keeps the focus, and offers Undo', async () => {
  await openList();
  for (const _ of [1, 2]) await press('Add Cubeb to cart');
  await see('Cubeb · 2 in cart');
  await press('Remove one Cubeb from cart');
  await see('Cart item updated successfully');
  await see('Cubeb · 1 in cart');
  await press('Remove Cubeb');
  await until(() => number() === undefined);
  await until(() => document.activeElement?.getAttribute('aria-label') === 'Add Cubeb to cart');
  await see('Item removed from cart');
  await miss('Cubeb · 1 in cart');
  await press('Undo');
  await until(() => number() === '1 in cart');
});

test('a refused change says why, takes the number back, and leaves nothing to settle', async () => {
  const { id } = await openList(3);
  for (const _ of [1, 2]) await press('Add Cubeb to cart');
  await see('Cubeb · 2 in cart');
  await leave(id, 2);
  await press('Add Cubeb to cart');
  await until(() => number() === '3 in cart');
  await see('Only 2 left');
  await until(() => number() === '2 in cart');
  await until(() => outbox.refused(ana.userId).length === 0);
  const plus = await control('Add Cubeb to cart');
  await until(() => plus.getAttribute('aria-disabled') === 'true');
});

test('offline the number is there at once, and the toast says that it is saved', async () => {
  await openList();
  await tab.setDown(true);
  await pressPlus(2);
  await until(() => number() === '2 in cart');
  await see(queuedMessages.offline);
  await see('Cubeb · 2 in cart');
  expect(outbox.waiting(ana.userId)).toHaveLength(1);
  await tab.setDown(false);
  await until(() => outbox.waiting(ana.userId).length === 0);
  expect(await inCart()).toEqual([2]);
});

test('the product page shows a stepper, the way to the cart with its sum, and the limit', async () => {
  const { id } = await openList(3);
  await tab.go(`/customer/view/product/${id}`);
  const main = () => document.querySelector('main') ?? document;
  await until(() => document.activeElement?.textContent === 'Cubeb'); // the heading takes the focus of a new page
  await press('Add to cart'); // the page's own, which is not that of a card
  await see('1 in your cart');
  await until(() => document.activeElement?.getAttribute('aria-label') === 'Increase');
  await press('Increase', main());
  await press('Increase', main());
  await see('View cart$13.50');
  expect((await control('Increase', main())).getAttribute('aria-disabled')).toBe('true');
  await see('Cubeb · 3 in cart');
  expect(await inCart()).toEqual([3]);
  for (const _ of [1, 2]) await press('Decrease', main());
  await press('Remove', main());
  await control('Add to cart', main());
});

test('a product that is out of stock has no plus, unless it is in the cart', async () => {
  const { id, category } = await openList(2);
  await press('Add Cubeb to cart');
  await see('Cubeb · 1 in cart');
  await leave(id, 0);
  await tab.go('/');
  await tab.cache.invalidateQueries();
  await tab.go(`/products/${category}`);
  await see('Out of Stock');
  expect((await control('Add Cubeb to cart')).getAttribute('aria-disabled')).toBe('true');
  await press('Remove Cubeb');
  await until(() => document.querySelector('[aria-label="Add Cubeb to cart"]') === null);
});
