/**
 * Product exports of WooCommerce. A variable product is no product of this shop: its variations are, as sizes of one
 * another, with the texts of their parent where they have none. A parent may stand below its variations.
 */
import { importNotes } from '../../shared/imports';
import { slugOf } from '../../shared/slugs';
import { oldAddressOf, wooAddressOf } from '../../shared/oldAddresses';
import { parseMoney } from '../../shared/moneyInput';
import type { FileColumns } from './fileColumns';
import { createDraft, lastOfPath, type Draft } from './draft';
import type { ProductFile } from './file';
import { fieldCells, flagOf, oldAddressNote, photosOf, type FieldCells, type ImportedRow } from './rows';
import type { TextReader } from './texts';

const named: Record<string, readonly string[]> = {
  wooId: ['id'],
  type: ['type'],
  sku: ['sku'],
  barcode: ['gtin, upc, ean, or isbn'],
  name: ['name'],
  published: ['published'],
  shortDescription: ['short description'],
  description: ['description'],
  taxStatus: ['tax status'],
  inStock: ['in stock?'],
  quantity: ['stock'],
  salePrice: ['sale price'],
  price: ['regular price'],
  categories: ['categories'],
  tags: ['tags'],
  photos: ['images'],
  parent: ['parent'],
  supplier: ['brands', 'brand'],
  unitCost: ['cost of goods', 'cogs value'],
  oldAddress: ['permalink', 'slug'],
};
const attributes = [1, 2, 3, 4, 5, 6].flatMap((number) => [
  [`attribute ${number} name`, `attribute${number}`] as const,
  [`attribute ${number} value(s)`, `values${number}`] as const,
]);
const weights = ['g', 'kg', 'oz', 'lbs', 'lb'].map((unit) => [`weight (${unit})`, `weight ${unit}`] as const);

export const wooColumns: ReadonlyMap<string, string> = new Map([
  ...Object.entries(named).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
  ...attributes,
  ...weights,
]);

/** @param names in small letters */
export const isWoo = (names: ReadonlySet<string>): boolean =>
  ['type', 'name', 'regular price'].every((name) => names.has(name)) &&
  ['published', 'parent', 'in stock?', 'short description'].some((name) => names.has(name));

type Parent = { cells: FieldCells; description: string; key: string; variations: number; isNamed: boolean };

export async function* wooRows(
  file: ProductFile,
  columns: FileColumns,
  read: TextReader,
  see: (record: readonly string[]) => void,
): AsyncGenerator<ImportedRow> {
  const parents = await findParents(file, columns, read);
  const wrote = (text: string) => read(text.replaceAll(String.raw`\n`, '\n'));
  for await (const line of file.lines()) {
    see(line.record);
    const cells = fieldCells(line, columns);
    const parent = isVariation(cells) ? parents.get(parentOf(cells)) : undefined;
    if (hasType(cells, 'variable') && (parents.get(referenceOf(cells))?.variations ?? 0) > 0) continue;
    const draft = createDraft(cells.line, keyOf(cells), { ...parent?.cells.places, ...cells.places });
    fillTexts(draft, cells, parent, wrote);
    fillTrade(draft, cells, parent);
    const page = parent?.cells ?? cells;
    const oldAddress = parent?.isNamed ? undefined : addressOf(page);
    const isLost = oldAddress === undefined && !parent?.isNamed && page.get('oldAddress') !== '';
    if (isLost) draft.note(oldAddressNote(page.get('oldAddress')));
    if (parent) parent.isNamed = true; // the first variation takes over the parent's page
    yield oldAddress === undefined ? draft.row : { ...draft.row, oldAddress };
  }
}

const hasType = (cells: FieldCells, type: string) =>
  cells
    .get('type')
    .toLowerCase()
    .split(',')
    .some((each) => each.trim() === type);
const isVariation = (cells: FieldCells) => hasType(cells, 'variation');

/** Variations name their parent by 'id:12', or by its SKU. */
const parentOf = (cells: FieldCells) => cells.get('parent').toLowerCase();
const referenceOf = (cells: FieldCells) => `id:${cells.get('wooId')}`;

/** @returns the variable products, by both names */
async function findParents(file: ProductFile, columns: FileColumns, read: TextReader): Promise<Map<string, Parent>> {
  const parents = new Map<string, Parent>();
  const counts = new Map<string, number>();
  for await (const line of file.lines()) {
    const cells = fieldCells(line, columns);
    if (isVariation(cells)) counts.set(parentOf(cells), (counts.get(parentOf(cells)) ?? 0) + 1);
    if (!hasType(cells, 'variable')) continue;
    const description = read(textOf(cells).replaceAll(String.raw`\n`, '\n'));
    const parent = { cells, description, key: keyOf(cells), variations: 0, isNamed: false };
    parents.set(referenceOf(cells), parent);
    if (cells.get('sku')) parents.set(cells.get('sku').toLowerCase(), parent);
  }
  for (const [reference, count] of counts) {
    const parent = parents.get(reference);
    if (parent) parent.variations += count;
  }
  return parents;
}

