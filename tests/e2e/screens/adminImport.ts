import type { Schema } from '../../../src/shared/contract';
import { all, answer, at, cells, listOf } from './adminAnswers';
import { button, columns, fail, failing, field, heading, link, onPage, press, text, type Screen } from './screen';

/** The import of products, in each of its states. */
const id = '4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34';
const path = '/admin/products/import';
const [imports, one, rowsOfOne] = [/\/api\/admin\/imports\?/, /\/api\/admin\/imports\/[^/]+$/, /\/rows\?/];

type Import = Schema<'Import'>;

const column = (name: string, to: string | null, sample: string) => ({ name, field: to, sample });
const shopify: Import = {
  id,
  state: 'previewed',
  source: 'shopify',
  fileName: 'products_export.csv',
  columns: [
    column('Handle', 'handle', 'afra-grill-rub'),
    column('Title', 'name', 'Afra Grill Rub'),
    column('Variant Price', 'price', '7.95'),
    column('Image Src', 'photos', 'https://cdn.example.com/afra-grill-rub-in-a-jar-of-glass.jpg'),
    column('Gift Card', null, 'FALSE'),
  ],
  rows: { new: 188, changed: 20, unchanged: 4, wrong: 2 },
  problems: [],
  newCategories: ['Gift Boxes', 'Teas'],
  progress: { done: 0, of: 0 },
  kept: [],
  createdAt: at,
  createdBy: 'Isatou Jallow',
  finishedAt: null,
  undoableUntil: null,
};
const other: Import = {
  ...shopify,
  state: 'mapping',
  source: 'other',
  fileName: 'price list.csv',
  columns: [column('Item', 'name', 'Afra Grill Rub'), column('Retail', null, '$7.95'), column('Shelf mark', null, '')],
  rows: { new: 0, changed: 0, unchanged: 0, wrong: 0 },
};

const row = (line: number, name: string, action: Schema<'ImportAction'>, facts: object) => ({
  line,
  productId: null,
  name,
  unitSize: '',
  action,
  state: 'waiting',
  changes: [],
  problems: [],
  notes: [],
  photos: 0,
  ...facts,
});
const newRow = row(2, 'Afra Grill Rub', 'new', { unitSize: '3.9 oz', photos: 4 });
const changedRow = row(7, 'Cumin Seeds', 'changed', {
  productId: id,
  changes: [
    { field: 'price', from: '4.95', to: '5.25' },
    { field: 'supplier', from: '', to: 'Banjul Spice Mill' },
  ],
});
const wrong = { line: 9, name: 'Yassa Gift Box', column: 'Variant Price', cell: 'U9' };
const wrongRow = row(9, 'Yassa Gift Box', 'wrong', {
  problems: [{ ...wrong, message: 'Enter a price, such as 4.50' }],
});

const photos = { waiting: 0, done: 140, failed: 0, problems: [] };
const missing = {
  productId: id,
  line: 12,
  url: 'https://cdn.example.com/afra-grill-rub-in-a-jar-of-glass-on-a-table.jpg',
  message: "The photo at line 12 couldn't be loaded: the server said 404.",
};

const showing = (state: Import, ...rows: object[]) =>
  all(answer(one, { import: state }), answer(rowsOfOne, { rows: listOf(...rows) }));

