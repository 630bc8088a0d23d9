import { randomUUID } from 'node:crypto';
import { eq, sum } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { products, stockMovements } from '../../../src/server/db/schema/tables';
import { multipart, moveStock } from '../../support/catalog';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

type Fields = Record<string, string | string[] | Blob>;
const pepper = {
  name: 'Kani pepper',
  description: 'Hot',
  price: '4.35',
  availability: 'true',
  quantity: '12',
  category: 'spices',
};

const create = async (categoryId: string, fields: Fields, key: string = randomUUID()) => {
  const { payload, headers } = await multipart(fields);
  return shop.call('createProduct', { as: staff, path: { categoryId }, body: payload, headers, key });
};
const update = async (id: string, fields: Fields) => {
  const { payload, headers } = await multipart(fields);
  return shop.call('updateProduct', { as: staff, path: { id }, body: payload, headers, key: randomUUID() });
};
const productOf = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product;
const listOf = async (categoryName: string) =>
  (await shop.call('listProductsByCategory', { path: { categoryName } })).data.products;
const ledgerOf = async (productId: string) =>
  shop.db
    .select({
      kind: stockMovements.kind,
      shelf: stockMovements.shelf,
      reason: stockMovements.reason,
      by: stockMovements.byUserId,
    })
    .from(stockMovements)
    .where(eq(stockMovements.productId, productId))
    .orderBy(stockMovements.id);
const count = () => shop.db.$count(products);

test('a new product is created from text fields, with its opening stock in the ledger', async () => {
  const category = await shop.category();
  const optional = {
    unitSize: '100 g',
    origin: ' The Gambia ',
    heatLevel: '5',
    allergens: 'mustard, celery',
    otherNames: ['kani', 'chilli'],
    taxable: 'false',
  };
  const { status, message, data } = await create(category.id, { ...pepper, ...optional });
  expect({ status, message }).toEqual({ status: 201, message: 'Product created' });
  expect(data.product).toMatchObject({
    name: 'Kani pepper',
    price: 4.35,
    availability: true,
    quantity: 12,
    productCategory: { id: category.id, name: category.name },
    unitSize: '100 g',
    origin: 'The Gambia',
    heatLevel: 5,
    allergens: ['mustard', 'celery'],
    otherNames: ['kani', 'chilli'],
    taxable: false,
    archived: false,
  });
  expect(await ledgerOf(data.product.id)).toEqual([
    { kind: 'adjustment', shelf: 12, reason: 'Starting stock', by: staff.userId },
  ]);
  expect(await productOf(data.product.id)).toEqual(data.product);
});

test('a price is accepted as people write it', async () => {
  const category = await shop.category();
  for (const [price, unitCost, cents, costCents] of [
    ['$12.50', '$2', 1250, 200],
    ['1,250.00', ' ', 125_000, null],
    ['12,50', '1,000', 1250, 100_000],
  ] as const) {
    const { data } = await create(category.id, { ...pepper, price, unitCost });
    const { rows } = await shop.pool.query('select price_cents, unit_cost_cents from products where id = $1', [
      data.product.id,
    ]);
    expect(rows).toEqual([{ price_cents: cents, unit_cost_cents: costCents }]);
  }
});

test('a product that starts without stock has no ledger row and is not available', async () => {
  const { data } = await create((await shop.category()).id, { ...pepper, quantity: '0' });
  expect(data.product).toMatchObject({ quantity: 0, availability: false });
  expect(await ledgerOf(data.product.id)).toEqual([]);
});

test('the same form sent twice with one key creates one product', async () => {
  const [category, key] = [await shop.category(), randomUUID()];
  const first = await create(category.id, pepper, key);
  expect(await create(category.id, pepper, key)).toMatchObject({ status: 201, body: first.body });
  expect(await listOf(category.name)).toMatchObject({ totalElements: 1 });
});

test('a new product is in its category immediately', async () => {
  const category = await shop.category();
  await expect.poll(async () => (await listOf(category.name)).totalElements).toBe(0);
  const { data } = await create(category.id, pepper);
  expect((await listOf(category.name)).content).toEqual([data.product]);
});

