/** Products as CSV: the export, and the import with its dry run, which is applied entirely or not at all. */
import { randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { csvCalls, rowsOf } from '../../support/productCsv';
import { moveStock } from '../../support/catalog';
import { isNightly } from '../../support/nightly';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let exported: ReturnType<typeof csvCalls>['exported'];
let importCsv: ReturnType<typeof csvCalls>['importCsv'];
let forStaff: ReturnType<typeof csvCalls>['forStaff'];
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  ({ exported, importCsv, forStaff } = csvCalls(shop, staff));
});
afterAll(() => shop.close());

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const csvOf = (rows: Record<string, string>[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map(quote).join(','))
    .join('\r\n');
const pepper = (category: string) => ({
  name: 'Kani pepper',
  description: 'Hot',
  price: '4.35',
  availability: 'true',
  quantity: '12',
  category,
});

test('the export is a file with exactly the rows of the filtered list, in its order', async () => {
  const { id: categoryId, name: category } = await shop.category();
  for (const [name, quantity] of [
    ['Dill', 3],
    ['Anise', 40],
    ['Basil', 5],
  ] as const)
    await shop.stock({ categoryId, name, quantity });
  const { statusCode, headers, body } = await exported({ category, lowStock: 'true', sort: 'name' });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="products-\d{4}-\d\d-\d\d\.csv"$/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(rowsOf(body).map(({ name, quantity }) => ({ name, quantity }))).toEqual([
    { name: 'Basil', quantity: '5' },
    { name: 'Dill', quantity: '3' },
  ]);
});

test('an export of more rows than one read returns has each of them once', async () => {
  const { id: categoryId, name: category } = await shop.category();
  await shop.pool.query(
    `insert into products (id, category_id, name, description, price_cents, availability, quantity, created_at)
     select gen_random_uuid(), $1, 'Spice ' || n, 'x', 450, true, 0, $2 from generate_series(1, 1200) as n`,
    [categoryId, shop.clock.now()],
  );
  const rows = rowsOf((await exported({ category })).body);
  expect(rows).toHaveLength(1200);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1200);
});