export const adminImport: Screen[] = [
  {
    name: 'the import of products',
    as: 'owner',
    path,
    provoke: answer(imports, {
      imports: listOf(
        { ...shopify, state: 'done' },
        { ...other, id: id.replace('4', '5') },
        { ...shopify, id: id.replace('4', '6'), state: 'failed' },
      ),
    }),
    labels: [
      heading('Import products'),
      link('Products'),
      button('Download sample file'),
      button('Choose file'),
      ...cells('Upload', 'Drop a CSV file here'),
      ...['Shopify', 'WooCommerce', 'This shop', 'Recent imports'].map(heading),
      ...columns('File', 'When', 'By', 'Result', 'Rows'),
      link('price list.csv'),
      text('Failed'),
    ],
  },
  {
    name: 'the import without a list of recent ones',
    as: 'owner',
    path,
    provoke: fail(imports),
    labels: [text("Couldn't load the imports"), button('Try again'), button('Choose file')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'a file that is too large',
    as: 'owner',
    path,
    provoke: answer(imports, { imports: listOf() }),
    act: (page) =>
      page.getByLabel('CSV file', { exact: true }).setInputFiles({
        name: 'all.csv',
        mimeType: 'text/csv',
        buffer: Buffer.alloc(20 * 1024 * 1024 + 1, 'x'),
      }),
    labels: [
      text('This file is over 20 MB. Split it into smaller files, and import them one after another.'),
      button('Choose another file'),
      text('No imports yet.'),
    ],
  },
  {
    name: 'the columns of an unknown file',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: showing(other),
    labels: [
      heading('Columns'),
      ...columns('In your file', 'First value', 'Goes to'),
      ...['What Item is', 'What Retail is', 'What Shelf mark is'].map(field),
      text('No column is Price. New products need it; products that you have already can be changed without.'),
      button('Choose file'),
    ],
  },
  {
    name: 'two columns of a file with the same field',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: showing(other),
    act: (page) => page.getByLabel('What Retail is').selectOption('Name (required)'),
    labels: [heading('Columns'), text('2 of 3 matched')],
  },
  {
    name: 'the columns of a Shopify export',
    as: 'owner',
    path: `${path}?import=${id}&step=columns`,
    provoke: showing(shopify),
    labels: [heading('Columns'), field('What Image Src is'), text('4 of 5 matched'), link('Upload (done)')],
  },
  {
    name: 'the preview of an import with errors',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: showing(shopify, wrongRow),
    labels: [
      heading('Preview'),
      ...['New 188', 'Changed 20', 'Unchanged 4', 'Errors 2', 'Match columns (done)'].map(link),
      ...columns('Line', 'Product', 'Change', 'Result', 'Note'),
      text('Cell U9, Variant Price: Enter a price, such as 4.50'),
      text('This adds 2 new categories: Gift Boxes, Teas.'),
      text(/^2 rows with errors won't be imported/),
      button('Import the 208 right rows'),
      button('Rows with errors'),
      link('Choose another file'),
    ],
  },
  {
    name: 'the preview of an import that changes products',
    as: 'owner',
    path: `${path}?import=${id}&show=changed`,
    provoke: showing({ ...shopify, rows: { ...shopify.rows, wrong: 0 } }, changedRow),
    labels: [link('Cumin Seeds'), text('5.25'), button('Import 208 rows')],
  },
  {
    name: 'the preview of an import that changes nothing',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: showing({ ...shopify, newCategories: [], rows: { new: 0, changed: 0, unchanged: 4, wrong: 0 } }),
    labels: [text('Nothing to import: your shop has all of this already.'), button('Import 0 rows')],
  },
  {
    name: 'rows of an import that failed to load',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: all(answer(one, { import: shopify }), fail(rowsOfOne)),
    labels: [text("Couldn't load the rows"), button('Try again')],
    isTriedAgain: true,
    expected: failing,
  },
  {
    name: 'an import that is running',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: showing({ ...shopify, state: 'running', progress: { done: 130, of: 208 } }),
    labels: [heading('Importing 208 rows'), ...cells('130 of 208', 'You can leave this page. The import continues.')],
  },
  {
    name: 'an import that is done',
    as: 'owner',
    path: `${path}?import=${id}&show=new`,
    provoke: showing(
      { ...shopify, state: 'done', undoableUntil: '2026-11-15T15:42:00.000Z', photos: { ...photos, waiting: 248 } },
      newRow,
    ),
    labels: [
      heading('208 rows imported'),
      link('View products'),
      button('Undo import'),
      link('Import another file'),
      text(/^You can undo this import until Nov 15, 2026/),
      ...cells('Afra Grill Rub, 3.9 oz', '4 photos', '140 of 388', 'You can leave this page. The photos keep coming.'),
      button('Rows with errors'),
    ],
    opens: [
      {
        name: 'the question before an import is undone',
        act: press('Undo import'),
        labels: [...onPage('heading', 'Undo this import?'), ...onPage('button', 'Undo import', 'Cancel')],
      },
    ],
  },
  {
    name: 'an import without some of its photos',
    as: 'owner',
    path: `${path}?import=${id}&show=new`,
    provoke: showing({ ...shopify, state: 'done', photos: { ...photos, failed: 1, problems: [missing] } }, newRow),
    labels: [heading('Photos that are missing'), text(/the server said 404/), link('View product')],
  },
  {
    name: 'an import that was undone',
    as: 'owner',
    path: `${path}?import=${id}&show=changed`,
    provoke: showing(
      {
        ...shopify,
        state: 'undone',
        kept: [
          {
            line: 7,
            name: 'Cumin Seeds',
            column: 'price',
            message: 'Someone changed this since the import, so it stays',
          },
        ],
      },
      changedRow,
    ),
    labels: [
      heading('Import undone'),
      heading('Not undone'),
      text(/Price: Someone changed this since the import, so it stays/),
    ],
  },
  {
    name: 'an import that failed',
    as: 'owner',
    path: `${path}?import=${id}`,
    provoke: showing({ ...shopify, state: 'failed' }, wrongRow),
    labels: [heading('Nothing was imported'), text(/^Not one row could be imported/), link('Import another file')],
  },
  {
    name: 'an import that does not exist',
    as: 'owner',
    path: `${path}?import=${id}`,
    labels: [text("This import doesn't exist"), link('Products')],
    expected: /Failed to load resource.*404/,
  },
];
