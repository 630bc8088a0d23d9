/** Sizes of a product in public responses. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productMessages } from '../../../src/shared/catalogStaff';
import { maxSizes } from '../../../src/shared/sizeGroups';
import { countQueries, feedOf } from '../../support/catalog';
import { csvCalls, rowsOf } from '../../support/productCsv';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const productOf = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product;
const sizesOf = async (id: string) => (await productOf(id)).sizes?.map((size) => size.id);

/** Two sizes of a rub in one group: 110 g and 450 g. */
async function stockSizes() {
  const sizeGroup = randomUUID();
  const large = await shop.stock({ sizeGroup, name: 'Rub, large', netGrams: 450, priceCents: 2650, quantity: 0 });
  const small = await shop.stock({ sizeGroup, name: 'Rub', netGrams: 110, priceCents: 795, compareAtCents: 950 });
  return { sizeGroup, small, large };
}

test('a product names the sizes of its group, smallest first, each with price and state', async () => {
  const { sizeGroup, small, large } = await stockSizes();
  expect(await productOf(large.id)).toMatchObject({
    sizeGroup,
    sizes: [
      {
        id: small.id,
        name: 'Rub',
        price: 7.95,
        compareAtPrice: 9.5,
        availability: true,
        quantity: 10,
        unitSize: null,
        netGrams: 110,
      },
      { id: large.id, name: 'Rub, large', price: 26.5, netGrams: 450, availability: false, quantity: 0 },
    ],
  });
});

test('a product without a group is read as before, and its sizes cost one more statement', async () => {
  const { id } = await shop.stock();
  expect(Object.keys(await productOf(id)).filter((name) => name.startsWith('size'))).toEqual([]);
  const { small } = await stockSizes();
  const other = await shop.stock();
  await shop.untilTold();
  expect(await countQueries(shop.pool, () => productOf(other.id))).toBe(2);
  expect(await countQueries(shop.pool, () => productOf(small.id))).toBe(3);
});

test('lists show each size as a product of its own, with its group but without its sizes', async () => {
  const { id: categoryId, name: categoryName } = await shop.category();
  const sizeGroup = randomUUID();
  for (const netGrams of [110, 450]) await shop.stock({ categoryId, sizeGroup, netGrams });
  const { data } = await shop.call('listProductsByCategory', { path: { categoryName } });
  expect(data.products.totalElements).toBe(2);
  for (const product of data.products.content) {
    expect(product.sizeGroup).toBe(sizeGroup);
    expect(product.sizes).toBeUndefined();
  }
});

test('a deleted size is no choice until it is restored, and a size alone is none', async () => {
  const { small, large } = await stockSizes();
  const path = { id: large.id };
  await shop.call('archiveProduct', { as: staff, path });
  await expect.poll(() => sizesOf(small.id)).toBeUndefined();
  expect(await productOf(large.id)).not.toHaveProperty('sizes');
  await shop.call('restoreProduct', { as: staff, path });
  await expect.poll(() => sizesOf(small.id)).toEqual([small.id, large.id]);
});

test('a sale of one size is seen on the pages of the others', async () => {
  const { small, large } = await stockSizes();
  const quantities = async () => (await productOf(large.id)).sizes?.map(({ quantity }) => quantity);
  expect(await quantities()).toEqual([10, 0]);
  const body = { change: -10, reason: 'Sold at the market' };
  expect((await shop.call('adjustStock', { as: staff, path: { id: small.id }, body })).status).toBe(200);
  await expect.poll(quantities).toEqual([0, 0]);
  expect((await productOf(large.id)).sizes?.[0]?.availability).toBe(false);
});

