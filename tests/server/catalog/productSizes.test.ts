/** The sizes that are saved with the form of a product. Rule: docs/rules/catalog.md, Sizes in the product form */
import { randomUUID } from 'node:crypto';
import { desc, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog, products, stockMovements } from '../../../src/server/db/schema/tables';
import { maxSizes } from '../../../src/shared/sizeGroups';
import { moveStock, multipart } from '../../support/catalog';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const rub = { name: 'Afra rub', description: 'Bold', price: '7.95', availability: 'true', quantity: '10' };
type Sent = { sizes?: object[]; removedSizes?: string[] } & Record<string, unknown>;
const asForm = ({ sizes, ...fields }: Sent) => multipart({ ...fields, ...(sizes && { sizes: JSON.stringify(sizes) }) });

const save = async (id: string, { category, ...sent }: Sent & { category: string }) => {
  const { payload, headers } = await asForm({ ...rub, category, ...sent });
  return shop.call('updateProduct', { as: staff, path: { id }, body: payload, headers, key: randomUUID() });
};
const forStaff = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
const rowOf = async (id: string) => {
  const [row] = await shop.db.select().from(products).where(eq(products.id, id));
  if (!row) throw new Error('no such product');
  return row;
};
const actionsOf = async (ids: string[]) => {
  const entries = await shop.db.select().from(auditLog).where(inArray(auditLog.targetId, ids)).orderBy(auditLog.id);
  return entries.map(({ action, targetId }) => ({ action, targetId }));
};

const lastMovementOf = async (id: string) => {
  const ofProduct = eq(stockMovements.productId, id);
  return (await shop.db.select().from(stockMovements).where(ofProduct).orderBy(desc(stockMovements.id)))[0];
};

/** A rub in three sizes: 110 g, 227 g and 454 g. */
async function stockSizes() {
  const { id: category } = await shop.category();
  const of = { categoryId: category, sizeGroup: randomUUID(), name: 'Afra rub', description: 'Bold' };
  const small = await shop.stock({ ...of, netGrams: 110, priceCents: 795 });
  const bag = await shop.stock({ ...of, netGrams: 227, priceCents: 1425, quantity: 20 });
  const pound = await shop.stock({ ...of, netGrams: 454, priceCents: 2550, quantity: 5 });
  return { category, id: small.id, bag: bag.id, pound: pound.id };
}

test('one save changes three sizes and adds a fourth, with an audit entry for each', async () => {
  const { category, id, bag, pound } = await stockSizes();
  const saved = await save(id, {
    category,
    price: '8.25',
    sizes: [
      { id: bag, version: 1, price: '$14.95', quantity: 18, quantityWas: 20, stockReason: 'Damaged' },
      { id: pound, version: 1, compareAtPrice: '29.00' },
      { netGrams: 907, unitSize: '2 lb (907 g)', price: '1,045.00', quantity: 3, sku: `AGR-${id.slice(0, 8)}` },
    ],
  });
  expect(saved).toMatchObject({ status: 200, data: { product: { price: 8.25 } } });
  const { sizes = [] } = await forStaff(id);
  expect(sizes.map(({ netGrams, price, quantity }) => [netGrams, price, quantity])).toEqual([
    [110, 8.25, 10],
    [227, 14.95, 18],
    [454, 25.5, 5],
    [907, 1045, 3],
  ]);
  expect(sizes[2]).toMatchObject({ compareAtPrice: 29, version: 2 });
  const added = sizes[3]?.id ?? '';
  expect(await actionsOf([id, bag, pound, added])).toEqual([
    { action: 'product.changed', targetId: id },
    { action: 'product.changed', targetId: bag },
    { action: 'product.changed', targetId: pound },
    { action: 'product.created', targetId: added },
  ]);
  expect(await lastMovementOf(bag)).toMatchObject({ shelf: -2, reason: 'Damaged', byUserId: expect.any(String) });
});