const refused: [string, Fields, string, string][] = [
  ['no name', { name: '' }, 'name', 'Enter a name'],
  ['a blank description', { description: '   ' }, 'description', 'Enter a description'],
  ['a name too long', { name: 'x'.repeat(121) }, 'name', 'Use 120 characters or fewer'],
  ['a character no database keeps', { name: 'a\0b' }, 'name', "The text contains a character we can't save"],
  ['no price', { price: '' }, 'price', 'Enter a price, such as 4.50'],
  ['a price in words', { price: 'four' }, 'price', 'Enter a price, such as 4.50'],
  [
    'a comma that could be either',
    { price: '12,5' },
    'price',
    'Use a period and two digits for cents, such as 1,250.00 or 12.50',
  ],
  ['a third decimal', { price: '4.355' }, 'price', 'Enter a price, such as 4.50'],
  ['a negative price', { price: '-1' }, 'price', 'Enter a price, such as 4.50'],
  ['a price like 1e3', { price: '1e3' }, 'price', 'Enter a price, such as 4.50'],
  ['a price of six digits', { price: '100000' }, 'price', 'Enter a price, such as 4.50'],
  ['a price of nothing', { price: '0.00' }, 'price', 'Price must be at least $0.01'],
  ['no quantity', { quantity: '' }, 'quantity', 'Enter a whole number from 0 to 1,000,000'],
  ['half a unit', { quantity: '1.5' }, 'quantity', 'Enter a whole number from 0 to 1,000,000'],
  ['fewer than none', { quantity: '-1' }, 'quantity', 'Enter a whole number from 0 to 1,000,000'],
  ['more than a million', { quantity: '1000001' }, 'quantity', 'Enter a whole number from 0 to 1,000,000'],
  ['availability in other words', { availability: 'yes' }, 'availability', "Choose whether it's available"],
  ['a heat of 6', { heatLevel: '6' }, 'heatLevel', 'Choose a heat level from 0 to 5'],
  ['a cost in words', { unitCost: 'two' }, 'unitCost', 'Enter a cost, such as 2.10'],
  ['a long allergen', { allergens: 'x'.repeat(41) }, 'allergens', 'Use 40 characters or fewer for each'],
  ['two names', { name: ['a', 'b'] }, 'name', 'Enter a name'],
  ['an unknown field', { costPrice: '1' }, 'costPrice', "isn't a known field"],
  ['a column of the table', { archivedAt: '2026-01-01' }, 'archivedAt', "isn't a known field"],
];
test.each(refused)('%s is rejected, on a new product and on an existing one', async (_name, fields, field, message) => {
  const [category, { id }, before] = [await shop.category(), await shop.stock(), await count()];
  for (const answer of [
    await create(category.id, { ...pepper, ...fields }),
    await update(id, { ...pepper, ...fields }),
  ]) {
    expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
  }
  expect(await count()).toBe(before);
});

test('a form must be multipart', async () => {
  const { id } = await shop.category();
  expect(await shop.call('createProduct', { as: staff, path: { categoryId: id }, body: pepper })).toMatchObject({
    status: 400,
  });
});

test('a form without a chosen picture is saved', async () => {
  const category = await shop.category();
  const fields = { ...pepper, category: category.id };
  const { status, data } = await create(category.id, { ...fields, file: new File([], '') });
  expect(status).toBe(201);
  const { id } = data.product;
  expect(await update(id, { ...fields, file: '' })).toMatchObject({ status: 200 });
  const { payload, headers } = await multipart({ ...fields, file: new File([], '') });
  const ofBrowser = payload.toString().replace('name="file"', 'name="file"; filename=""');
  const sent = { body: Buffer.from(ofBrowser), headers, key: randomUUID() };
  expect(await shop.call('updateProduct', { as: staff, path: { id }, ...sent })).toMatchObject({ status: 200 });
});

test('an empty file is rejected like any other invalid picture, and the form is not saved', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, name: 'Cubeb' });
  const file = new File([], 'pepper.jpg', { type: 'image/jpeg' });
  const message = 'Choose a JPG, PNG, WebP, AVIF, or GIF photo';
  const refused = { status: 400, code: 'not_a_picture', message, errors: [{ field: 'file', message }] };
  expect(await create(category.id, { ...pepper, file })).toMatchObject(refused);
  expect(await update(id, { ...pepper, category: category.id, file })).toMatchObject(refused);
  expect((await listOf(category.name)).content).toHaveLength(1);
  expect(await productOf(id)).toMatchObject({ name: 'Cubeb' });
});