describe('staff', () => {
  const setSizeOf = (id: string, sizeOf: string | null, move?: boolean) =>
    shop.call('setSizeOf', { as: staff, path: { id }, body: { sizeOf, ...(move !== undefined && { move }) } });
  const sizesForStaff = async (id: string) =>
    (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product.sizes?.map((size) => size.id);
  const stock = async (netGrams: number) => (await shop.stock({ netGrams })).id;

  test('make a product another size of a second one, and a third joins them', async () => {
    const [small, medium, large] = [await stock(110), await stock(450), await stock(1000)];
    const { data } = await setSizeOf(large, small);
    expect(data.product.sizes?.map(({ id }) => id)).toEqual([small, large]);
    expect((await setSizeOf(medium, large)).status).toBe(200);
    await expect.poll(() => sizesOf(small)).toEqual([small, medium, large]);
  });

  test('hear that a product is already a size of others, and may move it', async () => {
    const [small, large, other] = [await stock(110), await stock(450), await stock(80)];
    await setSizeOf(large, small);
    expect(await setSizeOf(large, other)).toMatchObject({ status: 409, code: 'already_a_size' });
    expect((await setSizeOf(large, small)).status).toBe(200); // it is one already
    expect((await setSizeOf(large, other, true)).status).toBe(200);
    expect(await sizesForStaff(other)).toEqual([other, large]);
    expect(await sizesForStaff(small)).toBeUndefined();
    expect((await setSizeOf(small, other)).status).toBe(200); // it was left alone, so it has no other sizes
  });

  test('take a product out of its group, which devices and the audit log hear', async () => {
    const [small, large] = [await stock(110), await stock(450)];
    await setSizeOf(large, small);
    const before = await feedOf(shop.db, small);
    await setSizeOf(small, null);
    expect((await feedOf(shop.db, small)).position).toBeGreaterThan(before.position);
    await expect.poll(() => sizesOf(large)).toBeUndefined();
    const { data } = await shop.call('listAudit', { as: staff, query: { kind: 'product', targetId: small } });
    expect(data.entries.content.map(({ action }) => action)).toEqual(Array(2).fill('product.sizes_changed'));
  });

  test('see a deleted size among the others', async () => {
    const [small, large] = [await stock(110), await stock(450)];
    await setSizeOf(large, small);
    await shop.call('archiveProduct', { as: staff, path: { id: large } });
    const { data } = await shop.call('getProductForStaff', { as: staff, path: { id: small } });
    expect(data.product.sizes?.map(({ archived }) => archived)).toEqual([false, true]);
  });

  test('form one group when two of them name the same products at the same time', async () => {
    const [small, large] = [await stock(110), await stock(450)];
    await Promise.all([setSizeOf(large, small), setSizeOf(small, large)]);
    expect(await sizesForStaff(small)).toEqual([small, large]);
  });

  test('hear when a group is full, of which deleted sizes are a part', async () => {
    const sizeGroup = randomUUID();
    const sizes = [];
    for (let made = 0; made < maxSizes; made++) sizes.push((await shop.stock({ sizeGroup })).id);
    const [first = '', second = ''] = sizes;
    await shop.call('archiveProduct', { as: staff, path: { id: second } });
    const joining = await stock(450);
    const full = { status: 409, code: 'too_many_sizes', message: productMessages.tooManySizes };
    expect(await setSizeOf(joining, first)).toMatchObject(full);
    await setSizeOf(second, null);
    expect((await setSizeOf(joining, first)).status).toBe(200);
  });

  test('see which row of a file is one size too many', async () => {
    const category = (await shop.category()).name;
    const { importCsv } = csvCalls(shop, staff);
    const word = `kani ${randomUUID()}`;
    const header = 'name,description,price,availability,quantity,category,sizeGroup';
    const file = (rows: number) =>
      [header, ...Array.from({ length: rows }, (_, row) => `Kani ${row},Hot,5,true,1,${category},${word}`)].join('\n');
    const { rows, refused } = (await importCsv(file(maxSizes + 1), false)).data.productImport;
    expect(refused).toBe(1);
    expect(rows.at(-1)?.errors).toMatchObject([{ field: 'sizeGroup', message: productMessages.tooManySizes }]);
    expect((await importCsv(file(maxSizes), true)).data.productImport).toMatchObject({ created: maxSizes });
    expect((await importCsv(`${header}\nKani,Hot,5,true,1,${category},${word}`, true)).code).toBe('import_refused');
  });

  test('import the sizes of new products by a word, and an export changes nothing when it is imported', async () => {
    const { name: category } = await shop.category();
    const row = (name: string, word: string) => `${name},Hot,4.35,true,12,${category},${word}`;
    const word = `Kani ${category}`;
    const rows = [row('Kani', word), row('Large kani', word.toLowerCase()), row('Cubeb', '')];
    const file = ['name,description,price,availability,quantity,category,sizeGroup', ...rows].join('\n');
    const { importCsv, exported } = csvCalls(shop, staff);
    const dryRun = (await importCsv(file, false)).data.productImport;
    expect(dryRun.rows[0]?.changes).toContainEqual({ field: 'sizeGroup', from: '', to: word });
    expect((await importCsv(file, true)).data.productImport).toMatchObject({ created: 3 });
    const csv = (await exported({ category })).body;
    const [kani, large, cubeb] = rowsOf(csv);
    expect(await sizesForStaff(kani?.['id'] ?? '')).toHaveLength(2);
    expect(large?.['sizeGroup']).toBe(kani?.['sizeGroup']);
    expect(cubeb?.['sizeGroup']).toBe('');
    expect((await importCsv(csv, false)).data.productImport).toMatchObject({ unchanged: 3, refused: 0 });

    const leaves = `id,sizeGroup\n${kani?.['id']},`;
    expect((await importCsv(leaves, true)).data.productImport).toMatchObject({ changed: 1 });
    expect(await sizesForStaff(large?.['id'] ?? '')).toBeUndefined();
    const joins = `id,sizeGroup\n${kani?.['id']},${large?.['sizeGroup']?.toUpperCase()}`;
    expect((await importCsv(joins, true)).data.productImport).toMatchObject({ changed: 1 });
    expect(await sizesForStaff(large?.['id'] ?? '')).toHaveLength(2);
  });
});
