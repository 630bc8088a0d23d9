/** How an import of products handles unusual rows. The rest: tests/server/http/csv.ci.test.ts */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asFile, form } from '../../support/catalogScenarios';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const importCsv = async (csv: string | Buffer, apply: boolean, again = false) =>
  shop.call('importProducts', {
    as: staff,
    key: randomUUID(),
    ...(await form({ file: asFile(csv), apply: String(apply), ...(again && { again: 'true' }) })),
  });

test('a dry run handles any row, and shows a replacement character for what the database cannot store', async () => {
  const { name: category } = await shop.category();
  const row = (name: string, description: string) => `${name},${description},4.35,true,12,${category}`;
  const csv = [
    'name,description,price,availability,quantity,category',
    row('Kani\0pepper', 'Hot'),
    row(`${'x'.repeat(119)}🌶`, 'Hot'),
    row('Kani pepper', `${'x'.repeat(199)}🌶 and more`),
  ].join('\n');
  const { status, data } = await importCsv(csv, false);
  expect(status).toBe(200);
  expect(data.productImport.rows).toMatchObject([
    { name: 'Kani\ufffdpepper', action: 'refuse', errors: [{ field: 'name' }] },
    { name: `${'x'.repeat(119)}\ufffd`, action: 'refuse', errors: [{ field: 'name' }] },
    { name: 'Kani pepper', action: 'create' },
  ]);
  const shown = { field: 'description', from: '', to: `${'x'.repeat(199)}\ufffd…` };
  expect(data.productImport.rows[2]?.changes).toContainEqual(shown);
});

const archive = (id: string) => shop.call('archiveProduct', { as: staff, path: { id }, key: randomUUID() });

test('an import neither deletes nor restores a product, and rejects a row that asks for it', async () => {
  const [sold, deleted] = [await shop.stock(), await shop.stock()];
  await archive(deleted.id);
  const rows = [`${sold.id},5,TRUE`, `${deleted.id},5,false`, ',5,true', `${(await shop.stock()).id},5,yes`];
  const { data } = await importCsv(['id,price,archived', ...rows].join('\n'), false);
  for (const row of data.productImport.rows) {
    expect(row.action).toBe('refuse');
    expect(row.errors).toContainEqual({
      field: 'archived',
      message: "Imports can't delete or restore products. Clear this cell and use the product list instead.",
      cell: expect.stringMatching(/^C[2-5]$/),
    });
  }
});

test('a row that leaves a product deleted changes its other fields', async () => {
  const [sold, other, deleted] = [await shop.stock(), await shop.stock(), await shop.stock()];
  await archive(deleted.id);
  const rows = [`${sold.id},5,FALSE`, `${other.id},5,`, `${deleted.id},5,true`];
  const { data } = await importCsv(['id,price,archived', ...rows].join('\n'), true);
  expect(data.productImport).toMatchObject({ applied: true, changed: 3 });
});

test('an import is one entry of the audit log, and each product records its own changes', async () => {
  const [first, second] = [await shop.stock({ priceCents: 365 }), await shop.stock({ priceCents: 365 })];
  await importCsv(`id,price\n${first.id},4.02\n${second.id},4.02`, true);
  const entries = async (query: Record<string, unknown>) =>
    (await shop.call('listAudit', { as: staff, query: { actor: staff.userId, kind: 'product', ...query } })).data
      .entries.content;
  const [entry] = await entries({});
  expect(entry).toMatchObject({
    action: 'product.imported',
    targetId: null,
    thing: 'Products',
    changes: ['Imported 2 products: 2 updated'],
  });
  const ofProduct = await entries({ targetId: first.id });
  expect(ofProduct).toMatchObject([{ action: 'product.changed_by_import', changes: ['Price $3.65 to $4.02'] }]);
});

const named = 'name,description,price,availability,quantity,category';

test('a row’s line number counts a line end once, and its cell is the one in the spreadsheet', async () => {
  const { name: category } = await shop.category();
  const text = '"One\r\n\r\nTwo\r\nThree"';
  const lines = [named, `Kani,${text},4.35,true,1,${category}`, '', `Dill,x,four,true,1,${category}`, `,x,4,true,1,x`];
  for (const end of ['\r\n', '\n']) {
    const { data } = await importCsv(lines.join(end), false);
    expect(data.productImport.rows).toMatchObject([
      { line: 2, action: 'create' },
      { line: 7, errors: [{ field: 'price', cell: 'C4' }] },
      {
        line: 8,
        errors: [
          { field: 'name', cell: 'A5' },
          { field: 'category', cell: 'F5' },
        ],
      },
    ]);
  }
});

