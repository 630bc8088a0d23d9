/** Which columns a file has, which shop it comes from, and which field each column fills. */
import { createHash } from 'node:crypto';
import { extraImportColumns, importErrors, isOwnImport, ownImportColumns as ownColumns } from '../../shared/imports';
import { productFields, type ProductFieldName } from '../../shared/productFields';
import { invalid } from '../http/core/problems';
import type { FileColumns, Mapping, Source } from './fileColumns';
import { shopifyColumns, isShopify } from './shopify';
import { wooColumns, isWoo } from './woocommerce';

/** @returns a column's name without case and needless spaces */
const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, ' ');

export function sourceOf(header: readonly string[]): Source {
  const names = new Set(header.map(plain));
  if (isShopify(names)) return 'shopify';
  if (isWoo(names)) return 'woocommerce';
  return isOwnImport(header) ? 'shop' : 'other';
}

/** The same for files with the same columns, whatever their order. */
export const headerHashOf = (header: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(header.map(plain).sort()))
    .digest('hex');

/**
 * @param mapping what staff chose, by column name; the other columns keep the field that their name suggests
 * @throws Problem 400 invalid_mapping when a field does not exist, or two columns have the same one
 */
export function columnsOf(header: readonly string[], source: Source, mapping: Mapping = {}): FileColumns {
  const names = distinct(header.map((written) => written.trim()));
  const known = { shop: ownColumns, shopify: shopifyColumns, woocommerce: wooColumns, other: suggested }[source];
  const used = new Map<string, string>();
  const columns = names.map((name, at) => {
    const chosen = mapping[name];
    const own = known.get(plain(header[at] ?? '')) ?? null;
    const field = chosen === undefined || chosen === own ? own : fieldOf(chosen);
    return { name, field, isChosen: chosen !== undefined };
  });
  // what staff chose comes before what a name suggests
  for (const column of columns.toSorted((one, other) => Number(other.isChosen) - Number(one.isChosen))) {
    const { name, field, isChosen } = column;
    if (field === null) continue;
    const first = used.get(field);
    if (first !== undefined && isChosen) throw unfit(importErrors.fieldTwice(first, name));
    if (first === undefined) used.set(field, name);
    else column.field = null;
  }
  return columns.map(({ name, field }) => ({ name, field }));
}

/** @returns the names; a repeated name gets a number: 'Image', 'Image (2)' */
function distinct(names: readonly string[]): string[] {
  const used = new Set(names);
  return names.map((name, at) => {
    if (name === '' || names.indexOf(name) === at) return name;
    let number = 2;
    while (used.has(`${name} (${number})`)) number += 1;
    used.add(`${name} (${number})`);
    return `${name} (${number})`;
  });
}

/** @returns null for an empty text @throws Problem 400 invalid_mapping */
function fieldOf(chosen: string): string | null {
  if (chosen.trim() === '') return null;
  const field = ownColumns.get(chosen.trim().toLowerCase());
  if (field === undefined) throw unfit(importErrors.unknownField(chosen));
  return field;
}

const unfit = (message: string) => invalid(message, [{ field: 'mapping', message }], 'invalid_mapping');

/** @throws Problem 400 invalid_mapping */
export function readMapping(text: string | undefined): Mapping | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const mapping = parsed(text);
  const isMapping =
    typeof mapping === 'object' &&
    mapping !== null &&
    !Array.isArray(mapping) &&
    Object.values(mapping).every((field) => typeof field === 'string');
  if (!isMapping) throw unfit(importErrors.mapping);
  return mapping as Mapping;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws Problem 400 invalid_mapping when products would have neither a name nor an id */
export function requireName(columns: FileColumns): void {
  if (!columns.some(({ field }) => field === 'name' || field === 'id' || field === 'sku'))
    throw unfit(importErrors.noName);
}

/** What other programs call the fields. */
const otherNames: Record<string, readonly string[]> = {
  name: ['title', 'product', 'product name', 'product title', 'item', 'item name'],
  description: ['body', 'details', 'text', 'long description', 'product description'],
  price: ['regular price', 'unit price', 'sale price', 'retail price', 'selling price'],
  compareAtPrice: ['compare at price', 'msrp', 'list price', 'former price'],
  unitCost: ['cost', 'cost price', 'cost per item', 'wholesale price'],
  availability: ['available', 'active', 'enabled', 'published', 'for sale'],
  quantity: ['stock', 'qty', 'inventory', 'on hand', 'units', 'in stock', 'stock quantity', 'inventory quantity'],
  category: ['categories', 'type', 'product type', 'collection', 'department'],
  unitSize: ['size', 'unit size', 'pack size', 'variant', 'option'],
  shippingGrams: ['shipping weight', 'weight (g)', 'weight'],
  barcode: ['upc', 'ean', 'gtin', 'gtin, upc, ean, or isbn'],
  supplier: ['vendor', 'brand', 'manufacturer'],
  tags: ['labels', 'keywords'],
  photos: ['image', 'images', 'photo', 'image url', 'image src', 'picture', 'image link'],
  photoAlt: ['image alt text', 'alt text'],
  oldAddress: ['permalink', 'url', 'link', 'old url', 'product url'],
};

/** Fields by the names that columns usually have: those of the file, the form's labels, and other programs' names. */
const suggested: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherNames).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
  ...(Object.keys(productFields) as ProductFieldName[]).map(
    (name) => [plain(productFields[name].label), name] as const,
  ),
  ...Object.entries(extraImportColumns).map(([name, label]) => [plain(label), name] as const),
  ...ownColumns,
]);