test('the first further size makes a group, and takes over what all sizes share and the photos', async () => {
  const { id: category } = await shop.category();
  const shared = { origin: 'The Gambia', allergens: ['mustard'], tags: ['grill'], heatLevel: 3, supplier: 'Mill' };
  const { id } = await shop.stock({
    ...shared,
    categoryId: category,
    netGrams: 110,
    sku: randomUUID(),
    barcode: '96385074',
  });
  await save(id, { category, sizes: [{ netGrams: 227, unitSize: '8 oz (227 g)', price: '14.25', quantity: 6 }] });
  const [before, added] = [await rowOf(id), (await forStaff(id)).sizes?.[1]?.id ?? ''];
  const after = await rowOf(added);
  expect(after).toMatchObject({ ...shared, name: 'Afra rub', description: 'Bold', categoryId: category });
  expect(after).toMatchObject({
    sizeGroup: before.sizeGroup,
    pictureHash: before.pictureHash,
    slug: expect.any(String),
  });
  expect(after).toMatchObject({ sku: null, barcode: null, compareAtCents: null, quantity: 6 });
  expect(after.slug).toMatch(/^afra-rub-8-oz/);
  expect(await actionsOf([id])).toContainEqual({ action: 'product.sizes_changed', targetId: id });
});

test('a new product is created with all its sizes', async () => {
  const { id: category } = await shop.category();
  const sizes = [227, 454].map((netGrams, index) => ({ netGrams, price: `1${index}.50`, quantity: 4 }));
  const { payload, headers } = await asForm({ ...rub, category, netGrams: '110', sizes });
  const call = { as: staff, path: { categoryId: category }, headers, key: randomUUID() };
  const { status, data } = await shop.call('createProduct', { ...call, body: payload });
  expect(status).toBe(201);
  const found = (await forStaff(data.product.id)).sizes ?? [];
  expect(found.map(({ netGrams, price }) => [netGrams, price])).toEqual([
    [110, 7.95],
    [227, 10.5],
    [454, 11.5],
  ]);
  const known = await asForm({ ...rub, category, sizes: [{ id: found[1]?.id, price: '1.00' }] });
  expect(await shop.call('createProduct', { ...call, ...known, body: known.payload, key: randomUUID() })).toMatchObject(
    {
      status: 400,
      message: 'All sizes of a new product must be new',
    },
  );
});

test('units sold while the form was open stay sold', async () => {
  const { category, id, bag } = await stockSizes();
  await moveStock(shop.db, bag, -4);
  await save(id, { category, sizes: [{ id: bag, quantity: 25, quantityWas: 20 }] });
  expect((await rowOf(bag)).quantity).toBe(21);
  expect(await lastMovementOf(bag)).toMatchObject({ shelf: 5, reason: 'Edited product' });
});

test('a removed size is archived and can be restored into its group', async () => {
  const { category, id, bag, pound } = await stockSizes();
  await save(id, { category, removedSizes: [bag] });
  expect((await forStaff(id)).sizes?.map((size) => [size.id, size.archived])).toEqual([
    [id, false],
    [bag, true],
    [pound, false],
  ]);
  await shop.call('changeProducts', { as: staff, body: { ids: [bag], change: 'restore' } });
  const { data } = await shop.call('getProduct', { path: { id } });
  expect(data.product.sizes?.map((size) => size.id)).toEqual([id, bag, pound]);
});