test('different line ends are no change, and a text is stored with line feeds', async () => {
  const old = await shop.stock({ description: 'One\r\n\r\nTwo' });
  const { data } = await importCsv(`id,description\n${old.id},"One\n\nTwo"\n`, false);
  expect(data.productImport).toMatchObject({ unchanged: 1, changed: 0 });
  await importCsv(`id,description\r\n${old.id},"Three\r\n\r\nFour"\r\n`, true);
  const { product } = (await shop.call('getProductForStaff', { as: staff, path: { id: old.id } })).data;
  expect(product.description).toBe('Three\n\nFour');
});

test.each<[string, (rows: string[][]) => string | Buffer]>([
  ['with empty columns at the end', (rows) => rows.map((row) => [...row, '', ''].join(',')).join('\n')],
  ['that begins with sep=;', (rows) => ['sep=;', ...rows.map((row) => row.join(';'))].join('\r\n')],
  ['with tabs', (rows) => rows.map((row) => row.join('\t')).join('\n')],
  ['with semicolons and a byte order mark', (rows) => `\ufeff${rows.map((row) => row.join(';')).join('\n')}`],
  ['whose first line comes twice', (rows) => [rows[0], ...rows].map((row) => row?.join(',')).join('\n')],
  ['of Unicode text', (rows) => Buffer.from(`\ufeff${rows.map((row) => row.join('\t')).join('\r\n')}`, 'utf16le')],
])('a file %s is accepted', async (_, write) => {
  const { id } = await shop.stock();
  const { data } = await importCsv(
    write([
      ['id', 'price'],
      [id, '5.25'],
    ]),
    false,
  );
  expect(data.productImport).toMatchObject({ changed: 1, refused: 0 });
});

test('imported products are listed in the order of the file, in the back office and in the shop', async () => {
  const { name: category } = await shop.category();
  const names = Array.from({ length: 12 }, (_, at) => `No. ${at}`);
  await importCsv([named, ...names.map((name) => `${name},x,4,true,20,${category}`)].join('\n'), true);
  const found = await shop.call('listProductsForStaff', { as: staff, query: { category, size: 20 } });
  expect(found.data.products.content.map(({ name }) => name)).toEqual(names);
  const shown = await shop.call('listProductsByCategory', { path: { categoryName: category }, query: { size: 20 } });
  expect(shown.data.products.content.map(({ name }) => name)).toEqual(names);
});

test('importing the same file again is reported and changes nothing unless confirmed', async () => {
  const { id } = await shop.stock({ quantity: 10 });
  const csv = `id,quantity,quantityWas\n${id},30,10\n`;
  const units = async () => (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product.quantity;
  expect((await importCsv(csv, true)).data.productImport).toMatchObject({ applied: true, changed: 1 });
  expect(await importCsv(csv, true)).toMatchObject({
    status: 409,
    code: 'import_repeated',
    message: expect.stringMatching(/^This file was imported at .*[AP]M\. Nothing was changed\.$/),
  });
  expect(await units()).toBe(30);
  const { importedAt, rows } = (await importCsv(csv, false)).data.productImport;
  expect(Date.parse(importedAt ?? '')).toBeLessThanOrEqual(shop.clock.now().getTime());
  expect(rows[0]?.changes).toEqual([{ field: 'quantity', from: '30', to: '50' }]);
  await importCsv(csv, true, true);
  expect(await units()).toBe(50);
});

test('rows that a spreadsheet saved again count as the same rows, and are not created twice', async () => {
  const { name: category } = await shop.category();
  const exported = `name,description,price,availability,quantity,category\n"Dill","Two\nlines","4.50","true","1","${category}"`;
  const saved = `name;description;price;availability;quantity;category\r\nDill;"Two\r\nlines";4.5;TRUE;1;${category}\r\n`;
  expect((await importCsv(exported, true)).data.productImport).toMatchObject({ created: 1 });
  expect(await importCsv(saved, true)).toMatchObject({ status: 409, code: 'import_repeated' });
});

test('changed rows that were already imported are reported as such, not as changed by another user', async () => {
  const { id } = await shop.stock();
  const { version } = (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
  const csv = `id,price,version\n${id},6.25,${version}\n`;
  expect((await importCsv(csv, true)).data.productImport).toMatchObject({ changed: 1 });
  expect(await importCsv(csv, true)).toMatchObject({ status: 409, code: 'import_repeated' });
  const { importedAt } = (await importCsv(csv, false)).data.productImport;
  expect(importedAt).toBeDefined();
});

test('products of a second file follow those of the first, however soon it comes', async () => {
  const { name: category } = await shop.category();
  const rows = (first: number) => [0, 1, 2].map((at) => `No. ${first + at},x,4,true,20,${category}`).join('\n');
  for (const first of [0, 3]) await importCsv(`${named}\n${rows(first)}`, true);
  const found = await shop.call('listProductsForStaff', { as: staff, query: { category, size: 20 } });
  expect(found.data.products.content.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `No. ${at}`));
});