test('the unit cost can be set and removed, and only staff can read it', async () => {
  const category = await shop.category();
  const { data } = await create(category.id, { ...pepper, unitCost: '2.1', heatLevel: '3' });
  const { id } = data.product;
  expect(JSON.stringify(data)).not.toContain('unitCost');
  const forStaff = async () => (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
  expect(await forStaff()).toMatchObject({ unitCost: 2.1, heatLevel: 3, availabilityFlag: true });
  await update(id, { ...pepper, category: category.id });
  expect(await forStaff()).toMatchObject({ unitCost: 2.1, heatLevel: 3 });
  await update(id, { ...pepper, category: category.id, unitCost: '', heatLevel: '' });
  expect(await forStaff()).toMatchObject({ unitCost: null, heatLevel: null });
});

test('a comma-separated list may be longer than one of its entries', async () => {
  const allergens = 'peanut, mustard, celery, sesame, milk, fish, wheat';
  const { data } = await create((await shop.category()).id, { ...pepper, allergens });
  expect(data.product.allergens).toEqual(allergens.split(', '));
});

test('a product needs an existing category', async () => {
  expect(await create(randomUUID(), pepper)).toMatchObject({ status: 404, code: 'category_not_found' });
  const { id } = await shop.stock();
  expect(await update(id, { ...pepper, category: 'nowhere' })).toMatchObject({
    status: 404,
    code: 'category_not_found',
  });
  expect(await update(randomUUID(), pepper)).toMatchObject({ status: 404, code: 'product_not_found' });
});

test('a plain form sets the fields it has, takes the category by name or id, and leaves the others', async () => {
  const [first, second] = [await shop.category(), await shop.category()];
  const { id } = await shop.stock({ quantity: 20, origin: 'The Gambia', heatLevel: 2, allergens: ['celery'] });
  const byName = await update(id, { ...pepper, category: first.name, quantity: '15' });
  expect(byName).toMatchObject({ status: 200, message: 'Product updated' });
  expect(byName.data.product).toMatchObject({
    name: 'Kani pepper',
    price: 4.35,
    quantity: 15,
    origin: 'The Gambia',
    heatLevel: 2,
    allergens: ['celery'],
    productCategory: { id: first.id },
    version: 2,
  });
  const byId = await update(id, { ...pepper, category: second.id, quantity: '15', origin: '', allergens: '' });
  expect(byId.data.product).toMatchObject({
    productCategory: { id: second.id },
    origin: null,
    allergens: [],
    version: 3,
  });
  expect((await ledgerOf(id)).at(-1)).toEqual({
    kind: 'adjustment',
    shelf: -5,
    reason: 'Edited product',
    by: staff.userId,
  });
});

test('saving a form does not restore what was sold while it was open', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, quantity: 20 });
  await moveStock(shop.db, id, -3);
  const form = { ...pepper, category: category.name, quantity: '25', quantityWas: '20', version: '1' };
  expect((await update(id, form)).data.product).toMatchObject({ quantity: 22, version: 2 });
  const [ledger] = await shop.db
    .select({ units: sum(stockMovements.shelf) })
    .from(stockMovements)
    .where(eq(stockMovements.productId, id));
  expect(Number(ledger?.units)).toBe(22);
});

test('a form that takes out more than is left is rejected entirely', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, quantity: 20 });
  await moveStock(shop.db, id, -18);
  const form = { ...pepper, category: category.name, quantity: '5', quantityWas: '20', version: '1' };
  expect(await update(id, form)).toMatchObject({ status: 409, code: 'not_enough_stock' });
  expect(await productOf(id)).toMatchObject({ name: 'Black pepper', quantity: 2, version: 1 });
});

test('a form opened before another user changed the product is rejected with both values', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, name: 'Kani pepper', description: 'Hot' });
  await shop.db.update(products).set({ priceCents: 499 }).where(eq(products.id, id));
  const form = { ...pepper, category: category.name, quantity: '20', quantityWas: '20' };
  const refused = await update(id, { ...form, version: '1' });
  const message = 'Now $4.99, yours is $4.35';
  expect(refused).toMatchObject({ status: 409, code: 'product_changed', errors: [{ field: 'price', message }] });
  expect(refused.message).toContain(message);
  expect(await update(id, { ...form, version: '2' })).toMatchObject({ status: 200 });
});

test('a form opened before another user deleted the product is rejected, and says so', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id });
  await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, id));
  const form = { ...pepper, category: category.name, quantity: '20', quantityWas: '20' };
  const refused = await update(id, { ...form, version: '1' });
  const gone = { field: 'archived', message: 'This product is no longer sold', current: 'true' };
  expect(refused).toMatchObject({ status: 409, code: 'product_changed', errors: expect.arrayContaining([gone]) });
  expect(await update(id, { ...form, version: '2' })).toMatchObject({ status: 200 });
});

test('one of two forms saved at the same moment is rejected', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id });
  const form = { ...pepper, category: category.name, quantity: '20', quantityWas: '20', version: '1' };
  const answers = await Promise.all([update(id, { ...form, price: '5' }), update(id, { ...form, price: '6' })]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
});
