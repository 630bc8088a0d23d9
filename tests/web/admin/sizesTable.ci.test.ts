/** The table of sizes in the product form. Rule: docs/rules/catalog.md, Sizes in the product form */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { users } from '../../../src/server/db/schema/tables';
import { moveStock } from '../../support/catalog';
import { logIn, openAccount } from '../../support/auth';
import { multipart } from '../../support/multipart';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { fieldCalled, fill, logInAgain, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A rub in three sizes. */
async function stockSizes() {
  const { id: categoryId } = await shop.category();
  const of = { categoryId, sizeGroup: randomUUID(), name: 'Afra rub' };
  const small = await shop.stock({ ...of, netGrams: 57, priceCents: 495, quantity: 8 });
  const bag = await shop.stock({ ...of, netGrams: 227, priceCents: 1425, quantity: 20 });
  const pound = await shop.stock({ ...of, netGrams: 454, priceCents: 2550, quantity: 5 });
  return { small: small.id, bag: bag.id, pound: pound.id };
}

const productOf = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
const sizesOf = async (id: string) =>
  (await productOf(id)).sizes?.map(({ netGrams, price, quantity }) => [netGrams, price, quantity]);
const valueOf = async (label: string) => (await fieldCalled(label)).value;

/** A colleague changes the price of a size. */
async function reprice(id: string, price: string) {
  const { name, description, quantity, productCategory } = await productOf(id);
  const form = { name, description, quantity, category: productCategory.id, availability: true, price };
  await shop.call('updateProduct', { as: staff, path: { id }, ...multipart(form) });
}

test('one save changes three sizes and adds a fourth', async () => {
  const { small, bag, pound } = await stockSizes();
  tab = openTab(shop, `/update/product/${bag}`, { as: staff });
  await see('3 sizes, 33 in stock');
  await fill('Price of 2 oz', '$5.25');
  await fill('Price of 8 oz', '14.95');
  await fill('Barcode of 8 oz', '96385074');
  await fill('Weight (g) of 8 oz', '9 oz');
  await fill('Stock of 1 lb', '9');
  await fill('Reason for 1 lb', 'Received');
  await press('Add size');
  await fill('Size of the new size', '2 lb');
  await fill('Price of 2 lb', '1,045.00');
  await fill('Stock of 2 lb', '3');
  await see('4 sizes, 40 in stock');
  await moveStock(shop.db, pound, -2); // sold while the form is open
  await press('Save');
  await see('Product updated');
  expect(await sizesOf(small)).toEqual([
    [57, 5.25, 8],
    [227, 14.95, 20],
    [454, 25.5, 7],
    [907, 1045, 3],
  ]);
  expect(await productOf(bag)).toMatchObject({ barcode: '96385074', shippingGrams: 255 });
  const { data } = await shop.call('listStockMovements', { as: staff, path: { id: pound } });
  expect(data.movements.content[0]).toMatchObject({ shelf: 4, reason: 'Received' });
});

test('what is refused is said at its row, and nothing is saved or lost', async () => {
  const { small, bag } = await stockSizes();
  const taken = await shop.stock({ sku: randomUUID().slice(0, 20) });
  const sku = (await productOf(taken.id)).sku ?? '';
  tab = openTab(shop, `/update/product/${small}`, { as: staff });
  await fill('Price of 2 oz', '6');
  await fill('Price of 8 oz', 'ask us');
  await press('Save');
  await see('Enter a price, such as 4.50');
  await fill('Price of 8 oz', '14.95');
  await fill('SKU of 1 lb', sku);
  await fill('Barcode of 1 lb', '96385075');
  await press('Save');
  await see("Check the barcode's digits: it's a UPC, EAN, or GTIN of 8, 12, 13, or 14");
  await fill('Barcode of 1 lb', '');
  await press('Save');
  await see('Another product has this SKU');
  await expect.poll(async () => (await fieldCalled('SKU of 1 lb')).getAttribute('aria-invalid')).toBe('true');
  expect((await sizesOf(bag))?.map(([, price]) => price)).toEqual([4.95, 14.25, 25.5]);
  await fill('SKU of 1 lb', '');
  await press('Save');
  await see('Product updated');
  expect((await sizesOf(bag))?.map(([, price]) => price)).toEqual([6, 14.95, 25.5]);
});

test('a price that a colleague changed too is shown at its row, and only what was typed is saved', async () => {
  const { small, bag, pound } = await stockSizes();
  tab = openTab(shop, `/update/product/${small}`, { as: staff });
  await fill('Price of 8 oz', '14.95');
  await fill('SKU of 1 lb', `P-${pound.slice(0, 8)}`);
  await reprice(bag, '13.50');
  await reprice(pound, '24.00');
  await press('Save');
  await see('Now $13.50, yours is $14.95');
  await see(
    'Someone changed 8 oz while you were editing, so nothing is saved yet. Check the highlighted fields, then save again.',
  );
  await expect.poll(async () => document.activeElement === (await fieldCalled('Price of 8 oz'))).toBe(true);
  expect(await valueOf('Price of 8 oz')).toBe('14.95');
  expect(await valueOf('Price of 1 lb')).toBe('24.00');
  await press('Save');
  await see('Product updated');
  expect((await sizesOf(small))?.map(([, price]) => price)).toEqual([4.95, 14.95, 24]);
});

test('a size that a colleague took out of the sizes leaves the form, which says so, and the rest is saved', async () => {
  const { small, bag, pound } = await stockSizes();
  tab = openTab(shop, `/update/product/${small}`, { as: staff });
  await fill('Price of 8 oz', '14.95');
  await fill('Price of 1 lb', '26');
  await shop.call('setSizeOf', { as: staff, path: { id: bag }, body: { sizeOf: null } });
  await press('Save');
  await see('8 oz: This is no longer a size of this product');
  await see('2 sizes, 13 in stock');
  expect(await valueOf('Price of 1 lb')).toBe('26');
  await press('Save');
  await see('Product updated');
  expect((await productOf(pound)).price).toBe(26);
  expect((await productOf(bag)).price).toBe(14.25);
});

test('a size that is removed is deleted by the save, with Undo', async () => {
  const { small, bag, pound } = await stockSizes();
  tab = openTab(shop, `/update/product/${small}`, { as: staff });
  await press('More actions for 8 oz');
  await press('Delete size', document.body);
  await see('Deleted when you save');
  await press('Undo');
  await press('More actions for 1 lb');
  await press('Delete size', document.body);
  await see('2 sizes, 28 in stock');
  expect((await productOf(pound)).archivedAt).toBeNull();
  await press('Save');
  await see('1 size deleted');
  await expect.poll(async () => (await productOf(pound)).archivedAt).not.toBeNull();
  expect((await productOf(bag)).archivedAt).toBeNull();
  await press('Undo');
  await expect.poll(async () => (await productOf(pound)).archivedAt).toBeNull();
});

test('what is unsaved is named beside Save', async () => {
  const { small } = await stockSizes();
  tab = openTab(shop, `/update/product/${small}`, { as: staff });
  await fill('Price of 2 oz', '5.25');
  await see('1 unsaved change: price of 2 oz');
  await fill('Name', 'Afra grill rub');
  await fill('Weight (g) of 8 oz', '250');
  await press('Add size');
  await see('4 unsaved changes: name, price of 2 oz, weight (g) of 8 oz, new size');
  await press('More actions for the new size');
  await press('Delete size', document.body);
  await until(() => !document.body.textContent.includes('Delete size'));
  await press('More actions for 1 lb');
  await press('Delete size', document.body);
  await see('4 unsaved changes: name, price of 2 oz, weight (g) of 8 oz, 1 lb deleted');
  await fill('Weight (g) of 8 oz', '');
  await fill('Price of 2 oz', '4.95');
  await fill('Name', 'Afra rub');
  await press('Undo');
  await until(() => !document.body.textContent.includes('unsaved change'));
});

test('a new product is created in two sizes', async () => {
  const category = await shop.category({ name: 'a-choice-of-sizes' }); // the form offers the first hundred of the shared shop
  tab = openTab(shop, '/new/product', { as: staff });
  await until(() => [...document.querySelectorAll('option')].some((each) => each.textContent === category.title));
  await fill('Name', 'Cubeb');
  await fill('Category', category.name);
  await fill('Description', 'Tailed pepper.');
  await fill('Price', '4.50');
  await fill('Quantity', '7');
  await fill('Net weight', '2 oz');
  await press('Add size');
  await fill('Size of the new size', '8 oz');
  await fill('Price of 8 oz', '15');
  await fill('Stock of 8 oz', '2');
  await press('Save');
  await see('Product created');
  await until(() => tab.path().startsWith('/view/product/'));
  expect(await sizesOf(tab.path().slice('/view/product/'.length))).toEqual([
    [57, 4.5, 7],
    [227, 15, 2],
  ]);
});

test('typed sizes are still there after the session ended and a new login', async () => {
  const account = await openAccount(shop);
  await shop.db.update(users).set({ role: 'ROLE_OWNER' }).where(eq(users.id, account.id));
  const as = await logIn(shop, account);
  const { small } = await stockSizes();
  const path = `/update/product/${small}`;
  tab = openTab(shop, path, { as });
  await fill('Price of 8 oz', '14.95');
  await press('Add size');
  await fill('Size of the new size', 'Box of 6');
  await fill('Price of Box of 6', '29');
  await fill('Stock of Box of 6', '1');
  await shop.call('logout', { body: {}, headers: { authorization: `Bearer ${as.jwt}` } });
  await press('Save');
  await until(() => tab.path().startsWith('/login'));
  await logInAgain(tab, account, path);
  await expect.poll(() => valueOf('Size of Box of 6')).toBe('Box of 6');
  expect(await valueOf('Price of 8 oz')).toBe('14.95');
  await press('Save');
  await see('Product updated');
  expect((await sizesOf(small))?.map(([, price]) => price)).toEqual([4.95, 14.95, 25.5, 29]);
});
