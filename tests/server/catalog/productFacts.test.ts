/** Each optional field of the table of product fields, from the form to responses, files, and staff's search. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { columnOf, productFieldNames, productFields } from '../../../src/shared/productFields';
import { multipart } from '../../support/catalog';
import { csvCalls } from '../../support/productCsv';
import { sampleStored, sampleText, withSku } from '../../support/products';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const pepper = { name: 'Kani pepper', description: 'Hot', price: '4.35', availability: 'true', quantity: '12' };

const save = async (path: { id: string }, category: string, fields: Record<string, string>) => {
  const { payload, headers } = await multipart({ ...pepper, category, ...fields });
  return shop.call('updateProduct', { as: staff, path, body: payload, headers });
};
const readPublic = async (path: { id: string }) => (await shop.call('getProduct', { path })).data.product;
const readForStaff = async (path: { id: string }) =>
  (await shop.call('getProductForStaff', { as: staff, path })).data.product;
const columnsOf = async ({ id }: { id: string }) => {
  const [row] = await shop.db.select().from(products).where(eq(products.id, id));
  return row as Record<string, unknown>;
};
const importFile = (csv: string, apply = true) => csvCalls(shop, staff).importCsv(csv, apply);

const optional = productFieldNames.filter((name) => !productFields[name].isRequired);

describe.each(optional)('the field %s', (name) => {
  const { isForStaff, isAlwaysSent, kind } = productFields[name];

  test('is saved, shown to those who may see it, and cleared when sent empty', async () => {
    const { id, categoryId } = await shop.stock({ quantity: 12 });
    const text = sampleText(name);
    const { status } = await save({ id }, categoryId, { [name]: text });
    expect(status).toBe(200);
    expect(await columnsOf({ id })).toMatchObject(sampleStored(name, text));
    const [shown, forStaff] = [await readPublic({ id }), await readForStaff({ id })];
    expect(Object.hasOwn(forStaff, name)).toBe(true);
    expect(Object.hasOwn(shown, name)).toBe(!isForStaff);
    await save({ id }, categoryId, {}); // not sent: stays
    expect(await columnsOf({ id })).toMatchObject(sampleStored(name, text));
    if (kind === 'flag' || name === 'slug') return; // an address is made again from the name
    await save({ id }, categoryId, { [name]: '' });
    expect((await columnsOf({ id }))[columnOf(name)]).toEqual(kind === 'list' ? [] : null);
    expect(Object.hasOwn(await readForStaff({ id }), name)).toBe(isAlwaysSent === true);
  });

  test('comes from a file, and its export changes nothing when it is imported', async () => {
    const { name: category } = await shop.category();
    const at = productFieldNames.indexOf(name);
    const cell = `"${sampleText(name)}"`;
    const file = `name,description,price,availability,quantity,category,${name}\nKani ${at},Hot,4.35,true,12,${category},${cell}`;
    expect((await importFile(file)).data.productImport).toMatchObject({ created: 1, refused: 0 });
    const { body: exported } = await csvCalls(shop, staff).exported({ category });
    const again = await importFile(exported, false);
    expect(again.data.productImport).toMatchObject({ created: 0, changed: 0, unchanged: 1, refused: 0 });
  });
});

test('a product without a fact is answered as before the shop knew the fact', async () => {
  const { id } = await shop.stock();
  const known = ['unitSize', 'origin', 'heatLevel', 'allergens', 'otherNames', 'taxable'];
  const isFact = (name: string) => (optional as string[]).includes(name);
  expect(Object.keys(await readPublic({ id })).filter(isFact)).toEqual(expect.arrayContaining(known));
  expect(Object.keys(await readPublic({ id })).filter(isFact)).toHaveLength(known.length);
});

test.each([
  ['a barcode with a wrong check digit', { barcode: '850012345012' }, 'barcode'],
  ['a SKU with a letter that no US keyboard has', { sku: 'CAFÉ-1' }, 'sku'],
  ['a former price that is not above the price', { compareAtPrice: '4.35' }, 'compareAtPrice'],
  ['a weight together with a volume', { netGrams: '110', netMillilitres: '120' }, 'netMillilitres'],
  ['a net weight of more than 100,000 grams', { netGrams: '100001' }, 'netGrams'],
  ['a weight in a unit of volume', { netGrams: '8 fl oz' }, 'netGrams'],
  ['a form that the shop does not have', { form: 'frozen' }, 'form'],
  ['a month that does not exist', { bestBefore: '2028-13' }, 'bestBefore'],
])('%s is rejected at its field', async (_what, fields, field) => {
  const { id, categoryId } = await shop.stock();
  const { status, code, errors } = await save({ id }, categoryId, fields);
  expect({ status, code, fields: errors?.map((each) => each.field) }).toEqual({
    status: 400,
    code: 'invalid_request',
    fields: [field],
  });
});

test('a field that was not sent counts in the rules about two fields', async () => {
  const { id, categoryId } = await shop.stock();
  await save({ id }, categoryId, { compareAtPrice: '5.00', netGrams: '110' });
  expect(await save({ id }, categoryId, { price: '5.00' })).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await save({ id }, categoryId, { netMillilitres: '120' })).toMatchObject({ status: 400 });
  expect(await save({ id }, categoryId, { netMillilitres: '120', netGrams: '' })).toMatchObject({ status: 200 });
});

test.each([
  ['3.9 oz', 111],
  ['1 lb', 454],
  ['2.2 LB.', 998],
  ['0.5 kg', 500],
  ['110', 110],
])('the net weight %s is %i g', async (typed, grams) => {
  const { id, categoryId } = await shop.stock();
  await save({ id }, categoryId, { netGrams: typed });
  expect(await readPublic({ id })).toMatchObject({ netGrams: grams });
});

test('two products on sale never have the same SKU, whatever its case; a deleted one frees it', async () => {
  const { id } = await withSku(shop, 'Afra-110');
  const other = await shop.stock();
  const taken = { status: 409, code: 'sku_taken', errors: [{ field: 'sku', message: 'Another product has this SKU' }] };
  expect(await save(other, other.categoryId, { sku: 'AFRA-110' })).toMatchObject(taken);
  await shop.call('archiveProduct', { as: staff, path: { id } });
  expect(await save(other, other.categoryId, { sku: 'AFRA-110' })).toMatchObject({ status: 200 });
  expect(await shop.call('restoreProduct', { as: staff, path: { id } })).toMatchObject(taken);
});

test('a file may not give two rows one SKU, nor take another product’s', async () => {
  await withSku(shop, 'FILE-1');
  const { name: category } = await shop.category();
  const row = (name: string, sku: string) => `${name},Hot,4.35,true,12,${category},${sku}`;
  const rows = [row('One', 'file-1'), row('Two', 'FILE-2'), row('Three', 'file-2'), row('Four', '')];
  const file = ['name,description,price,availability,quantity,category,sku', ...rows].join('\n');
  const { data } = await importFile(file, false);
  const errors = data.productImport.rows.map((each) => each.errors.map(({ field, message }) => `${field}: ${message}`));
  const taken = ['sku: Another product has this SKU'];
  expect(errors).toEqual([taken, [], taken, []]);
});

test('an export with a deleted product changes nothing, although its SKU is another product’s by now', async () => {
  const { id: categoryId, name } = await shop.category();
  for (const archivedAt of [new Date(), null]) {
    const { id } = await withSku(shop, 'Twice-Sold', archivedAt);
    await shop.db.update(products).set({ categoryId }).where(eq(products.id, id));
  }
  const { body } = await csvCalls(shop, staff).exported({ category: name, archived: 'all' });
  expect((await importFile(body, false)).data.productImport).toMatchObject({ unchanged: 2, refused: 0 });
});

test('staff find a product by its whole SKU in any case, and by its barcode', async () => {
  const { id } = await withSku(shop, 'Find-Me-1');
  await shop.db.update(products).set({ barcode: '4006381333931' }).where(eq(products.id, id));
  for (const [q, ids] of [
    ['find-me-1', [id]],
    ['4006381333931', [id]],
    ['find-me', []],
    ['400638133393', []],
  ] as const) {
    const { data } = await shop.call('listProductsForStaff', { as: staff, query: { q } });
    expect(data.products.content.map((product) => product.id)).toEqual(ids);
  }
});
