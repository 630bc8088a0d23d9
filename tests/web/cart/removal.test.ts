import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { leaveMs } from '../../../src/web/cart/useLeavingLines';
import { outbox } from '../../../src/web/outbox/outbox';
import { reachability } from '../../../src/web/server/reachability';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { cartOf, shopperWith } from '../../support/buying';
import { miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
afterEach(async () => {
  await until(() => tab.cache.isMutating() === 0); // a late response would show its Undo in the next test
  tab.close();
});
afterAll(() => shop.close());

/** Opens the cart of a customer with this many units of two products. */
async function openCartOfTwo(units = 1): Promise<Person> {
  const stocked = [await shop.stock({ name: 'Black pepper' }), await shop.stock({ name: 'Cubeb' })];
  const person = await shopperWith(shop, units, ...stocked);
  tab = openTab(shop, '/cart', { as: person });
  return person;
}

async function clearCart(): Promise<void> {
  await press('Clear Cart');
  await see('This removes everything in your cart.');
  await press('Clear Cart', document.querySelector('[role=alertdialog]') ?? document);
}

const linesOf = async (person: Person) => (await cartOf(shop, person)).cartItems;
const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];

const bothLines = [
  { productName: 'Black pepper', quantity: 3 },
  { productName: 'Cubeb', quantity: 3 },
];
const namesShown = () => rows().map((row) => row.querySelector('th')?.textContent);

test('Undo restores a removed item in its position, with all its units', async () => {
  const ana = await openCartOfTwo(3);
  await press('Remove Black pepper');
  await see('Item removed from cart');
  await expect.poll(() => linesOf(ana)).toMatchObject([{ productName: 'Cubeb' }]);
  await press('Undo');
  await see('Black pepper is back in your cart');
  await expect.poll(() => linesOf(ana)).toMatchObject(bothLines);
  await until(() => namesShown().join() === 'Black pepper,Cubeb');
});

test('Undo of Clear Cart restores every item in its position', async () => {
  const ana = await openCartOfTwo(3);
  await clearCart();
  await see('Cart cleared successfully');
  await expect.poll(() => linesOf(ana)).toEqual([]);
  await press('Undo');
  await see('Your cart is back');
  await expect.poll(() => linesOf(ana)).toMatchObject(bothLines);
});

test('without a connection Undo restores a removed item, and a cleared cart', async () => {
  const ana = await openCartOfTwo(3);
  await see('Cubeb');
  tab.network.isDown = true;
  await reachability.probe();
  await press('Remove Black pepper');
  await see("Saved. We'll sync it when you're back online.");
  await miss('Black pepper');
  await press('Undo');
  await see('Black pepper is back in your cart');
  await until(() => namesShown().join() === 'Black pepper,Cubeb');
  await clearCart();
  await see('Cart is Empty');
  await press('Undo');
  await see('Your cart is back');
  await until(() => namesShown().join() === 'Black pepper,Cubeb');
  expect(outbox.countUnsent(ana.userId)).toBe(0);
});

test('an item that the shop no longer has is removed without an Undo', async () => {
  const pepper = await shop.stock({ name: 'Black pepper' });
  const ana = await shopperWith(shop, 1, pepper, await shop.stock());
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, pepper.id));
  tab = openTab(shop, '/cart', { as: ana });
  await see('This product is no longer sold');
  await press('Remove Black pepper');
  await see('Item removed from cart');
  expect(document.body.textContent).not.toContain('Undo');
});

test('a removed item is seen going, and cannot be used meanwhile', async () => {
  await openCartOfTwo();
  await see('Cubeb');
  await press('Remove Black pepper');
  await vi.waitFor(() => expect(rows().map((row) => row.hasAttribute('inert'))).toEqual([true, false]), waiting);
  await see('Subtotal$4.50');
  await miss('Black pepper');
});

test('removing an item moves the focus to the next one, and after the last to the empty cart', async () => {
  await openCartOfTwo();
  await press('Remove Black pepper');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Cubeb');
  await press('Remove Cubeb');
  await see('Cart is Empty');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Cart is Empty'), waiting);
});

test('the focus moves to the next item’s own Remove, whatever else that item asks', async () => {
  const cubeb = await shop.stock({ name: 'Cubeb', quantity: 9 });
  const ana = await shopperWith(shop, 5, await shop.stock({ name: 'Black pepper', quantity: 9 }), cubeb);
  await shop.db.update(products).set({ quantity: 2 }).where(eq(products.id, cubeb.id));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Take 2');
  await press('Remove Black pepper');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Cubeb');
});

test('an item restored by Undo while it is still seen going stays in sight', async () => {
  const { setTimeout: wait } = globalThis;
  const slowly = (work: () => void, ms?: number, ...args: []) => wait(work, ms === leaveMs ? 60_000 : ms, ...args);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(slowly);
  const begin = vi.spyOn(HTMLElement.prototype, 'animate');
  const closing = () => begin.mock.results.filter(({ value }) => (value as Animation).effect !== null).length;
  await openCartOfTwo();
  await see('Cubeb');
  await press('Remove Black pepper');
  await until(() => closing() > 0);
  await press('Undo');
  await until(() => rows().length === 2 && closing() === 0 && rows().every((row) => !row.hasAttribute('inert')));
  vi.restoreAllMocks();
});
