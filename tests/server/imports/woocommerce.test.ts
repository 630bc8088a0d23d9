/** Product exports of WooCommerce as they are. */
import { stringify } from 'csv-stringify/sync';
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

const simple = {
  ID: '11',
  Type: 'simple',
  SKU: 'BAY-1',
  'GTIN, UPC, EAN, or ISBN': '036000291452',
  Name: 'Bay Leaves',
  Published: '1',
  'Is featured?': '0',
  'Visibility in catalog': 'visible',
  'Short description': 'Short',
  Description: String.raw`<p>Whole leaves.</p>\n<p>Dried.</p>`,
  'Tax status': 'taxable',
  'In stock?': '1',
  Stock: '15',
  'Weight (oz)': '2.5',
  'Sale price': '3.50',
  'Regular price': '4.25',
  Categories: 'Spices > Leaves, Sale',
  Tags: 'leaf, dried',
  Images: 'https://old.example/wp-content/bay.jpg, https://old.example/wp-content/bay-2.jpg',
  Parent: '',
  'Attribute 1 name': '',
  'Attribute 1 value(s)': '',
};
const blank = Object.fromEntries(Object.keys(simple).map((name) => [name, '']));
const variable = {
  ...blank,
  ID: '20',
  Type: 'variable',
  SKU: 'CURRY',
  Name: 'Curry Powder',
  Published: '1',
  Description: 'Mild & warm',
  'Tax status': 'none',
  'In stock?': '1',
  Categories: 'Blends',
  Images: 'https://old.example/curry.jpg',
  'Attribute 1 name': 'Size',
  'Attribute 1 value(s)': '60 g, 250 g',
};
const variation = (id: string, size: string, price: string, parent: string) => ({
  ...blank,
  ID: id,
  Type: 'variation',
  SKU: `CURRY-${id}`,
  Name: `Curry Powder - ${size}`,
  Published: '1',
  'Tax status': 'none',
  'In stock?': '1',
  Stock: '7',
  'Regular price': price,
  Parent: parent,
  'Attribute 1 name': 'Size',
  'Attribute 1 value(s)': size,
});
const fileOf = (lines: Record<string, string>[]) => `\ufeff${stringify(lines, { header: true })}`;

test('an export becomes products, and variations become sizes of one another', async () => {
  const csv = fileOf([
    simple,
    variation('21', '60 g', '5.00', 'id:20'),
    variable,
    variation('22', '250 g', '12.00', 'CURRY'),
    {
      ...simple,
      ID: '30',
      SKU: '',
      'GTIN, UPC, EAN, or ISBN': '',
      Name: 'Draft Rub',
      Published: '-1',
      Stock: '',
      Images: '',
    },
  ]);
  const found = await calls.preview(csv);
  expect(found).toMatchObject({
    source: 'woocommerce',
    state: 'previewed',
    rows: { new: 4, changed: 0, unchanged: 0, wrong: 0 },
    newCategories: ['Leaves', 'Blends'],
  });
  await calls.run(found.id);
  const [bay, small, large, draft] = await calls.productsOf(found.id);
  expect(bay).toMatchObject({
    name: 'Bay Leaves',
    description: 'Whole leaves.\n\nDried.',
    price: 3.5,
    compareAtPrice: 4.25,
    quantity: 15,
    shippingGrams: 71,
    sku: 'BAY-1',
    barcode: '036000291452',
    tags: ['leaf', 'dried'],
    taxable: true,
    productCategory: { title: 'Leaves' },
  });
  const shared = {
    name: 'Curry Powder',
    description: 'Mild & warm',
    taxable: false,
    productCategory: { title: 'Blends' },
  };
  expect(small).toMatchObject({ ...shared, unitSize: '60 g', netGrams: 60, price: 5, sku: 'CURRY-21' });
  expect(large).toMatchObject({ ...shared, unitSize: '250 g', netGrams: 250, price: 12, sku: 'CURRY-22' });
  expect(small?.sizeGroup).toBe(large?.sizeGroup);
  expect(draft?.archivedAt).not.toBeNull();
  const notes = (await calls.rowsOf(found.id)).at(-1)?.notes;
  expect(notes).toContain("Your old shop doesn't count its stock, so it starts with 0 units");
  const { rows: aliases } = await shop.pool.query('select path, product_id from product_aliases order by path');
  expect(aliases).toEqual([
    { path: '/product/bay-leaves', product_id: bay?.id },
    { path: '/product/curry-powder', product_id: small?.id },
    { path: '/product/draft-rub', product_id: draft?.id },
  ]);
  expect(await calls.preview(csv)).toMatchObject({ rows: { new: 0, changed: 0, unchanged: 4, wrong: 0 } });
  const dearer = await calls.preview(csv.replace('12.00', '13.00'));
  expect(dearer.rows).toMatchObject({ changed: 1, unchanged: 3 });
});

test('variations whose parent counts the stock start with 0 units and a note', async () => {
  const shared = { ...variable, ID: '40', SKU: 'SHARED', Name: 'Shared Rub', Stock: '50' };
  const sizes = ['parent', 'Parent', ''].map((stock, at) => ({
    ...variation(`4${at + 1}`, `${at + 1}0 g`, '5.00', 'id:40'),
    Stock: stock,
  }));
  const { id, rows } = await calls.imported(fileOf([shared, ...sizes]));
  expect(rows).toMatchObject({ new: 3, wrong: 0 });
  expect((await calls.productsOf(id)).map(({ quantity }) => quantity)).toEqual([0, 0, 0]);
  const note = 'Its old shop counts its stock together with other sizes, so it starts with 0 units';
  for (const { notes } of await calls.rowsOf(id)) expect(notes).toContain(note);
});

test('a permalink that can’t be redirected is named in a note', async () => {
  const bay = { ...simple, ID: '50', SKU: 'LINK-1', Images: '', 'GTIN, UPC, EAN, or ISBN': '' };
  const csv = fileOf([{ ...bay, Permalink: 'https://old.example/shop/bay-leaves/' }]);
  const { id } = await calls.preview(csv);
  expect((await calls.rowsOf(id))[0]?.notes).toEqual([
    'Its old address https://old.example/shop/bay-leaves/ is left out. We can redirect links such as /product/black-pepper or /products/black-pepper.',
  ]);
});
