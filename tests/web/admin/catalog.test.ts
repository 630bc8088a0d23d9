import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { categories, orderItems, products, users } from '../../../src/server/db/schema/tables';
import { isForOwner, mainPlaces, morePlaces, sellingPlaces } from '../../../src/web/admin/shell/places';
import { createShop } from '../../../src/web/app/shop';
import { reachability } from '../../../src/web/server/reachability';
import { logIn, openAccount } from '../../support/auth';
import { stockCategory } from '../../support/backOffice';
import { paidOrder } from '../../support/buying';
import { multipart } from '../../support/multipart';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import {
  box,
  choose,
  control,
  dialog,
  fieldCalled,
  fill,
  miss,
  openTab,
  press,
  see,
  type Tab,
  until,
} from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const rows = () => [...document.querySelectorAll('main tbody tr')].map((row) => row.querySelector('a')?.textContent);
const categoryNamed = async (name: string) =>
  (await shop.db.select().from(categories).where(eq(categories.name, name))).length > 0;
const productOf = async (id: string) => (await shop.db.select().from(products).where(eq(products.id, id)))[0];

test('every page of the back office is in the sidebar, and a manager sees nothing reserved for the owner', async () => {
  tab = openTab(shop, '/products', { as: owner });
  const selling = ['Dashboard', 'Products', 'Categories', 'Users', 'Orders', 'Reports', 'Discounts'];
  const names = [...selling, 'Reserved stock', 'Messages', 'Email log', 'Audit log', 'Health', 'Settings'];
  const places = [...mainPlaces, ...sellingPlaces, ...morePlaces];
  expect(places.map(({ label }) => label)).toEqual(names);
  for (const name of [...names, 'Logout']) await control(name === 'Health' ? 'Health, needs attention' : name); // a new shop has no mail server
  await see(`Welcome, Example Customer ${owner.email}`);
  tab.close();
  tab = openTab(shop, '/admin/mail', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see('403 forbidden');
  await see('Only the owner can see this page.');
  expect(document.querySelector('a[href="/admin/mail"]')).toBeNull();
});

test.each([
  ['/admin/mail', true],
  ['/admin/health', true],
  ['/admin/mail/settings', true],
  ['/admin/mailing', false],
  ['/admin/settings', false],
])('only the owner may see %s: %s', (path, isOnly) => expect(isForOwner(path)).toBe(isOnly));

test('several products are deleted in one go, and Undo restores them', async () => {
  const { name, stocked } = await stockCategory(shop, 3);
  tab = openTab(shop, `/products?category=${name}`, { as: owner });
  await see('1–3 of 3');
  (await box('Select all rows on this page')).click();
  await press('Delete');
  await press('Delete', await control('Cancel').then((button) => button.parentElement as HTMLElement));
  await see('3 products deleted');
  await see('No products found. Try another search or fewer filters.');
  await press('Undo');
  await see('3 products restored');
  await until(() => rows().length === 3);
  expect((await productOf(stocked[0]?.id ?? ''))?.archivedAt).toBeNull();
});

test('products are filtered by supplier and by tag, with their numbers, and the URL keeps the filter', async () => {
  await shop.stock({ name: 'Sumac', supplier: 'Levant, Inc.', tags: ['holiday'] });
  await shop.stock({ name: 'Zaatar', supplier: 'Levant, Inc.' });
  tab = openTab(shop, '/products', { as: owner });
  await press('Supplier');
  await choose('Levant, Inc. (2)');
  await until(() => rows().length === 2 && rows().includes('Zaatar'));
  await press('Tag');
  await choose('holiday (1)');
  await until(() => rows().join() === 'Sumac');
  tab.close();
  tab = openTab(shop, '/products?supplier=Levant%2C+Inc.&tag=holiday', { as: owner });
  await until(() => rows().join() === 'Sumac');
  await press('Remove filter Tag: holiday (1)');
  await until(() => rows().length === 2 && rows().includes('Zaatar'));
  tab.close();
  tab = openTab(shop, '/products?supplier=Nobody', { as: owner });
  await see('No products found');
  await press('Remove filter Supplier: Nobody');
  await until(() => rows().length > 2);
});

test('a new product requires all its fields, and is in the shop once it is saved', async () => {
  const category = await shop.category();
  tab = openTab(shop, '/new/product', { as: owner });
  await until(() => document.querySelector(`option[value="${category.name}"], option`) !== null);
  await fill('Name', 'Cubeb');
  await press('Save');
  await see('Enter a description');
  await fill('Price', '4.505');
  await see('Enter a price, such as 4.50');
  await fill('Price', '12,5');
  await see('Use a period and two digits for cents, such as 1,250.00 or 12.50');
  await fill('Price', '$4.50');
  await fill('Quantity', '7');
  await until(() => [...document.querySelectorAll('option')].some((each) => each.textContent === category.title));
  await fill('Category', category.name);
  await fill('Description', 'Tailed pepper.');
  await fill('Allergens', 'mustard, celery');
  await press('Save');
  await see('Product created');
  await until(() => tab.path().startsWith('/view/product/'));
  const id = tab.path().slice('/view/product/'.length);
  expect(await productOf(id)).toMatchObject({ priceCents: 450, quantity: 7, allergens: ['mustard', 'celery'] });
});

/** Another staff member saves the form of a product; three of it are sold first. */
function openForm(id: string) {
  return async (facts: Record<string, string>) => {
    await shop.call('adjustStock', { as: owner, path: { id }, body: { change: -3, reason: 'Sold at the market' } });
    const { data } = await shop.call('getProductForStaff', { as: owner, path: { id } });
    const { name, description, quantity, productCategory, version } = data.product;
    const form = { name, description, quantity, version, category: productCategory.id, availability: true, ...facts };
    await shop.call('updateProduct', { as: owner, path: { id }, ...multipart({ ...form, quantityWas: quantity }) });
  };
}

test('a change that another user made too is saved without a question, and sales stay sold', async () => {
  const pepper = await shop.stock({ priceCents: 450, quantity: 20 });
  tab = openTab(shop, `/update/product/${pepper.id}`, { as: owner });
  await fill('Price', '5.00');
  await fill('Quantity', '25');
  await openForm(pepper.id)({ price: '5.00' });
  await press('Save');
  await see('Product updated');
  expect(await productOf(pepper.id)).toMatchObject({ priceCents: 500, quantity: 22 });
});

test('a product that another user deleted meanwhile is saved only after a warning', async () => {
  const pepper = await shop.stock({ priceCents: 450 });
  tab = openTab(shop, `/update/product/${pepper.id}`, { as: owner });
  await fill('Price', '5.00');
  await shop.call('archiveProduct', { as: owner, path: { id: pepper.id } });
  await press('Save');
  await see('This product is no longer sold');
  expect((await productOf(pepper.id))?.priceCents).toBe(450);
  await press('Save');
  await see('Product updated');
  expect((await productOf(pepper.id))?.priceCents).toBe(500);
});

test('a change that cannot be shown is at least mentioned', async () => {
  const pepper = await shop.stock({ priceCents: 450 });
  tab = openTab(shop, `/update/product/${pepper.id}`, { as: owner });
  await fill('Name', 'Long pepper');
  await openForm(pepper.id)({ price: '5.00' });
  const missing = { status: 404, headers: { 'content-type': 'application/problem+json' } };
  tab.network.answers = (path) => (path.endsWith(`/products/${pepper.id}`) ? new Response('{}', missing) : undefined);
  await press('Save');
  await see('Someone changed this product while you were editing it');
});

test('a product form interrupted by a login still books the difference, and overwrites nobody', async () => {
  const account = await openAccount(shop);
  await shop.db.update(users).set({ role: 'ROLE_OWNER' }).where(eq(users.id, account.id));
  const as = await logIn(shop, account);
  const pepper = await shop.stock({ priceCents: 450, quantity: 20 });
  tab = openTab(shop, `/update/product/${pepper.id}`, { as });
  await fill('Quantity', '25');
  await fill('Price', '$5');
  await fill('Description', 'Only this form changes it.');
  await shop.call('logout', { body: {}, headers: { authorization: `Bearer ${as.jwt}` } });
  await press('Save');
  await until(() => tab.path().startsWith('/login'));
  await openForm(pepper.id)({ price: '6.00', origin: 'Ghana' });
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', document.querySelector('form') ?? document);
  await until(() => tab.path() === `/update/product/${pepper.id}`);
  await expect.poll(async () => (await fieldCalled('Quantity')).value).toBe('25');
  await press('Save');
  await see(/Price\s*Yours\s*\$5\.00\s*In the shop now\s*\$6\.00/);
  expect([...document.querySelectorAll('legend')].map(({ textContent }) => textContent)).toEqual(['Price', 'Origin']);
  await see('17 in stock now, 20 when you opened this form.');
  expect((await fieldCalled('Quantity')).value).toBe('22');
  await expect.poll(async () => (await fieldCalled('Origin')).value).toBe('Ghana');
  await press('Save');
  await see('Product updated');
  expect(await productOf(pepper.id)).toMatchObject({ priceCents: 500, origin: 'Ghana', quantity: 22 });
});

test('leaving a changed form asks first', async () => {
  const pepper = await shop.stock({ name: 'Pepper' });
  tab = openTab(shop, `/update/product/${pepper.id}`, { as: owner });
  await fill('Name', 'Black pepper');
  void tab.go('/products');
  await see('Leave without saving?');
  await press('Stay');
  await miss('Leave without saving?');
  expect((await fieldCalled('Name')).value).toBe('Black pepper');
  void tab.go('/product/category');
  await press('Leave');
  await see('Add Product Category');
});

test('logging out with a changed form asks first', async () => {
  const pepper = await shop.stock({ name: 'Pepper' });
  tab = openTab(shop, `/update/product/${pepper.id}`, { as: owner });
  await fill('Name', 'Black pepper');
  await press('Logout');
  await see('Leave without saving?');
  await press('Stay');
  await miss('Leave without saving?');
  expect((await fieldCalled('Name')).value).toBe('Black pepper');
  document.querySelector<HTMLElement>('header button')?.click();
  await until(() => document.querySelector('[role=menu]') !== null);
  await press('Logout', document.querySelector('[role=menu]') as HTMLElement);
  await press('Leave', await dialog());
  await see('Logout successful');
  await until(() => tab.path() === '/');
});

test('the stock is corrected with a reason, which the ledger stores', async () => {
  const { orderId } = await paidOrder(shop, { name: 'Pepper', quantity: 1_251 });
  const [item] = await shop.db.select().from(orderItems).where(eq(orderItems.orderId, orderId));
  const lines = [{ orderItemId: item?.id, quantity: 1, restock: true }];
  await shop.call('refundOrder', { as: owner, path: { orderId }, body: { reason: 'Customer canceled', lines } });
  tab = openTab(shop, `/view/product/${item?.productId}`, { as: owner });
  await see('1,251 in stock');
  await see(/Order #\d+: Customer canceled/);
  await press('Adjust stock');
  await fill('Change', '-2');
  await see('From 1,251 to 1,249');
  await fill('Reason', 'Two jars broke');
  await press('Save');
  await see('Stock updated');
  await see('1,249 in stock');
  await see('Two jars broke');
});

test('a category deleted from its page is restored with Undo', async () => {
  const { id, name } = await shop.category();
  tab = openTab(shop, `/view/product/category/${id}`, { as: owner });
  await press('Delete Category');
  await press('Delete', await dialog());
  await see('1 category deleted');
  expect(await categoryNamed(name)).toBe(false);
  await until(() => tab.path().startsWith('/product/category'));
  await press('Undo');
  await see('1 category restored');
  expect(await categoryNamed(name)).toBe(true);
  // codes limited to it and reports of its sales refer to its id
  expect(await shop.call('getCategory', { as: owner, path: { id } })).toMatchObject({ data: { category: { name } } });
});

test('a category’s form leaves a colleague’s changes alone', async () => {
  const { id, name } = await shop.category({ title: 'Rubs' });
  tab = openTab(shop, `/update/product/category/${id}`, { as: owner });
  await fill('Description', 'For the grill');
  await shop.call('updateCategory', {
    as: owner,
    path: { id },
    body: { name, description: 'For fish', title: 'Rubs & Marinades' },
  });
  await press('Save');
  await see('Category updated');
  const [kept] = await shop.db.select().from(categories).where(eq(categories.id, id));
  expect(kept).toMatchObject({ name, description: 'For the grill', title: 'Rubs & Marinades' });
});

test('several categories are deleted after asking, one with products stays, and Undo creates the others again', async () => {
  const [full, empty] = [await stockCategory(shop, 1), await shop.category({ name: 'unneeded' })];
  tab = openTab(shop, '/product/category?size=100', { as: owner });
  (await box(`Select ${empty.title}`)).click();
  (await box(`Select ${full.title}`)).click();
  await press('Delete', document.querySelector('[aria-label="Selected rows"]') ?? document);
  await see('Delete 2 categories?');
  await press('Delete', document.querySelector('[role=alertdialog]') ?? document);
  await see('1 category deleted');
  expect(await categoryNamed(empty.name)).toBe(false);
  expect(await categoryNamed(full.name)).toBe(true);
  await press('Undo');
  await see('1 category restored');
  expect(await categoryNamed(empty.name)).toBe(true);
});

test('a back office page whose code is not on this device says that it needs a connection', async () => {
  const { options } = createShop().router.routesById['/admin/products'];
  const { loader } = options;
  options.loader = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  tab = openTab(shop, '/products', { as: owner });
  tab.network.isDown = true;
  void reachability.probe();
  await until(() => document.querySelector('main h1')?.textContent === 'Go online to use the back office');
  if (loader) options.loader = loader;
});
