/** Product exports of Shopify as they are. */
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

const image = (name: string) => `https://cdn.shopify.com/s/files/1/0001/${name}.jpg?v=1`;
/** Each object is a line of the file. */
const fileOf = (lines: Record<string, string>[]) =>
  stringify(lines, { header: true, columns: [...new Set(lines.flatMap((line) => Object.keys(line)))] });
const first = {
  Handle: 'cumin-seeds',
  Title: 'Cumin Seeds',
  'Body (HTML)':
    '<h2>Earthy</h2><p>Whole <strong>cumin</strong> &amp; more.</p><ul><li>Toast it</li><li>Grind it</li></ul>',
  Vendor: 'Banjul Spice Mill',
  'Product Category': 'Food, Beverages & Tobacco > Food Items > Seasonings & Spices',
  Type: 'Whole Spices',
  Tags: 'whole, earthy, a-tag-that-is-much-longer-than-thirty-characters',
  Published: 'true',
  'Option1 Name': 'Size',
  'Option1 Value': '2 oz',
  'Variant SKU': "'0012",
  'Variant Grams': '70',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Qty': '40',
  'Variant Price': '4.95',
  'Variant Compare At Price': '5.95',
  'Variant Taxable': 'false',
  'Variant Barcode': '036000291452',
  'Image Src': image('cumin'),
  'Image Position': '1',
  'Image Alt Text': 'A jar of cumin',
  'Variant Image': image('cumin-2oz'),
  'SEO Title': 'Cumin Seeds, whole',
  'Cost per item': '1.20',
  Status: 'active',
};
const classic = [
  first,
  {
    Handle: 'cumin-seeds',
    'Option1 Value': '1 lb',
    'Variant SKU': 'CUM-16',
    'Variant Grams': '500',
    'Variant Inventory Qty': '-2',
    'Variant Price': '19.95',
    'Variant Compare At Price': '',
    'Variant Taxable': 'false',
    'Variant Barcode': '123',
    'Image Src': image('cumin-2oz'),
    'Image Position': '2',
    'Variant Image': '',
    'Cost per item': '7',
  },
  { Handle: 'cumin-seeds', 'Image Src': image('field'), 'Image Position': '3' },
  {
    ...first,
    Handle: 'gift-box',
    Title: 'Gift Box',
    'Body (HTML)': '',
    Type: '',
    Tags: '',
    'Option1 Name': 'Title',
    'Option1 Value': 'Default Title',
    'Variant SKU': '',
    'Variant Barcode': '',
    'Variant Compare At Price': '0.00',
    'Variant Image': '',
    'Image Src': 'http://plain.example/box.jpg',
    Status: 'draft',
  },
];