const textOf = (cells: FieldCells) => cells.get('description') || cells.get('shortDescription');

const keyOf = (cells: FieldCells): string =>
  cells.get('wooId')
    ? `id ${cells.get('wooId')}`
    : `sku ${cells.get('sku').toLowerCase() || cells.get('name').toLowerCase()}`;

function fillTexts(draft: Draft, cells: FieldCells, parent: Parent | undefined, read: TextReader): void {
  const either = (field: string) => cells.get(field) || parent?.cells.get(field) || '';
  const name = parent?.cells.get('name') || cells.get('name');
  draft.set('name', name);
  if (cells.has('description') || cells.has('shortDescription'))
    draft.set('description', read(textOf(cells)) || parent?.description || name);
  const [category] = entriesOf(either('categories'));
  if (category) draft.set('category', lastOfPath(category));
  if (cells.has('tags')) draft.setTags(either('tags'));
  const [brand = ''] = entriesOf(either('supplier'));
  if (cells.has('supplier')) draft.set('supplier', brand);
  const photos = [...photosOf(cells.get('photos')), ...(parent ? photosOf(parent.cells.get('photos')) : [])];
  draft.row.photos = [...new Map(photos.map((photo) => [photo.url, photo])).values()];
  const published = [cells, parent?.cells].map((each) => each?.get('published') || '1');
  if (published.some((each) => flagOf(each) === 'false')) draft.row.isArchived = true;
  const sizes = [1, 2, 3, 4, 5, 6].flatMap((number) => {
    const value = cells.get(`values${number}`);
    const isSize = parent !== undefined || /size|weight|volume|net/i.test(cells.get(`attribute${number}`));
    return value !== '' && isSize && !value.includes(',') ? [value] : [];
  });
  if (cells.has('values1')) draft.setSize(sizes);
  if (parent && parent.variations > 1) draft.set('sizeGroup', `woocommerce ${parent.key}`);
}

/** The values of a cell: commas of their own are escaped. */
const entriesOf = (cell: string): string[] =>
  cell.split(/(?<!\\),/).map((entry) => entry.replaceAll(String.raw`\,`, ',').trim());

function fillTrade(draft: Draft, cells: FieldCells, parent: Parent | undefined): void {
  const either = (field: string) => cells.get(field) || parent?.cells.get(field) || '';
  const [regular, sale] = [cells.get('price'), cells.get('salePrice')];
  const [regularCents, saleCents] = [parseMoney(regular), parseMoney(sale)];
  const isSale = typeof regularCents === 'number' && typeof saleCents === 'number' && saleCents < regularCents;
  draft.setPrices(isSale || regular === '' ? sale || regular : regular, isSale ? regular : '');
  if (cells.has('sku')) draft.set('sku', cells.get('sku'));
  if (cells.has('barcode')) draft.setBarcode(cells.get('barcode'));
  if (cells.has('unitCost')) draft.set('unitCost', either('unitCost'));
  const taxStatus = either('taxStatus').toLowerCase();
  if (cells.has('taxStatus')) draft.set('taxable', String(taxStatus !== 'none' && taxStatus !== 'shipping'));
  if (cells.has('quantity')) setStock(draft, cells, parent);
  for (const [, field] of weights)
    if (cells.has(field)) draft.setShippingWeight(`${either(field)} ${field.slice('weight '.length)}`);
}

/** Variations may share the stock of their parent; then their stock says 'parent', or is blank. */
function setStock(draft: Draft, cells: FieldCells, parent: Parent | undefined): void {
  const units = cells.get('quantity').toLowerCase();
  const isShared = units === 'parent' || (units === '' && Boolean(parent?.cells.get('quantity')));
  if (isShared) draft.note(importNotes.stockShared);
  draft.setStock(isShared || flagOf(cells.get('inStock')) === 'false' ? '0' : cells.get('quantity'));
}

/** The export has no address. WordPress makes it from the name. */
function addressOf(cells: FieldCells): string | undefined {
  const own = cells.get('oldAddress');
  if (own.includes('/')) return oldAddressOf(own);
  const slug = own || slugOf(cells.get('name'), 200);
  return slug === '' ? undefined : wooAddressOf(slug);
}
