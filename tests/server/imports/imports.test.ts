/** Imports of product files: preview, job and what a repeated file does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importCalls } from '../../support/imports';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let calls: ReturnType<typeof importCalls>;
beforeAll(async () => {
  shop = await openOwnShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  calls = importCalls(shop, staff);
});
afterAll(() => shop.close());

const productOf = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;

const columns = 'name,description,price,availability,quantity,category';

test('a preview counts what the rows do and changes nothing', async () => {
  const pepper = await shop.stock({ priceCents: 450 });
  const { name: category } = await shop.category();
  const csv = [
    `id,${columns}`,
    `${pepper.id},,4.75,,,`,
    `,Preview cumin,Whole,4.35,yes,5,${category}`,
    `,Preview sumac,Ground,ask us,yes,5,${category}`,
  ].join('\n');
  const found = await calls.preview(
    csv.replace(`${pepper.id},,4.75,,,`, `${pepper.id},Pepper,Hot,4.75,yes,0,${category}`),
  );
  expect(found).toMatchObject({ state: 'previewed', source: 'shop', rows: { new: 1, wrong: 2 } });
  expect(found.problems).toMatchObject([
    { line: 2, column: 'quantity' },
    { line: 4, name: 'Preview sumac', column: 'price', cell: 'D4', message: 'Enter a price, such as 4.50' },
  ]);
  const search = await shop.call('listProductsForStaff', { as: staff, query: { q: 'Preview cumin' } });
  expect(search.data.products.totalElements).toBe(0);
});

test('an import creates and changes products in the order of the file, with their stock', async () => {
  const { name: category, id: categoryId } = await shop.category();
  const old = await shop.stock({ categoryId, priceCents: 450 });
  const csv = [
    'id,name,description,price,availability,quantity,category',
    ...['Zaatar', 'Anise', 'Mace'].map((name, at) => `,${name},Good,$1${at}.50,Available,"1,20${at}",${category}`),
  ].join('\n');
  const done = await calls.imported(csv);
  expect(done).toMatchObject({ state: 'done', rows: { new: 3, wrong: 0 }, progress: { done: 3, of: 3 } });
  const changed = await calls.imported(`id,price\n${old.id},4.75\n`);
  expect(changed).toMatchObject({ state: 'done', rows: { changed: 1 } });
  expect(await productOf(old.id)).toMatchObject({ price: 4.75 });
  const listed = await shop.call('listProductsByCategory', { path: { categoryName: category } });
  expect(listed.data.products.content.map(({ name, price, quantity }) => [name, price, quantity])).toEqual([
    [expect.any(String), 4.75, expect.any(Number)],
    ['Zaatar', 10.5, 1200],
    ['Anise', 11.5, 1201],
    ['Mace', 12.5, 1202],
  ]);
});

test('a file that is imported again changes nothing, and keeps what was sold in between', async () => {
  const { name: category } = await shop.category();
  const csv = `${columns},sku\nAgain,Good,4.35,yes,10,${category},\nAgain,Good,4.35,yes,10,${category},\nAgain,Good,4.35,yes,10,${category},AG-1\n`;
  const first = await calls.imported(csv);
  expect(first.rows).toEqual({ new: 3, changed: 0, unchanged: 0, wrong: 0 });
  const [row] = await calls.rowsOf(first.id);
  const path = { id: row?.productId ?? '' };
  await shop.call('adjustStock', { as: staff, path, body: { change: -4, reason: 'Sold' } });
  const again = await calls.preview(csv);
  expect(again.rows).toEqual({ new: 0, changed: 0, unchanged: 3, wrong: 0 });
  const more = await calls.imported(csv.replace('yes,10', 'yes,15'));
  expect(more.rows).toMatchObject({ changed: 1, unchanged: 2 });
  expect(await productOf(path.id)).toMatchObject({ quantity: 11 });
});

test('an import with a wrong row imports nothing, unless only the right rows are wanted', async () => {
  const { name: category } = await shop.category();
  const csv = `${columns}\nRight,Good,4.35,yes,10,${category}\nWrong,Good,free,yes,10,${category}\n`;
  const { id } = await calls.preview(csv);
  expect((await calls.run(id)).body).toMatchObject({ code: 'import_refused' });
  expect((await calls.readImport(id)).state).toBe('previewed');
  expect((await calls.run(id, { onlyRight: true })).status).toBe(202);
  expect(await calls.readImport(id)).toMatchObject({
    state: 'done',
    rows: { new: 1, wrong: 1 },
    progress: { done: 1, of: 1 },
  });
  expect(await calls.rowsOf(id)).toMatchObject([
    { name: 'Right', state: 'done' },
    { name: 'Wrong', state: 'waiting', productId: null },
  ]);
});

test('categories that do not exist are named in the preview and created by the import', async () => {
  const csv = `${columns}\nKola,Nut,4.35,yes,1,Nuts & Kola\nTiger,Nut,4.35,yes,1,nuts-and-kola\nBad,Nut,free,yes,1,Unused\n`;
  const { id, newCategories } = await calls.preview(csv);
  expect(newCategories).toEqual(['Nuts & Kola']);
  await calls.run(id, { onlyRight: true });
  const { data } = await shop.call('listCategoriesForStaff', { as: staff, query: { q: 'kola' } });
  expect(data.categories.content).toMatchObject([{ name: 'nuts-and-kola', title: 'Nuts & Kola', products: 2 }]);
});

test('an unknown file waits for the fields of its columns, which are remembered', async () => {
  const { name: category } = await shop.category();
  const csv = `Item;Was kostet;Notes;Category\nBaobab;12,50;none;${category}\n`;
  const waiting = await calls.preview(csv);
  expect(waiting).toMatchObject({ state: 'mapping', source: 'other', rows: { new: 0, wrong: 0 } });
  expect(waiting.columns).toEqual([
    { name: 'Item', field: 'name', sample: 'Baobab' },
    { name: 'Was kostet', field: null, sample: '12,50' },
    { name: 'Notes', field: null, sample: 'none' },
    { name: 'Category', field: 'category', sample: category },
  ]);
  expect((await calls.run(waiting.id)).body).toMatchObject({ code: 'import_started' });
  const mapped = await calls.preview(csv, { 'Was kostet': 'price' });
  expect(mapped).toMatchObject({ state: 'previewed', rows: { new: 1, wrong: 0 } });
  expect(await calls.preview(csv)).toMatchObject({ state: 'previewed', rows: { new: 1 } });
  const [row] = await calls.rowsOf(mapped.id);
  expect(row?.changes).toContainEqual({ field: 'price', from: '', to: '12.50' });
});

test('columns with the same name are matched one by one', async () => {
  const csv = 'Item,Image,Image,Image (2)\nBaobab,A4,https://example.com/a.jpg,B5\n';
  const waiting = await calls.preview(csv, { Image: '', 'Image (3)': 'photos' });
  expect(waiting.columns.map(({ name, field }) => [name, field])).toEqual([
    ['Item', 'name'],
    ['Image', null],
    ['Image (3)', 'photos'],
    ['Image (2)', null],
  ]);
});

test('two columns with one field are refused', async () => {
  const csv = 'Item,Label,Cost\nBaobab,Fruit,12.50\n';
  const { status, body } = await calls.start(csv, { Item: 'name', Label: 'name' });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'invalid_mapping',
    message: '"Item" and "Label" have the same field. Leave one of them out.',
  });
});

test('an import is one entry in the audit log', async () => {
  const { name: category } = await shop.category();
  const { id } = await calls.imported(`${columns}\nAudited,Good,4.35,yes,1,${category}\n`);
  const { data } = await shop.call('listAudit', { as: staff, query: { kind: 'import', targetId: id } });
  expect(data.entries.content).toMatchObject([{ action: 'product.imported', changes: ['Imported 1 product: 1 new'] }]);
});

test.each<[string, (text: string) => Buffer]>([
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['big-endian UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['Windows-1252', (text) => Buffer.from(text, 'latin1')],
])('a file in %s is read', async (_, encoded) => {
  const { name: category } = await shop.category();
  const { id } = await calls.preview(encoded(`${columns}\r\nJalapeño,Hot,4.35,1,5,${category}\r\n`));
  expect(await calls.rowsOf(id)).toMatchObject([{ name: 'Jalapeño', action: 'new' }]);
});

test.each([
  ['semicolons', ';', ''],
  ['tabs', '\t', ''],
  ['a first line that names the separator', ';', 'sep=;\r\n'],
])('a file with %s is read', async (_, separator, first) => {
  const { name: category } = await shop.category();
  const lines = [columns, `Dill,"Good, fresh",4.35,1,5,${category}`].map((line) =>
    line.replaceAll(/,(?! )/g, separator),
  );
  const { id } = await calls.preview(first + lines.join('\r\n'));
  expect(await calls.rowsOf(id)).toMatchObject([{ name: 'Dill', action: 'new' }]);
});

test('an Excel workbook is refused with a sentence that says what to send', async () => {
  const { status, body } = await calls.start(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0xff]));
  expect(status).toBe(400);
  expect(body).toMatchObject({ message: "We can't read this file. Save it as CSV and try again." });
});

test('a file with a difference of stock, imported again, books it once', async () => {
  const { id } = await shop.stock({ quantity: 5, priceCents: 450 });
  const { version } = await productOf(id);
  const csv = `id,price,quantity,quantityWas,version\n${id},5.25,15,5,${version}\n`;
  await calls.imported(csv);
  expect(await productOf(id)).toMatchObject({ price: 5.25, quantity: 15 });
  const again = await calls.preview(csv);
  expect(again.rows).toEqual({ new: 0, changed: 0, unchanged: 1, wrong: 0 });
  expect((await calls.rowsOf(again.id))[0]?.notes).toEqual([
    'This file was imported before, so its stock stays as it is',
  ]);
});

test('a file of SKUs and units sets the stock', async () => {
  const { id } = await shop.stock({ quantity: 5 });
  await calls.imported(`id,sku\n${id},UNITS-1\n`);
  for (const units of [40, 45, 38]) {
    await calls.imported(`sku,quantity\nunits-1,${units}\n`);
    expect(await productOf(id)).toMatchObject({ quantity: units });
  }
});

test('a mended file books only the units that its first import did not', async () => {
  const [one, two] = [await shop.stock({ quantity: 10 }), await shop.stock({ quantity: 10 })];
  const fileOf = (units: number, wasOfTwo: number) =>
    ['id,quantity,quantityWas', `${one.id},${units},10`, `${two.id},4,${wasOfTwo}`].join('\n');
  const stockOf = async () => [(await productOf(one.id)).quantity, (await productOf(two.id)).quantity];
  const wrong = await calls.preview(fileOf(20, 40));
  expect(wrong.rows).toMatchObject({ changed: 1, wrong: 1 });
  await calls.run(wrong.id, { onlyRight: true });
  expect(await stockOf()).toEqual([20, 10]);
  expect((await calls.imported(fileOf(20, 10))).rows).toMatchObject({ changed: 1, unchanged: 1 });
  expect(await stockOf()).toEqual([20, 4]);
  const more = await calls.imported(fileOf(25, 10));
  expect(await stockOf()).toEqual([25, 4]);
  expect((await calls.rowsOf(more.id)).map(({ notes }) => notes)).toEqual([
    ['This file was imported before with other units, so its stock changes by the difference'],
    ['This file was imported before, so its stock stays as it is'],
  ]);
  await calls.undo(more.id);
  expect(await stockOf()).toEqual([20, 4]);
  await calls.imported(`id,quantity,quantityWas\n${one.id},26,20\n`);
  expect(await stockOf()).toEqual([26, 4]);
});

test('an export that is imported again after Undo books its units again', async () => {
  const { id } = await shop.stock({ quantity: 10 });
  const csv = `id,quantity,quantityWas\n${id},20,10\n`;
  await calls.undo((await calls.imported(csv)).id);
  expect(await productOf(id)).toMatchObject({ quantity: 10 });
  await calls.imported(csv);
  expect(await productOf(id)).toMatchObject({ quantity: 20 });
});

test('a file of SKUs and units, imported again, keeps what was sold in between', async () => {
  const { id } = await shop.stock({ quantity: 10 });
  await calls.imported(`id,sku\n${id},SOLD-1\n`);
  const steps = [
    ['sku,quantity\nSOLD-1,10\n', 10],
    ['sku,quantity\nSOLD-1,40\n', 37],
    ['sku,quantity\nSOLD-1,40\n', 37],
    ['sku,supplier\nSOLD-1,Banjul Mill\n', 37],
    ['sku,quantity\nSOLD-1,45\n', 42],
  ] as const;
  for (const [at, [csv, quantity]] of steps.entries()) {
    const { id: importId } = await calls.imported(csv);
    expect(await productOf(id)).toMatchObject({ quantity });
    if (at === 1)
      expect((await calls.rowsOf(importId))[0]?.changes).toEqual([{ field: 'quantity', from: '7', to: '37' }]);
    const body = { change: -3, reason: 'Sold' };
    if (at === 0) await shop.call('adjustStock', { as: staff, path: { id }, body });
  }
});

test('an old address is kept as the path that is redirected, and a note names one that can’t be', async () => {
  const { name: category } = await shop.category();
  const links = [
    'https://old.example/product/Old-Pepper/?ref=1',
    'https://old.example/spices/pepper',
    `/product/${'a'.repeat(201)}`,
  ];
  const rows = links.map((link, at) => `Moved ${at},Good,4.35,yes,1,${category},${link}`);
  const mapping = { oldAddress: 'oldAddress' };
  const { id } = await calls.imported([`${columns},oldAddress`, ...rows].join('\n'), mapping);
  const { rows: aliases } = await shop.pool.query(`select path from product_aliases`);
  expect(aliases).toEqual([{ path: '/product/old-pepper' }]);
  const left = (link: string) =>
    `Its old address ${link} is left out. We can redirect links such as /product/black-pepper or /products/black-pepper.`;
  expect((await calls.rowsOf(id)).map(({ notes }) => notes)).toEqual([
    [],
    [left('https://old.example/spices/pepper')],
    [left(`/product/${'a'.repeat(71)}`)],
  ]);
});

test('characters that the database can’t store become replacement characters', async () => {
  const { name: category } = await shop.category();
  const { id, rows } = await calls.preview(
    `${columns},sku\nNul\0,Good,4.35,yes,1,${category},\nSku,Good,4.35,yes,1,New\0cat,S\0KU\n`,
  );
  expect(rows).toMatchObject({ new: 1, wrong: 1 });
  expect((await calls.rowsOf(id))[0]?.name).toBe('Nul\ufffd');
});