describe('nothing is saved', () => {
  const expectUnchanged = async ({ id, bag, pound }: { id: string; bag: string; pound: string }) => {
    const found = await Promise.all([id, bag, pound].map(rowOf));
    expect(found.map(({ priceCents, archivedAt }) => [priceCents, archivedAt])).toEqual(
      [795, 1425, 2550].map((cents) => [cents, null]),
    );
  };

  test('when a colleague has changed the same field of a size, and each row is named', async () => {
    const all = await stockSizes();
    const { category, id, bag, pound } = all;
    await shop.db
      .update(products)
      .set({ sku: `B-${bag.slice(0, 8)}`, form: 'ground' })
      .where(eq(products.id, bag));
    await shop.db.update(products).set({ compareAtCents: 3000 }).where(eq(products.id, pound));
    const sizes = [
      { id: bag, version: 1, sku: 'MINE', price: '13.00' },
      { id: pound, version: 1, compareAtPrice: '28.00' },
    ];
    const refused = await save(id, { category, price: '9.00', sizes });
    expect(refused).toMatchObject({ status: 409, code: 'product_changed' });
    expect(refused.errors).toEqual([
      { field: 'price', message: 'Now $7.95, yours is $9.00', current: '7.95' },
      { field: 'sizes.0.price', message: 'Now $14.25, yours is $13.00', current: '14.25' },
      { field: 'sizes.0.sku', message: `Now "B-${bag.slice(0, 8)}", yours is "MINE"`, current: `B-${bag.slice(0, 8)}` },
      { field: 'sizes.1.compareAtPrice', message: 'Now $30.00, yours is $28.00', current: '30.00' },
    ]);
    await expectUnchanged(all);
  });

  test('when a value is wrong, and each row says which', async () => {
    const all = await stockSizes();
    const { category, id, bag } = all;
    const sizes = [
      { id: bag, version: 1, price: 'ask us' },
      { price: '4.00', compareAtPrice: '3.00' },
    ];
    const refused = await save(id, { category, price: '9.00', sizes });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.errors?.map(({ field, message }) => [field, message])).toEqual([
      ['sizes.0.price', 'Enter a price, such as 4.50'],
      ['sizes.1.quantity', 'Enter a whole number from 0 to 1,000,000'],
      ['sizes.1.compareAtPrice', 'Enter more than the price, or leave it blank'],
    ]);
    const against = await save(id, { category, sizes: [{ id: bag, version: 1, compareAtPrice: '2.00' }] });
    expect(against.errors).toMatchObject([{ field: 'sizes.0.compareAtPrice' }]);
    await expectUnchanged(all);
  });

  test('when SKUs are taken, by another product or by another row', async () => {
    const all = await stockSizes();
    const { category, id, bag, pound } = all;
    const taken = await shop.stock({ sku: `T-${id.slice(0, 8)}` });
    const sku = (await rowOf(taken.id)).sku?.toLowerCase();
    const sizes = [
      { id: bag, sku, price: '14.00' },
      { id: pound, sku: `own-${id.slice(0, 8)}` },
      { sku: `OWN-${id.slice(0, 8)}`, price: '1.00', quantity: 1 },
    ];
    const refused = await save(id, { category, price: '9.00', sizes });
    expect(refused).toMatchObject({ status: 409, code: 'sku_taken' });
    expect(refused.errors?.map(({ field }) => field)).toEqual(['sizes.0.sku', 'sizes.2.sku']);
    await expectUnchanged(all);
  });

  test('when a size was taken out of the sizes meanwhile, and its row is named', async () => {
    const all = await stockSizes();
    const { category, id, bag, pound } = all;
    await shop.call('setSizeOf', { as: staff, path: { id: bag }, body: { sizeOf: null } });
    const changed = {
      category,
      sizes: [
        { id: pound, price: '26.00' },
        { id: bag, version: 1, price: '15.00' },
      ],
    };
    const message = 'This is no longer a size of this product';
    expect(await save(id, changed)).toMatchObject({
      status: 409,
      code: 'product_changed',
      errors: [{ field: 'sizes.1.id', message }],
    });
    expect(await save(id, { category, removedSizes: [bag] })).toMatchObject({
      status: 409,
      errors: [{ field: 'removedSizes.0', message }],
    });
    await expectUnchanged(all);
  });

  test('when more units are removed than there are', async () => {
    const all = await stockSizes();
    const { category, id, bag, pound } = all;
    await moveStock(shop.db, pound, -3);
    const sizes = [
      { id: bag, price: '14.00' },
      { id: pound, quantity: 0, quantityWas: 5 },
    ];
    const refused = await save(id, { category, price: '9.00', sizes });
    expect(refused).toMatchObject({ status: 409, code: 'not_enough_stock', errors: [{ field: 'sizes.1.quantity' }] });
    await expectUnchanged(all);
  });

  test('for a product that is no size of this one, or that is named twice', async () => {
    const all = await stockSizes();
    const { category, id, bag } = all;
    const other = await shop.stock();
    const change = { price: '1.00' };
    expect(await save(id, { category, sizes: [{ id: other.id, ...change }] })).toMatchObject({ status: 409 });
    expect(await save(id, { category, sizes: [{ id: randomUUID(), ...change }] })).toMatchObject({
      code: 'product_not_found',
    });
    for (const twice of [{ sizes: [{ id: bag, ...change }], removedSizes: [bag] }, { sizes: [{ id, ...change }] }])
      expect(await save(id, { category, ...twice })).toMatchObject({ status: 400 });
    expect(await save(id, { category, sizes: 'no list' as unknown as [] })).toMatchObject({ status: 400 });
    const { payload, headers } = await multipart({ ...rub, category, sizes: '[{' });
    expect(await shop.call('updateProduct', { as: staff, path: { id }, body: payload, headers })).toMatchObject({
      status: 400,
      errors: [{ field: 'sizes', message: 'This must be JSON' }],
    });
    await expectUnchanged(all);
  });
});