test('every cell is quoted, so that a semicolon in a text starts no new cell', async () => {
  const { id: categoryId, name: category } = await shop.category();
  await shop.stock({ categoryId, name: 'Dill; =1+1', description: 'Two\nlines', quantity: 3 });
  const [header, ...lines] = (await exported({ category })).body.slice(1).split(/(?<=")\n/);
  expect(header).toMatch(/^"id"(,"[a-zA-Z]+")+$/);
  expect(lines.join('\n')).toMatch(/^"[^"]+"(,"[^"]*")+\n?$/);
});

test('a dry run lists what each row would do, and does none of it', async () => {
  const { id: categoryId, name: category } = await shop.category();
  const { id } = await shop.stock({ categoryId, quantity: 10 });
  const same = await shop.stock({ categoryId });
  const csv = csvOf([
    { id, ...pepper(category), quantity: '12', quantityWas: '10', description: 'Two\nlines' },
    {
      id: same.id,
      ...pepper(category),
      name: 'Black pepper',
      description: 'Whole berries.',
      price: '4.5',
      quantity: '10',
      quantityWas: '10',
    },
    { id: '', ...pepper(category), name: 'New', quantityWas: '' },
    { id: '', ...pepper('nowhere'), name: '', price: 'four', quantityWas: '' },
  ]);
  const before = [await forStaff(id), await shop.db.$count(products)];
  const { status, message, data } = await importCsv(csv, false);
  expect({ status, message }).toEqual({ status: 200, message: 'Nothing has changed yet' });
  const { rows, ...counts } = data.productImport;
  expect(counts).toEqual({ applied: false, created: 1, changed: 1, unchanged: 1, refused: 1 });
  expect(rows).toMatchObject([
    {
      line: 2,
      action: 'change',
      id,
      changes: [
        { field: 'name', from: 'Black pepper', to: 'Kani pepper' },
        { field: 'description', from: 'Whole berries.', to: 'Two\nlines' },
        { field: 'price', from: '4.50', to: '4.35' },
        { field: 'quantity', from: '10', to: '12' },
      ],
      errors: [],
    },
    { line: 4, action: 'nothing', changes: [] },
    { line: 5, action: 'create', id: null, name: 'New' },
    {
      line: 6,
      action: 'refuse',
      errors: [
        { field: 'name', message: 'Enter a name' },
        { field: 'price', message: 'Enter a price, such as 4.50' },
        { field: 'category', message: "This category doesn't exist" },
      ],
    },
  ]);
  expect([await forStaff(id), await shop.db.$count(products)]).toEqual(before);
});

test('an import creates and changes all rows in one go, books only differences, and has no second effect', async () => {
  const { id: categoryId, name: category } = await shop.category();
  const { id } = await shop.stock({ categoryId, quantity: 10, unitCostCents: 100 });
  const csv = csvOf([
    { id, ...pepper(category), quantity: '15', quantityWas: '10', unitCost: '' },
    { id: '', ...pepper(category), name: 'New', quantityWas: '', unitCost: '2.1' },
  ]);
  await moveStock(shop.db, id, -4);
  const key = randomUUID();
  const { data, message } = await importCsv(csv, true, key);
  expect(message).toBe('Products imported');
  expect(data.productImport).toMatchObject({ applied: true, created: 1, changed: 1 });
  expect(await importCsv(csv, true, key)).toMatchObject({ status: 200, data });
  expect(await forStaff(id)).toMatchObject({ name: 'Kani pepper', price: 4.35, quantity: 11, unitCost: null });
  const made = await shop.db
    .select()
    .from(products)
    .where(eq(products.categoryId, categoryId))
    .orderBy(asc(products.name));
  expect(made.map(({ name, quantity, unitCostCents }) => [name, quantity, unitCostCents])).toEqual([
    ['Kani pepper', 11, null],
    ['New', 12, 210],
  ]);
});

test('a missing column changes nothing', async () => {
  const { id } = await shop.stock({ quantity: 10, origin: 'Senegal' });
  const { data } = await importCsv(`id,price\n${id},5.25\n`, true);
  expect(data.productImport.rows).toMatchObject([{ changes: [{ field: 'price', from: '4.50', to: '5.25' }] }]);
  expect(await forStaff(id)).toMatchObject({ price: 5.25, name: 'Black pepper', origin: 'Senegal', quantity: 10 });
});

test('the exported quantity without the new-quantity column changes no stock', async () => {
  const { id } = await shop.stock({ quantity: 7 }); // 10 when the file was exported
  const { data } = await importCsv(`id,price,quantityWas\n${id},5.25,10\n`, true);
  expect(data.productImport.rows).toMatchObject([{ changes: [{ field: 'price' }] }]);
  expect(await forStaff(id)).toMatchObject({ price: 5.25, quantity: 7 });
});

test('one invalid row stops the whole import', async () => {
  const { id: categoryId, name: category } = await shop.category();
  const { id } = await shop.stock({ categoryId });
  const before = await forStaff(id);
  const rows = [
    { id, ...pepper(category), quantity: '10', quantityWas: '10' },
    { id: '', ...pepper(category), quantity: '-1', quantityWas: '' },
  ];
  expect(await importCsv(csvOf(rows), true)).toMatchObject({
    status: 409,
    code: 'import_refused',
    errors: [{ field: '3.quantity', message: 'Enter a whole number from 0 to 1,000,000' }],
  });
  expect(await forStaff(id)).toEqual(before);
  expect(await shop.db.$count(products, eq(products.categoryId, categoryId))).toBe(1);
});

const rowErrors: [string, (product: { id: string; version: number }) => Record<string, string>, string, string][] = [
  ['an unknown product', () => ({ id: randomUUID() }), 'id', "This product doesn't exist"],
  ['a broken id', () => ({ id: 'x' }), 'id', 'Leave this blank for a new product'],
  ['an old version', ({ id }) => ({ id, version: '0' }), 'version', 'This product changed after you exported the file'],
  [
    'a quantity without what it was',
    ({ id }) => ({ id, quantity: '3' }),
    'quantity',
    "Add the column quantityWas, so that sales made since the export aren't undone",
  ],
  [
    'more taken out than there is',
    ({ id }) => ({ id, quantity: '0', quantityWas: '50' }),
    'quantity',
    "You can't remove more units than you have in stock",
  ],
  ['a heat of 9', ({ id }) => ({ id, heatLevel: '9' }), 'heatLevel', 'Choose a heat level from 0 to 5'],
  ['a price of nothing', ({ id }) => ({ id, price: '0' }), 'price', 'Price must be at least $0.01'],
  ['a version in words', ({ id }) => ({ id, version: 'two' }), 'version', 'Enter a whole number'],
];
test.each(rowErrors)('a row with %s is rejected under its column', async (_, row, field, message) => {
  const { id } = await shop.stock({ quantity: 10 });
  const { data } = await importCsv(csvOf([row(await forStaff(id))]), false);
  expect(data.productImport.rows).toMatchObject([{ line: 2, action: 'refuse', errors: [{ field, message }] }]);
});

test('one product twice in a file is rejected', async () => {
  const { id } = await shop.stock();
  const { data } = await importCsv(`id,price\n${id},5\n${id.toUpperCase()},6\n`, false);
  expect(data.productImport).toMatchObject({ changed: 1, refused: 1 });
});

const files: [string, string | Buffer, number, string][] = [
  ['no rows', 'id,name\n', 400, 'This file has no rows'],
  ['nothing in it', '', 400, 'This file has no rows'],
  ['an unknown column', 'name,passwordHash\nx,y\n', 400, 'the column "passwordHash" in cell B1'],
  ['a column twice', 'name,name\nx,y\n', 400, 'appears twice, in cells A1 and B1. Delete one'],
  ['an open quotation mark', 'name,price\n"x,1\ny,2\n', 400, "This file isn't a valid CSV"],
  ['another encoding', Buffer.from([0x6e, 0x61, 0xff, 0xfe, 0x0a, 0x78]), 400, 'Save it as CSV (UTF-8)'],
  ['a row that is too long', 'name,price\nx,1,2,3\n', 400, 'Cell C2 is in a column without a name'],
  ['1,001 rows', `name\n${'x\n'.repeat(1001)}`, 400, 'Import up to 1,000 rows at a time'],
  ['more than 2 MB', `name\n${'x'.repeat(2_100_000)}\n`, 413, 'CSV files can be up to 2 MB'],
];
test.each(files)('a file with %s is rejected with a sentence', async (_, csv, status, message) => {
  const answer = await importCsv(csv, true);
  expect(answer.status).toBe(status);
  expect(answer.message).toContain(message);
});

test("a spreadsheet's file with semicolons and capital letters is understood", async () => {
  const { id } = await shop.stock({ quantity: 10 });
  const { data } = await importCsv(`\ufeffid;availability;otherNames\r\n${id};FALSE;"kani, chilli"\r\n;;\r\n`, true);
  expect(data.productImport).toMatchObject({ changed: 1, refused: 0 });
  expect(await forStaff(id)).toMatchObject({ availabilityFlag: false, otherNames: ['kani', 'chilli'] });
});

const large = isNightly ? 300 : 60;

test('a large file is imported in one go', async () => {
  const { name: category } = await shop.category();
  const rows = Array.from({ length: large }, (_, at) => ({ ...pepper(category), name: `Spice ${at}` }));
  expect((await importCsv(csvOf(rows), true)).data.productImport).toMatchObject({ created: large });
});