test('a classic export becomes products with sizes, texts, stock, photos and old addresses', async () => {
  const csv = fileOf(classic);
  const found = await calls.preview(csv);
  expect(found).toMatchObject({
    state: 'previewed',
    source: 'shopify',
    rows: { new: 3, changed: 0, unchanged: 0, wrong: 0 },
    newCategories: ['Whole Spices', 'Seasonings & Spices'],
  });
  await calls.run(found.id);
  const [small, large, box] = await calls.productsOf(found.id);
  const shared = {
    name: 'Cumin Seeds',
    description: 'Earthy\n\nWhole cumin & more.\n\n- Toast it\n- Grind it',
    supplier: 'Banjul Spice Mill',
    productCategory: { title: 'Whole Spices' },
    tags: ['whole', 'earthy'],
    taxable: false,
    pageTitle: 'Cumin Seeds, whole',
    archivedAt: null,
  };
  expect(small).toMatchObject({
    ...shared,
    unitSize: '2 oz',
    netGrams: 57,
    shippingGrams: 70,
    price: 4.95,
    compareAtPrice: 5.95,
    unitCost: 1.2,
    quantity: 40,
    sku: '0012',
    barcode: '036000291452',
  });
  expect(large).toMatchObject({ ...shared, unitSize: '1 lb', netGrams: 454, price: 19.95, quantity: 0, sku: 'CUM-16' });
  expect(large).not.toHaveProperty('barcode');
  expect(large?.sizeGroup).toBe(small?.sizeGroup);
  expect(box).toMatchObject({
    name: 'Gift Box',
    description: 'Gift Box',
    productCategory: { title: 'Seasonings & Spices' },
  });
  expect(box?.archivedAt).not.toBeNull();
  expect(box).not.toHaveProperty('sizeGroup');
  const notes = (await calls.rowsOf(found.id)).map((row) => row.notes);
  expect(notes[0]).toEqual(['Some of its tags are left out: a product has up to 20, of up to 30 characters']);
  expect(notes[1]).toContain('Its stock was below 0, so it starts with 0 units');
  expect(notes[1]).toContain('Its barcode "123" is left out, because its digits aren\'t right');
  expect(notes[2]).toContain(
    "It wasn't on sale in your old shop, so it's added as deleted. Restore it when you want to sell it.",
  );
  expect(notes[2]).toContain(
    'A photo is left out (http://plain.example/box.jpg): Enter a link that starts with https://',
  );
  const { rows: photos } = await shop.pool.query(
    'select product_id, url, alt, line from photo_fetches where import_id = $1 order by product_id = $2 desc, position',
    [found.id, small?.id],
  );
  expect(photos).toMatchObject([
    { product_id: small?.id, url: image('cumin-2oz'), line: 2 },
    { product_id: small?.id, url: image('cumin'), alt: 'A jar of cumin' },
    { product_id: small?.id, url: image('field') },
    { product_id: large?.id, url: image('cumin'), line: 3 },
    { product_id: large?.id, url: image('field') },
  ]);
  const { rows: aliases } = await shop.pool.query('select path, product_id from product_aliases order by path');
  expect(aliases).toEqual([
    { path: '/products/cumin-seeds', product_id: small?.id },
    { path: '/products/gift-box', product_id: box?.id },
  ]);
  expect(await calls.preview(csv)).toMatchObject({ rows: { new: 0, changed: 0, unchanged: 3, wrong: 0 } });
});

test('a present export with renamed columns is recognized', async () => {
  const lines = [
    {
      Title: 'Smoked Paprika',
      'URL handle': 'smoked-paprika',
      Description: '<p>Sweet</p>',
      Vendor: 'Mill',
      'Product category': 'Food > Spices',
      Type: '',
      Tags: 'smoked',
      'Published on online store': 'TRUE',
      Status: 'Active',
      SKU: 'SP-60',
      Barcode: '',
      'Option1 name': 'Size',
      'Option1 value': '60 g',
      Price: '6.50',
      'Compare-at price': '',
      'Cost per item': '2',
      'Charge tax': 'TRUE',
      'Inventory tracker': 'shopify',
      'Inventory quantity': '12',
      'Weight value (grams)': '75',
      'Product image URL': image('paprika'),
      'Image position': '1',
      'Image alt text': '',
      'SEO title': '',
    },
  ];
  const done = await calls.imported(fileOf(lines));
  expect(done).toMatchObject({ source: 'shopify', rows: { new: 1, wrong: 0 } });
  const [product] = await calls.productsOf(done.id);
  expect(product).toMatchObject({
    name: 'Smoked Paprika',
    netGrams: 60,
    price: 6.5,
    quantity: 12,
    sku: 'SP-60',
    taxable: true,
  });
});

test('a handle that is a category of the shop is named, and the category keeps its page', async () => {
  const { name } = await shop.category();
  const { id } = await calls.preview(fileOf([{ ...first, Handle: name, 'Variant SKU': '', 'Variant Barcode': '' }]));
  expect((await calls.rowsOf(id))[0]?.notes).toContain(
    `Its old address /products/${name} leads to a category of this shop`,
  );
});

test('an error names the column and cell of the export', async () => {
  const { problems } = await calls.preview(fileOf([{ ...first, 'Variant Price': 'ask us', 'Variant SKU': '' }]));
  expect(problems).toEqual([
    { line: 2, name: 'Cumin Seeds', column: 'Variant Price', cell: 'O2', message: 'Enter a price, such as 4.50' },
  ]);
});