describe('SKUs move within one save', () => {
  const letters = (id: string) => ['A', 'B', 'C'].map((letter) => `${letter}-${id.slice(0, 8)}`);
  const skus = (...sizes: (string | undefined)[][]) => ({ sizes: sizes.map(([id, sku]) => ({ id, sku })) });

  test('two sizes and the product itself exchange theirs', async () => {
    const { category, id, bag, pound } = await stockSizes();
    const [a, b, c] = letters(id);
    expect((await save(id, { category, sku: a, ...skus([bag, b], [pound, c]) })).status).toBe(200);
    expect(await save(id, { category, sku: b, ...skus([bag, c], [pound, a]) })).toMatchObject({ status: 200 });
    expect((await Promise.all([id, bag, pound].map(rowOf))).map(({ sku }) => sku)).toEqual([b, c, a]);
  });

  test('a removed size gives its own to another, or to the product itself', async () => {
    const { category, id, bag, pound } = await stockSizes();
    const [a, b] = letters(id);
    await save(id, { category, ...skus([bag, a], [pound, b]) });
    expect((await save(id, { category, removedSizes: [bag], ...skus([pound, a]) })).status).toBe(200);
    expect((await save(id, { category, removedSizes: [pound], sku: a })).status).toBe(200);
    expect((await rowOf(id)).sku).toBe(a);
  });

  test('one that a size keeps stays taken', async () => {
    const { category, id, bag, pound } = await stockSizes();
    const [sku] = letters(id);
    await save(id, { category, ...skus([bag, sku]) });
    const refused = await save(id, { category, ...skus([bag, undefined], [pound, sku]) });
    expect(refused).toMatchObject({ code: 'sku_taken', errors: [{ field: 'sizes.1.sku' }] });
    expect(await save(id, { category, sku })).toMatchObject({ code: 'sku_taken' });
  });
});

test('two who add sizes at the same time stay within the limit', async () => {
  const { category, id, bag, pound } = await stockSizes();
  const { sizeGroup } = await rowOf(id);
  for (let count = 3; count < maxSizes - 1; count += 1) await shop.stock({ sizeGroup });
  const sizes = [{ price: '3.00', quantity: 1 }];
  const single = await shop.stock();
  const results = await Promise.all([
    save(id, { category, sizes }),
    save(bag, { category, sizes }),
    shop.call('setSizeOf', { as: staff, path: { id: single.id }, body: { sizeOf: pound } }),
  ]);
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await forStaff(id)).sizes).toHaveLength(maxSizes);
});

test('two who save different sizes at the same time both succeed', async () => {
  const { category, id, bag, pound } = await stockSizes();
  const saves = [id, bag].map((own) =>
    save(own, {
      category,
      price: own === id ? '7.95' : '14.25',
      sizes: [
        { id: own === id ? bag : id, quantity: 9 },
        { id: pound, quantity: 9 },
      ],
    }),
  );
  expect((await Promise.all(saves)).map(({ status }) => status)).toEqual([200, 200]);
});
