/**
 * Product exports of Shopify, with the former and the present names of their columns. Lines with the same handle are one
 * product: the first has its texts, each line with a price or an option is a variant, and any line may have a photo. A
 * variant becomes a product of this shop, and the variants of one product are its sizes.
 */
import type { CsvLine } from '../http/csv/csvText';
import { shopifyAddressOf } from '../../shared/oldAddresses';
import type { ImportedPhoto } from '../db/schema/imports';
import type { FileColumns } from './fileColumns';
import { createDraft, lastOfPath, type Draft } from './draft';
import { fieldCells, flagOf, type FieldCells, type ImportedRow } from './rows';
import type { TextReader } from './texts';

const named: Record<string, readonly string[]> = {
  handle: ['handle', 'url handle'],
  name: ['title'],
  description: ['body (html)', 'body html', 'description'],
  supplier: ['vendor'],
  categoryPath: ['product category'],
  category: ['type'],
  tags: ['tags'],
  published: ['published', 'published on online store'],
  status: ['status'],
  option1: ['option1 value'],
  option2: ['option2 value'],
  option3: ['option3 value'],
  sku: ['variant sku', 'sku'],
  shippingGrams: ['variant grams', 'weight value (grams)'],
  quantity: ['variant inventory qty', 'inventory quantity'],
  price: ['variant price', 'price'],
  compareAtPrice: ['variant compare at price', 'compare-at price', 'compare at price'],
  taxable: ['variant taxable', 'charge tax'],
  barcode: ['variant barcode', 'barcode'],
  photos: ['image src', 'product image url'],
  photoPosition: ['image position'],
  photoAlt: ['image alt text'],
  variantPhoto: ['variant image', 'variant image url'],
  pageTitle: ['seo title'],
  unitCost: ['cost per item'],
};

export const shopifyColumns: ReadonlyMap<string, string> = new Map(
  Object.entries(named).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
);

/** @param names in small letters */
export const isShopify = (names: ReadonlySet<string>): boolean =>
  names.has('title') &&
  ((names.has('handle') && (names.has('variant price') || names.has('option1 value'))) ||
    (names.has('url handle') && (names.has('price') || names.has('option1 value'))));

/** @param lines of the file, below its header */
export async function* shopifyRows(
  lines: AsyncIterable<CsvLine>,
  columns: FileColumns,
  read: TextReader,
): AsyncGenerator<ImportedRow> {
  let group: FieldCells[] = [];
  let handle = '';
  for await (const line of lines) {
    const cells = fieldCells(line, columns);
    const own = cells.get('handle');
    if (group.length > 0 && own !== '' && own !== handle) {
      yield* productsOf(handle, group, read);
      group = [];
    }
    handle = own || handle;
    group.push(cells);
  }
  if (group.length > 0) yield* productsOf(handle, group, read);
}

function* productsOf(handle: string, group: readonly FieldCells[], read: TextReader): Generator<ImportedRow> {
  const [first] = group;
  if (!first) return;
  const variants = group.filter((cells) => cells === first || cells.get('price') !== '' || optionsOf(cells).length > 0);
  const photos = photosOf(group);
  const ofVariants = new Set(variants.map((cells) => cells.get('variantPhoto')).filter(Boolean));
  const description = read(first.get('description'));
  for (const [at, cells] of variants.entries()) {
    const options = optionsOf(cells);
    const key = [handle.toLowerCase(), ...options.map((option) => option.toLowerCase())].join('|');
    const draft = createDraft(cells.line, key, placesOf(first, cells));
    fillProduct(draft, first, description);
    fillVariant(draft, cells, options);
    if (variants.length > 1) draft.set('sizeGroup', `shopify ${handle}`.toLowerCase());
    const own = cells.get('variantPhoto');
    const others = photos.filter(({ url }) => url !== own && !ofVariants.has(url));
    const ownPhoto = photos.find(({ url }) => url === own) ?? (own ? { url: own, alt: null } : undefined);
    draft.row.photos = ownPhoto ? [ownPhoto, ...others] : variants.length > 1 ? others : photos;
    const oldAddress = at === 0 ? shopifyAddressOf(handle) : undefined;
    yield oldAddress === undefined ? draft.row : { ...draft.row, oldAddress };
  }
}

/** The values of the options. A product without variants has one called 'Default Title'. */
const optionsOf = (cells: FieldCells): string[] =>
  ['option1', 'option2', 'option3']
    .map((field) => cells.get(field))
    .filter((value) => value !== '' && value !== 'Default Title');

function photosOf(group: readonly FieldCells[]): ImportedPhoto[] {
  const found = group.flatMap((cells, at) => {
    const url = cells.get('photos');
    const position = Number(cells.get('photoPosition')) || at + 1;
    return url === '' ? [] : [{ url, alt: cells.get('photoAlt') || null, position }];
  });
  const sorted = found.toSorted((one, other) => one.position - other.position);
  return [...new Map(sorted.map(({ url, alt }) => [url, { url, alt }])).values()];
}

const shared = ['name', 'description', 'supplier', 'category', 'tags', 'pageTitle'];

/** Texts that the variants share stand in the first line. */
const placesOf = (first: FieldCells, cells: FieldCells): FieldCells['places'] => ({
  ...cells.places,
  ...Object.fromEntries(Object.entries(first.places).filter(([field]) => shared.includes(field))),
});

/** What all variants share. A column that the file lacks changes nothing. */
function fillProduct(draft: Draft, first: FieldCells, description: string): void {
  draft.set('name', first.get('name'));
  if (first.has('description')) draft.set('description', description || first.get('name'));
  if (first.has('supplier')) draft.set('supplier', first.get('supplier'));
  const category = first.get('category') || lastOfPath(first.get('categoryPath'));
  if (category) draft.set('category', category);
  if (first.has('tags')) draft.setTags(first.get('tags'));
  if (first.has('pageTitle')) draft.setPageTitle(first.get('pageTitle'));
  const status = first.get('status').toLowerCase();
  const isOffered = status === '' ? true : status === 'active';
  if (!isOffered || flagOf(first.get('published')) === 'false') draft.row.isArchived = true;
}

function fillVariant(draft: Draft, cells: FieldCells, options: readonly string[]): void {
  if (cells.has('price')) draft.setPrices(cells.get('price'), cells.get('compareAtPrice'));
  if (cells.has('option1')) draft.setSize(options);
  if (cells.has('sku')) draft.set('sku', cells.get('sku'));
  if (cells.has('barcode')) draft.setBarcode(cells.get('barcode'));
  if (cells.has('unitCost')) draft.set('unitCost', cells.get('unitCost'));
  if (cells.has('taxable')) draft.set('taxable', flagOf(cells.get('taxable')) || 'true');
  if (cells.has('shippingGrams')) draft.setShippingWeight(`${cells.get('shippingGrams')} g`);
  if (cells.has('quantity')) draft.setStock(cells.get('quantity'));
}
